import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { LeaveQueue } from './leave-queue.ts'

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('add' as const), at: fc.integer({ min: 0, max: 50 }) }),
    fc.record({ kind: fc.constant('until' as const), at: fc.integer({ min: 0, max: 60 }) }),
  ),
  { maxLength: 200 },
)

test('hands out who leaves next exactly as a sorted list would, whoever comes in between', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const queue = new LeaveQueue<{ readonly at: number }>()
      const plain: number[] = []
      const [left, expected]: [(number | undefined)[], (number | undefined)[]] = [[], []]
      for (const { kind, at } of list) {
        if (kind === 'add') {
          queue.add({ at })
          plain.push(at)
          plain.sort((a, b) => a - b)
        } else {
          left.push(queue.until(at)?.at)
          expected.push(plain[0] !== undefined && plain[0] <= at ? plain.shift() : undefined)
        }
      }
      expect(left).toEqual(expected)
      const rest = plain.map(() => queue.until(Number.POSITIVE_INFINITY)?.at)
      expect(rest).toEqual(plain)
      expect(queue.until(Number.POSITIVE_INFINITY)).toBeUndefined()
    }),
  )
})

test('hands back what was added, and nothing before its time', () => {
  const queue = new LeaveQueue<{ readonly at: number; readonly who: string }>()
  queue.add({ at: 5, who: 'later' })
  queue.add({ at: 2, who: 'sooner' })
  expect(queue.until(1)).toBeUndefined()
  expect(queue.until(2)?.who).toBe('sooner')
  expect(queue.until(4)).toBeUndefined()
  expect(queue.until(5)?.who).toBe('later')
})
