import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { instant, type Window } from '../units.ts'
import { isWaitCause, type WaitCause } from './wait-causes.ts'
import {
  followWaits,
  NO_WAITS,
  recallWaits,
  totalsOfWaits,
  type Waiter,
  type WaitMemory,
  type WaitStretch,
} from './waits.ts'

const at = (second: number) => instant(second * 1000)
const asks = { asks: '2 × nvidia.com/gpu', gpus: 2, kinds: [] }

/** A pod by its uid, when it was created and bound, and what holds it back. */
const pod = (
  waiter: string,
  createdAt: number,
  more: { endedAt?: number; toldAt?: number; cause?: WaitCause },
): Waiter => ({
  waiter,
  namespace: 'lab',
  workload: `lab/Pod/${waiter}`,
  createdAt: at(createdAt),
  endedAt: more.endedAt === undefined ? undefined : at(more.endedAt),
  toldAt: more.toldAt === undefined ? undefined : at(more.toldAt),
  ask: () => asks,
  verdict: () => ({ cause: more.cause ?? 'capacity', change: undefined }),
})

/** Looks at a cluster, keeps what they find as the store does, and can begin again with nothing but that. */
function follow() {
  const kept = new Map<string, WaitStretch>()
  let memory: WaitMemory = NO_WAITS
  return {
    look(second: number, waiters: readonly Waiter[]) {
      const fresh = waiters.filter(({ waiter }) => !memory.waiting.has(waiter) && !memory.ended.has(waiter))
      const last = fresh.flatMap(({ waiter }) =>
        [...kept.values()]
          .filter((one) => one.waiter === waiter)
          .toSorted((a, b) => b.from - a.from)
          .slice(0, 1),
      )
      const found = followWaits(recallWaits(memory, last), { at: at(second), waiters })
      memory = found.memory
      for (const stretch of found.stretches) kept.set(`${stretch.waiter} ${stretch.from}`, stretch)
    },
    restart: () => (memory = NO_WAITS),
    told: () =>
      [...kept.values()]
        .filter(({ from, to }) => to > from)
        .map(({ from, to, cause }) => `${from / 1000}-${to / 1000} ${cause}`),
    seconds: (window: Window) =>
      [...kept.values()].reduce(
        (sum, { from, to }) => sum + Math.max(0, Math.min(to, window.to) - Math.max(from, window.from)) / 1000,
        0,
      ),
  }
}

describe('what a wait was for', () => {
  test('counts a cause from the look that saw it to the next, and the last one to the binding', () => {
    const waits = follow()
    waits.look(0, [])
    waits.look(60, [pod('a', 50, { cause: 'shape' })])
    waits.look(120, [pod('a', 50, { cause: 'capacity' })])
    waits.look(180, [pod('a', 50, { cause: 'capacity' })])
    waits.look(240, [pod('a', 50, { endedAt: 201 })])
    expect(waits.told()).toEqual(['50-120 shape', '120-201 capacity'])
  })

  test('of what waited before Septet began counts what the scheduler has told since when', () => {
    const waits = follow()
    waits.look(1000, [pod('a', 100, { toldAt: 130, cause: 'quota' }), pod('b', 200, { endedAt: 260 })])
    expect(waits.told()).toEqual(['100-130 not-watched', '130-1000 quota', '200-260 not-watched'])
  })

  test('a restart within a bucket goes on; a longer one leaves a gap that was not watched', () => {
    const waits = follow()
    waits.look(0, [])
    waits.look(60, [pod('a', 50, {}), pod('b', 55, {})])
    waits.restart()
    waits.look(120, [pod('a', 50, {}), pod('b', 55, {})])
    waits.restart()
    waits.look(3600, [pod('a', 50, {}), pod('b', 55, { endedAt: 3000 })])
    waits.look(3660, [pod('a', 50, { endedAt: 3650 }), pod('b', 55, { endedAt: 3000 })])
    expect(waits.told()).toEqual([
      '50-120 capacity',
      '55-120 capacity',
      '120-3600 not-watched',
      '120-3000 not-watched',
      '3600-3650 capacity',
    ])
  })

  test('what came and was bound between two looks was not told why', () => {
    const waits = follow()
    waits.look(0, [])
    waits.look(60, [pod('a', 10, { endedAt: 13 }), pod('b', 20, { endedAt: 20 })])
    waits.look(120, [pod('a', 10, { endedAt: 13 })])
    expect(waits.told()).toEqual(['10-13 not-told'])
  })

  test('work that is held back again waits again, from then on', () => {
    const waits = follow()
    waits.look(0, [])
    waits.look(60, [pod('workload/a', 50, { cause: 'quota' })])
    waits.look(120, [pod('workload/a', 50, { endedAt: 80 })])
    waits.restart()
    waits.look(180, [pod('workload/a', 50, { endedAt: 170 })])
    waits.look(240, [pod('workload/a', 50, { cause: 'quota' })])
    waits.look(300, [pod('workload/a', 50, { cause: 'quota' })])
    expect(waits.told()).toEqual(['50-80 quota', '240-300 quota'])
  })

  test('seconds that a fast clock counted past the binding are taken back', () => {
    const waits = follow()
    waits.look(0, [])
    waits.look(60, [pod('a', 50, {})])
    waits.look(120, [pod('a', 50, { endedAt: 58 })])
    expect(waits.told()).toEqual(['50-58 capacity'])
  })
})

const CAUSES = ['capacity', 'quota', 'shape', 'fragmentation'] as const
const drawnPods = fc.array(
  fc.record({ createdAt: fc.nat(5000), waited: fc.option(fc.nat(3000), { nil: Infinity }), told: fc.nat(60) }),
  { minLength: 1, maxLength: 8 },
)
const drawnLooks = fc.array(
  fc.record({ after: fc.integer({ min: 1, max: 900 }), restart: fc.boolean(), cause: fc.nat(3) }),
  { minLength: 1, maxLength: 30 },
)

test('causes add up to the whole wait in seconds, through restarts and gaps, over any cut of the range', () => {
  fc.assert(
    fc.property(drawnPods, drawnLooks, fc.nat(9000), (pods, looks, border) => {
      const waits = follow()
      let now = 0
      const seen = new Set<number>()
      for (const { after, restart, cause } of looks) {
        now += after
        if (restart) waits.restart()
        const there = pods.flatMap(({ createdAt, waited, told }, order) => {
          if (createdAt > now) return []
          seen.add(order)
          const endedAt = createdAt + waited <= now ? { endedAt: createdAt + waited } : {}
          return pod(`pod-${order}`, createdAt, {
            ...endedAt,
            toldAt: createdAt + told,
            cause: CAUSES[cause] ?? 'other',
          })
        })
        waits.look(now, there)
      }
      const whole = pods.reduce((sum, { createdAt, waited }, order) => {
        return seen.has(order) ? sum + Math.min(createdAt + waited, now) - createdAt : sum
      }, 0)
      const [start, cut, end] = [at(0), at(border), at(20_000)]
      expect(waits.seconds({ from: start, to: end })).toBe(whole)
      expect(waits.seconds({ from: start, to: cut }) + waits.seconds({ from: cut, to: end })).toBe(whole)
    }),
    { numRuns: 300 },
  )
})

/** A wait of one pod, from one second to another. */
const stretch = (
  waiter: string,
  ...[from, to, more = {}]: readonly [number, number, Partial<WaitStretch>?]
): WaitStretch => ({
  ...asks,
  waiter,
  namespace: 'lab',
  workload: 'lab/Job/train',
  from: at(from),
  to: at(to),
  cause: 'capacity',
  change: undefined,
  over: false,
  ...more,
})
const DAY: Window = { from: at(100), to: at(200) }

describe('what stretches add up to in a window', () => {
  test('is told by workload, cause and change, each pod once, as far as it lies inside', () => {
    const change = { kind: 'cut', sentence: 'Cut a.' }
    const totals = totalsOfWaits(
      [
        stretch('pod-1', 50, 130),
        stretch('pod-1', 150, 160),
        stretch('pod-2', 190, 300, { over: true }),
        stretch('pod-1', 130, 150, { cause: 'quota' }),
        stretch('pod-3', 110, 120, { change }),
        stretch('pod-4', 0, 100),
        stretch('pod-4', 200, 300),
      ],
      DAY,
    )
    expect(
      totals.map(({ cause, change: told, seconds, waiters, lastAt }) => [cause, told, seconds, waiters, lastAt]),
    ).toEqual([
      ['capacity', undefined, 50, 2, at(200)],
      ['quota', undefined, 20, 1, at(150)],
      ['capacity', change, 10, 1, at(120)],
    ])
  })

  test('is all that was waited in it, and nothing else', () => {
    const drawn = fc.array(
      fc.tuple(fc.nat(3), fc.nat(300), fc.nat(100), fc.constantFrom<WaitCause>('capacity', 'quota', 'not-told')),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(drawn, (all) => {
        const stretches = all.map(([pod_, from, length, cause]) =>
          stretch(`pod-${pod_}`, from, from + length, { cause }),
        )
        const inside = stretches.reduce(
          (sum, { from, to }) => sum + Math.max(0, Math.min(to, DAY.to) - Math.max(from, DAY.from)) / 1000,
          0,
        )
        const totals = totalsOfWaits(stretches, DAY)
        expect(totals.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(inside, 9)
        expect(totals.every(({ lastAt, seconds }) => lastAt > DAY.from && lastAt <= DAY.to && seconds > 0)).toBe(true)
      }),
    )
  })
})

test('a cause is known by its own name, and not by one that every object has', () => {
  expect(['quota', 'not-watched', 'constructor', ''].map(isWaitCause)).toEqual([true, true, false, false])
})
