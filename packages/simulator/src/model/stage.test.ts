import { DAY_MS, HOUR_MS } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { noSums, addTicks, tickOf } from './activity.ts'
import { PINNED, SCENES } from './stage.ts'
import { createWorld, type WorldSpan, type World } from './world.ts'

const MONDAY = Date.UTC(2026, 10, 16)
const SEEDS = [1, 7, 42]
const INSTANTS = [0, 3, 17, 40].map((days) => MONDAY - days * DAY_MS + days * HOUR_MS)

const stageUnits = (world: World, node: string, gpus?: readonly number[]) =>
  world.unitsOf(node).filter(({ gpu }) => gpus?.includes(gpu.index) ?? true)
const peakOf = (
  world: World,
  node: string,
  window: WorldSpan,
): readonly { busy: number; peak: number; memory: number }[] =>
  stageUnits(world, node).flatMap((unit) => {
    const sums = noSums()
    for (const segment of world.segments(unit, window)) {
      addTicks(sums, segment.activity, { from: tickOf(segment.from), to: tickOf(segment.to), peaks: true })
    }
    return sums.ticks === 0 ? [] : [{ busy: sums.busy / sums.ticks, peak: sums.busyPeak, memory: sums.memoryPeak }]
  })

describe.each(SEEDS)('the stage of seed %i', (seed) => {
  const world = createWorld({ seed, scale: 'small' })

  test('has its cast at any time, and nobody else', () => {
    for (const at of INSTANTS) {
      for (const { node, gpus, cast } of SCENES) {
        const holders = stageUnits(world, node, gpus).flatMap((unit) => world.holderAt(unit, at)?.holder ?? [])
        const expected = cast.flatMap(({ units, namespace }) => Array.from({ length: units }, () => namespace))
        expect(holders.map(({ namespace }) => namespace)).toEqual(expected)
      }
    }
  })

  test('the empty MIG GPUs offer nothing that the queue waits for', () => {
    const offered = new Set(stageUnits(world, 'gpu-h100-08', [6, 7]).map(({ resource }) => resource))
    expect([...offered]).toEqual(['nvidia.com/mig-1g.10gb', 'nvidia.com/mig-2g.20gb'])
    for (const at of INSTANTS) {
      const asked = world.queued({ from: at, to: at + 1 }).map(({ resource }) => resource)
      expect(asked).toContain('nvidia.com/mig-4g.40gb')
      expect(asked.filter((resource) => offered.has(resource))).toEqual([])
    }
  })

  test('small services share a board easily: partly busy, in bursts, with little memory', () => {
    const uses = peakOf(world, 'gpu-l40s-05', { from: MONDAY - 7 * DAY_MS, to: MONDAY })
    expect(uses).toHaveLength(4)
    for (const { busy, peak, memory } of uses) {
      expect(busy).toBeGreaterThan(0.06)
      expect(peak).toBeLessThan(0.75)
      expect(peak).toBeGreaterThan(2 * busy)
      expect(memory).toBeLessThan(0.15)
    }
    expect(uses.reduce((sum, { busy }) => sum + busy, 0)).toBeLessThan(0.65)
  })

  test('somebody always waits for the full node and the full pool', () => {
    for (let hour = 0; hour < 72; hour++) {
      const at = MONDAY + hour * HOUR_MS
      const waiting = world.queued({ from: at, to: at + 1 }).map(({ selector }) => JSON.stringify(selector))
      for (const { selector } of PINNED) expect(waiting).toContain(JSON.stringify(selector))
    }
  })
})

test('the large fleet has no stage', () => {
  const world = createWorld({ seed: 7, scale: 'large' })
  expect(world.slots.filter(({ cast }) => cast !== undefined)).toEqual([])
  const waiting = world.queued({ from: MONDAY, to: MONDAY + 1 })
  expect(waiting.filter(({ selector }) => selector?.['kubernetes.io/hostname'] !== undefined)).toEqual([])
})

test('a seat that the stage takes from a service leaves the others of the service theirs', () => {
  for (const seed of SEEDS) {
    const world = createWorld({ seed, scale: 'small' })
    for (const slot of world.slots) {
      expect(slot.seats.length).toBeGreaterThan(0)
      const seats = slot.seats.flatMap(({ units }, index) => units.map(({ seat }) => [seat, { slot, index }] as const))
      for (const [found, expected] of seats) expect(found).toEqual(expected)
    }
    const seated = new Set(world.slots.flatMap(({ seats }) => seats.flatMap(({ units }) => units)))
    const all = world.nodes.flatMap(({ name }) => world.unitsOf(name))
    expect(all.filter((unit) => unit.seat !== undefined && !seated.has(unit))).toEqual([])
  }
})
