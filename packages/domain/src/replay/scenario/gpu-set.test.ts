import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { boardFor } from '../../gpu/known-boards.ts'
import { plainProfiles, type MigProfile } from '../../gpu/board.ts'
import { bitCount } from '../../gpu/occupancy.ts'
import { placementMask } from '../../gpu/layout.ts'
import { EmptyGpus, type GpuSetHeld } from './gpu-set.ts'
import { openGpuSet } from './open-gpu-set.ts'
import { BEST_FIT } from './placings.ts'

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

test('best fit on GPUs that are cut as they are asked for takes the one that a look at each of them finds', () => {
  const model = 'H100-80GB-HBM3'
  const board = boardFor(model)
  if (board === undefined) throw new Error('it is a known board')
  const menu = plainProfiles(board)
  const steps = fc.array(
    fc.record({ leaves: fc.integer({ min: 0, max: 3 }).map((draw) => draw === 0), which: fc.nat() }),
    { minLength: 20, maxLength: 120 },
  )
  let [placed, none] = [0, 0]
  fc.assert(
    fc.property(steps, (drawn) => {
      const group = { model, pool: '', nodes: 1, gpusPerNode: 3, price: null, cuts: [] }
      const set = openGpuSet({ model, groups: [group], placing: BEST_FIT })
      const masks = new Int32Array(3)
      const held: GpuSetHeld[] = []
      const leave = ({ gpus: [gpu = 0], token }: GpuSetHeld) => (masks[gpu] = (masks[gpu] ?? 0) & ~token)
      const come = (profile: MigProfile | undefined): void => {
        const spots = profile?.starts.map((start) => placementMask({ start, size: profile.size })) ?? []
        const open = [...masks].filter((mask) => spots.some((spot) => (spot & mask) === 0))
        const found = set.take({ kind: 'part', profile, milli: 0 }, 0)
        const before = found?.gpus.map((gpu) => masks[gpu] ?? 0) ?? []
        expect(before.map(bitCount)).toEqual(
          open
            .map(bitCount)
            .toSorted((a, b) => b - a)
            .slice(0, 1),
        )
        none += Number(found === undefined)
        if (found === undefined) return
        expect([spots.includes(found.token), (before[0] ?? 0) & found.token]).toEqual([true, 0])
        masks[found.gpus[0] ?? 0] = (before[0] ?? 0) | found.token
        held.push(found)
        placed += 1
      }
      for (const { leaves, which } of drawn) {
        const [gone] = leaves && held.length > 0 ? held.splice(which % held.length, 1) : []
        if (gone === undefined) come(menu[which % menu.length])
        else {
          set.release(gone)
          leave(gone)
        }
      }
    }),
  )
  expect([placed > 1000, none > 100]).toEqual([true, true])
})
