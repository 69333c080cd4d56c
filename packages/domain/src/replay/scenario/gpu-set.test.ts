import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { EmptyGpus } from './gpu-set.ts'

const may = (gpu: number): boolean => gpu % 3 !== 1

test('a pick is of one node, the one with the fewest free GPUs that are enough, lowest numbers first', () => {
  const nodes = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 5 })
  const steps = fc.array(fc.record({ gpu: fc.nat(19), empty: fc.boolean() }), { maxLength: 30 })
  let none = 0
  fc.assert(
    fc.property(nodes, steps, fc.integer({ min: 1, max: 4 }), (sizes, changes, wanted) => {
      const owner = sizes.flatMap((gpus, node) => Array.from({ length: gpus }, () => node))
      const gpus = new EmptyGpus(sizes)
      const empty = owner.map(() => true)
      for (const { gpu, empty: now } of changes.filter((change) => change.gpu < owner.length)) {
        gpus.set(gpu, now)
        empty[gpu] = now
      }
      const freeOn = (node: number) => owner.flatMap((own, gpu) => (own === node && empty[gpu] === true ? [gpu] : []))
      const able = sizes
        .map((_, node) => ({ free: freeOn(node).length, open: freeOn(node).filter(may) }))
        .filter(({ open }) => open.length >= wanted)
        .toSorted((a, b) => a.free - b.free)
      expect(gpus.pick(wanted, may)).toEqual(able[0]?.open.slice(0, wanted))
      none += Number(able.length === 0)
    }),
    { numRuns: 500 },
  )
  expect(none).toBeGreaterThan(20)
})

test('all GPUs may be picked where nothing is said, and a GPU that is set twice counts once', () => {
  const gpus = new EmptyGpus([2, 0, 3])
  expect(gpus.pick(2)).toEqual([0, 1])
  expect(gpus.pick(3)).toEqual([2, 3, 4])
  expect(gpus.pick(4)).toBeUndefined()
  gpus.set(0, false)
  gpus.set(0, false)
  gpus.set(0, true)
  expect(gpus.pick(2)).toEqual([0, 1])
})
