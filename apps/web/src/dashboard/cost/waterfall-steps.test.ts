import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { waterfallSteps } from './waterfall-steps.ts'

const anyAmount = fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100)

const anyParts = fc.record({
  used: anyAmount,
  idleHeld: anyAmount,
  unallocated: anyAmount,
  stranded: anyAmount,
  oversized: anyAmount,
  broken: anyAmount,
  unrequested: anyAmount,
  unobserved: anyAmount,
})

test('the bars lead from the capacity to what was used without a step missing', () => {
  fc.assert(
    fc.property(anyParts, (parts) => {
      const { used } = parts
      const capacity = Object.values(parts).reduce((sum, part) => sum + part, 0)
      const steps = waterfallSteps({ ...parts, capacity, unmeasured: used / 2 })
      for (const [order, step] of steps.slice(1, -1).entries()) {
        expect(step.to).toBeCloseTo(order === 0 ? Number(capacity > 0) : (steps[order]?.from ?? 0), 9)
      }
      expect(steps.at(-2)?.from).toBeCloseTo(steps.at(-1)?.to ?? -1, 9)
      const losses = steps.slice(1, -1).reduce((sum, { amount }) => sum + amount, 0)
      expect(capacity - losses).toBeCloseTo(used, 6)
    }),
  )
})

test('what nobody held has no bar for whom it does not belong to', () => {
  const steps = waterfallSteps({
    used: 2,
    idleHeld: 1,
    unallocated: null,
    stranded: null,
    broken: null,
    unrequested: null,
    unobserved: null,
    oversized: 0,
    capacity: 3,
    unmeasured: 0,
  })
  expect(steps.map(({ name, from, to }) => [name, from, to])).toEqual([
    ['Held', 0, 1],
    ['Idle-held', 2 / 3, 1],
    ['Oversized', 2 / 3, 2 / 3],
    ['Used', 0, 2 / 3],
  ])
})

test('where nothing that was held was measured, idle and oversized are not known, and the bars still add up', () => {
  const parts = {
    used: 4,
    idleHeld: 0,
    unallocated: 1,
    stranded: 1,
    oversized: 0,
    broken: 0,
    unrequested: 0,
    unobserved: 0,
    capacity: 6,
  }
  const known = (unmeasured: number) =>
    waterfallSteps({ ...parts, unmeasured }).flatMap((step) => (step.known ? [] : step.key))
  expect(known(4)).toEqual(['idleHeld', 'oversized'])
  expect(known(3.9)).toEqual([])
  expect(waterfallSteps({ ...parts, used: 0, capacity: 2, unmeasured: 0 }).every((step) => step.known)).toBe(true)
})
