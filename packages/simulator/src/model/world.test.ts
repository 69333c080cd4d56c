import { DAY_MS, HOUR_MS, isFeasible, strandedShare } from '@septet/domain'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { TICK_MS, busyAt, makeActivity, noSums, addTicks, tickOf } from './activity.ts'
import { makeFleet } from './fleet.ts'
import { migBoard, nodePlace, HARDWARE } from './hardware.ts'
import { labelledHolder, readAt, readOver, rowsAt } from './readings.ts'
import { createWorld } from './world.ts'

const MONDAY = Date.UTC(2026, 10, 16)

describe('the fleet', () => {
  const nodes = makeFleet(7, 'small')

  test('has about 40 nodes and 200 GPUs of seven boards, and every defect once', () => {
    expect(nodes).toHaveLength(40)
    expect(nodes.reduce((sum, node) => sum + node.gpus.length, 0)).toBe(204)
    expect(new Set(nodes.map((node) => node.hardware.key)).size).toBe(7)
    const defects = nodes.flatMap((node) => node.defect ?? [])
    expect(defects.toSorted()).toEqual(
      ['exporter-down', 'failed-gpu', 'mig-failed', 'missing-instance', 'not-ready', 'stuck-counter'].toSorted(),
    )
  })

  test('is 1,250 nodes and 10,000 GPUs when large', () => {
    const large = makeFleet(7, 'large')
    expect(large).toHaveLength(1250)
    expect(large.reduce((sum, node) => sum + node.gpus.length, 0)).toBe(10_000)
  })

  test('has only layouts that the boards allow, and some that strand compute slices', () => {
    const fleets = [1, 7, 99].flatMap((seed) => [...makeFleet(seed, 'small'), ...makeFleet(seed, 'large')])
    const layouts = fleets.flatMap((node) =>
      node.gpus.flatMap(({ layout }) => (layout === undefined ? [] : [{ board: migBoard(node.hardware), layout }])),
    )
    for (const { board, layout } of layouts) {
      expect(isFeasible(board, layout)).toEqual({ kind: 'feasible' })
      expect(new Set(layout.map(({ instance }) => instance)).size).toBe(layout.length)
    }
    expect(layouts.length).toBeGreaterThan(1000)
    expect(layouts.filter(({ board, layout }) => strandedShare(board, layout) > 0).length).toBeGreaterThan(100)
  })

  test('places profiles feasibly or says that they do not fit', () => {
    const board = migBoard(HARDWARE.h100)
    const names = fc.array(fc.constantFrom(...board.profiles.map(({ name }) => name)), { maxLength: 5 })
    fc.assert(
      fc.property(names, (profiles) => {
        const layout = nodePlace(board, profiles)
        if (layout === undefined) return
        expect(layout.map(({ profile }) => profile).toSorted()).toEqual(profiles.toSorted())
        expect(isFeasible(board, layout)).toEqual({ kind: 'feasible' })
      }),
      { seed: 1 },
    )
    expect(nodePlace(board, ['4g.40gb', '4g.40gb'])).toBeUndefined()
  })
})

describe('activity', () => {
  const roles = fc.constantFrom('training', 'inference', 'notebook', 'analytics')
  const activities = fc
    .record({ seed: fc.nat(), role: roles, large: fc.boolean() })
    .map((of) => makeActivity({ ...of, start: MONDAY }))

  test('stays between 0 and 1 at every tick', () => {
    fc.assert(
      fc.property(activities, fc.nat({ max: 100_000 }), (activity, offset) => {
        const busy = busyAt(activity, tickOf(MONDAY) + offset)
        expect(busy).toBeGreaterThanOrEqual(0)
        expect(busy).toBeLessThanOrEqual(1)
      }),
      { seed: 1 },
    )
  })

  test('means and peaks in closed form are those of its ticks', () => {
    fc.assert(
      fc.property(activities, fc.nat({ max: 5000 }), fc.integer({ min: 1, max: 700 }), (activity, from, length) => {
        const first = tickOf(MONDAY) + from
        const values = Array.from({ length }, (_, index) => busyAt(activity, first + index))
        const sums = noSums()
        addTicks(sums, activity, { from: first, to: first + length, peaks: true })
        expect(sums.busy).toBeCloseTo(
          values.reduce((sum, value) => sum + value, 0),
          6,
        )
        expect(sums.busyPeak).toBeCloseTo(Math.max(...values), 9)
        expect(sums.ticks).toBe(length)
      }),
      { seed: 1, numRuns: 200 },
    )
  })
})

describe('the world', () => {
  test('tells a believable story at any time of the past months', () => {
    const world = createWorld({ seed: 7, scale: 'small' })
    const shares: { held: number; busy: number }[] = []
    for (let day = 0; day < 200; day += 5) {
      const at = MONDAY - day * DAY_MS + 14 * HOUR_MS
      const ready = world.nodes.filter((node) => node.defect !== 'not-ready')
      const capacity = ready.reduce((sum, node) => sum + node.gpus.length, 0)
      const shareOf = new Map(ready.flatMap((node) => world.unitsOf(node.name)).map((unit) => [unit, unit.share]))
      let [held, busy] = [0, 0]
      for (const [unit, share] of shareOf) {
        const holder = world.holderAt(unit, at)
        held += holder === undefined ? 0 : share
        busy += holder === undefined ? 0 : share * busyAt(holder.activity, tickOf(at))
      }
      shares.push({ held: held / capacity, busy: busy / capacity })
      const queued = world.queued({ from: at, to: at + 1 }).length
      expect(queued).toBeGreaterThan(12)
      expect(queued).toBeLessThan(30)
    }
    const mean = (key: 'held' | 'busy'): number => shares.reduce((sum, each) => sum + each[key], 0) / shares.length
    expect(mean('held')).toBeGreaterThan(0.75)
    expect(mean('held')).toBeLessThan(0.87)
    expect(mean('busy')).toBeGreaterThan(0.35)
    expect(mean('busy')).toBeLessThan(0.45)
    for (const { held, busy } of shares) {
      expect(held).toBeGreaterThan(0.6)
      expect(held).toBeLessThan(0.95)
      expect(busy).toBeGreaterThan(0.2)
      expect(busy).toBeLessThan(held)
    }
  })

  test('is the same whatever was asked before', () => {
    const first = createWorld({ seed: 11, scale: 'small' })
    const second = createWorld({ seed: 11, scale: 'small' })
    const other = createWorld({ seed: 12, scale: 'small' })
    const past = { from: MONDAY - 100 * DAY_MS, to: MONDAY - 99 * DAY_MS }
    const now = { from: MONDAY, to: MONDAY + HOUR_MS }
    const tell = (world: typeof first, window: typeof now): unknown =>
      world.nodes.map((node) => world.unitsOf(node.name).map((unit) => world.segments(unit, window)))
    tell(first, past)
    expect(tell(first, now)).toEqual(tell(second, now))
    expect(tell(second, past)).toEqual(tell(first, past))
    expect(tell(other, now)).not.toEqual(tell(first, now))
  })

  test('never gives a unit to two holders at once', () => {
    const world = createWorld({ seed: 7, scale: 'small' })
    const window = { from: MONDAY - 30 * DAY_MS, to: MONDAY }
    for (const node of world.nodes) {
      for (const unit of world.unitsOf(node.name)) {
        let end = -Infinity
        for (const segment of world.segments(unit, window)) {
          expect(segment.from).toBeGreaterThanOrEqual(end)
          end = segment.to
        }
      }
    }
  })

  test('the mean over a window is the mean of what the exporter shows in it', () => {
    const world = createWorld({ seed: 7, scale: 'small' })
    const window = { from: MONDAY + 9 * HOUR_MS + 1, to: MONDAY + 10 * HOUR_MS + 1 }
    let compared = 0
    for (const node of world.nodes) {
      for (const row of rowsAt(world, node, window.to)) {
        const holder = labelledHolder(world, row, window.from)
        const times = Array.from({ length: 120 }, (_, index) => window.from - 1 + (index + 1) * TICK_MS)
        const steady = times.every((at) => labelledHolder(world, row, at)?.pod === holder?.pod)
        if (!steady || row.units.length > 1) continue
        const values = times.map((at) => readAt(world, row, at))
        const mean = readOver(world, row, { ...window, peaks: false })
        const average = (of: (value: (typeof values)[number]) => number): number =>
          values.reduce((sum, value) => sum + of(value), 0) / values.length
        expect(mean?.busy).toBeCloseTo(
          average(({ busy }) => busy),
          9,
        )
        expect(mean?.memoryMib).toBeCloseTo(
          average(({ memoryMib }) => memoryMib),
          6,
        )
        compared++
      }
    }
    expect(compared).toBeGreaterThan(150)
  })

  test('an early end and a new layout change the present and leave the past', () => {
    const world = createWorld({ seed: 7, scale: 'small' })
    const node = world.nodes.find(({ name }) => name === 'gpu-h100-07')
    const gpu = node?.gpus[0]
    if (node === undefined || gpu === undefined) throw new Error('gpu-h100-07 is part of the small fleet')
    const before = world.unitsOf(node.name).filter((unit) => unit.gpu === gpu)
    const [unit] = before
    if (unit === undefined) throw new Error('a mixed node has instances')
    const past = world.segments(unit, { from: MONDAY - DAY_MS, to: MONDAY })
    world.relayout(gpu, node, { layout: nodePlace(migBoard(node.hardware), ['7g.80gb']), at: MONDAY })
    expect(world.segments(unit, { from: MONDAY - DAY_MS, to: MONDAY })).toEqual(past)
    expect(world.segments(unit, { from: MONDAY, to: MONDAY + DAY_MS })).toEqual([])
    const rows = rowsAt(world, node, MONDAY).filter((row) => row.gpu === gpu)
    expect(rows.map((row) => row.instance?.profile)).toEqual(['7g.80gb'])
  })
})
