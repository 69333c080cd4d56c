import { array, assert, integer, property, subarray } from 'fast-check'
import { expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { GpuNode } from '../cluster/node.ts'
import { instant } from '../units.ts'
import { followInventory, forgetInventory, inventoryWithin, type KnownGpus } from './known-inventory.ts'

const { nodes } = draw`
  a  A100-SXM4-80GB  [-]
  a  A100-SXM4-80GB  [-]
  b  H100-SXM5-80GB  [-]
  c  T4              [-]`
const node = (name: string, createdAt = 0): GpuNode => {
  const found = nodes.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no node ${name} is drawn`)
  return { ...found, createdAt: instant(createdAt) }
}
const look = (known: readonly KnownGpus[], [at, before]: readonly [number, number?], there: readonly GpuNode[]) =>
  followInventory(known, {
    at: instant(at),
    before: before === undefined ? undefined : instant(before),
    nodes: there,
  })
const secondsOf = (known: readonly KnownGpus[], from: number, to: number): number =>
  inventoryWithin(known, { from: instant(from), to: instant(to) }).reduce((sum, { seconds }) => sum + seconds, 0)

test('what is new was there since the look before it, or since its node was made', () => {
  const first = look([], [100_000], [node('a', 40_000)])
  expect(first).toMatchObject([{ node: 'a', model: 'A100-SXM4-80GB', from: 40_000, to: undefined }])
  const second = look(first, [130_000, 115_000], [node('a'), node('b', 50_000), node('c', 120_000)])
  expect(second.slice(1)).toMatchObject([
    { node: 'b', from: 115_000 },
    { node: 'c', from: 120_000 },
  ])
  expect(secondsOf(second, 100_000, 160_000)).toBe(2 * 60 + 45 + 40)
})

test('what is gone was there until the look before, and comes back as new', () => {
  const both = look([], [0], [node('a'), node('b')])
  const without = look(both, [30_000, 15_000], [node('a')])
  const again = look(without, [60_000, 45_000], [node('a'), node('b')])
  expect(secondsOf(without, 0, 60_000)).toBe(2 * 60 + 15)
  expect(secondsOf(again, 0, 60_000)).toBe(2 * 60 + 15 + 15)
  expect(inventoryWithin(again, { from: instant(0), to: instant(60_000) })).toHaveLength(3)
  expect(forgetInventory(again, instant(15_000))).toBe(again)
  expect(forgetInventory(again, instant(15_001))).toHaveLength(2)
})

test('after a clock went back nothing came or went later than now', () => {
  const ahead = look(look([], [0], [node('a'), node('b')]), [10_800_000, 15_000], [node('a'), node('c', 10_700_000)])
  const back = look(ahead, [30_000, 10_800_000], [node('a'), node('c', 20_000)])
  expect(secondsOf(back, 30_000, 90_000)).toBe(2 * 60 + 60)
  const gone = look(ahead, [30_000, 10_800_000], [node('a')])
  expect(secondsOf(gone, 30_000, 90_000)).toBe(2 * 60)
})

test('where nothing changes it is the same object', () => {
  const known = look([], [0], [node('a'), node('b')])
  expect(look(known, [15_000, 0], [node('b'), node('a')])).toBe(known)
})

test('however nodes come and go, a window that is cut anywhere holds as much as its parts', () => {
  assert(
    property(
      array(subarray(['a', 'b', 'c']), { minLength: 1, maxLength: 8 }),
      integer({ min: 0, max: 240_000 }),
      (looks, cut) => {
        const known = looks.reduce<readonly KnownGpus[]>(
          (before, names, order) =>
            look(
              before,
              order === 0 ? [0] : [order * 30_000, (order - 1) * 30_000],
              names.map((name) => node(name)),
            ),
          [],
        )
        expect(secondsOf(known, 0, cut) + secondsOf(known, cut, 240_000)).toBeCloseTo(secondsOf(known, 0, 240_000), 9)
        for (const { seconds } of inventoryWithin(known, { from: instant(0), to: instant(240_000) })) {
          expect(seconds).toBeLessThanOrEqual(240)
        }
      },
    ),
  )
})
