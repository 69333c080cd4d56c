import {
  DEFAULT_POLICY,
  instant,
  NOTHING_MEASURED,
  ratio,
  seconds,
  type ClusterSnapshot,
  type HistoricUsage,
  type HistoryQuery,
  type UsageRow,
} from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import { describe, expect, test } from 'vitest'

import { Settler } from './settle-hours.ts'

const HOUR = Date.UTC(2026, 10, 30, 9)
const minute = (of: number) => instant(HOUR + of * 60_000)
const drawn = draw`
  a  A100-SXM4-80GB  [team/x]
  a  A100-SXM4-80GB  [-]`
const snapshot: ClusterSnapshot = {
  ...drawn,
  nodes: drawn.nodes.map((node) => ({ ...node, createdAt: instant(0) })),
}
const gpus = snapshot.nodes.flatMap((node) => node.gpus)

const seenRow = (gpu: string, at: number, present: number): UsageRow => ({
  ...NOTHING_MEASURED,
  at: instant(at),
  span: '5m',
  node: 'a',
  pool: '',
  gpu,
  partition: gpu,
  profile: '',
  model: 'A100-SXM4-80GB',
  machine: '',
  kind: 'held',
  share: ratio(1),
  namespace: 'team',
  workload: 'team/Pod/x',
  pod: 'team/x',
  workloadClass: 'training',
  present: seconds(present),
  measured: seconds(present),
  idle: seconds(0),
  oversized: seconds(0),
  busy: ratio(0.5),
  busyPeak: ratio(0.5),
  reason: undefined,
})

/** An engine that knows all GPUs all the time, or does not answer. */
function engine() {
  const state = { answers: true, asked: 0, vanished: new Set<string>() }
  return {
    state,
    async *history({ window, span }: HistoryQuery) {
      state.asked += 1
      if (!state.answers) throw new Error('the engine is away')
      const usage: HistoricUsage[] = []
      for (let at: number = window.from; at < window.to; at += 300_000) {
        for (const { id, index } of gpus) {
          if (state.vanished.has(id)) continue
          usage.push({
            ...NOTHING_MEASURED,
            at: instant(at),
            span,
            node: 'a',
            gpu: id,
            index,
            modelName: 'NVIDIA A100-SXM4-80GB',
            instance: undefined,
            namespace: 'team',
            pod: 'x',
            owner: undefined,
            observedSeconds: 300,
            idleSeconds: 0,
            stuckSeconds: 0,
            kernelTime: 0.5,
            busy: ratio(0.4),
          })
        }
      }
      yield { usage, covers: () => true }
    },
  }
}

async function settlerOn(history: ReturnType<typeof engine> | undefined) {
  const store = await openTestStore()
  const failures: string[] = []
  const settler = (on: Pick<typeof store, 'usage' | 'settings'> = store) =>
    new Settler({
      cluster: 'c',
      store: on,
      history,
      policy: () => DEFAULT_POLICY,
      snapshot: () => snapshot,
      onFailure: (error) => failures.push(String(error)),
    })
  /** GPU-seconds of the hour by kind. */
  const hour = async (): Promise<Record<string, number>> => {
    const totals = await store.usage.totals({
      cluster: 'c',
      span: '5m',
      window: { from: minute(0), to: minute(60) },
      by: ['kind'],
    })
    return Object.fromEntries(totals.map(({ key, gpuSeconds }) => [key.kind ?? '', gpuSeconds]))
  }
  const seen = (from: number, to: number, present = 300): Promise<void> =>
    store.usage.write(
      'c',
      gpus.flatMap(({ id }) =>
        Array.from({ length: (to - from) / 5 }, (_, order) => seenRow(id, minute(from + 5 * order), present)),
      ),
    )
  return { store, settler, failures, hour, seen }
}

describe('a clock that jumps', () => {
  test('ahead for ten minutes closes no hour for good: each counts once when it has passed', async () => {
    const { settler, hour, seen } = await settlerOn(undefined)
    const one = settler()
    await one.look(minute(-180), snapshot)
    await one.look(minute(-175), snapshot)
    // Three hours ahead: the hour of this test is told as not observed before it comes, and ten minutes of it as seen.
    await seen(0, 10)
    await one.look(minute(65), snapshot)
    await one.settle(minute(65))
    expect(await hour()).toEqual({ held: 1200, unobserved: 6000 })
    expect(one.problems()).toEqual([])
    // Back again, in another process too.
    const next = settler()
    await next.look(minute(-165), snapshot)
    expect(await next.settle(minute(-165))).toBe(minute(-165))
    expect(await hour()).toEqual({ held: 1200, unobserved: 0 })
    expect(next.problems()).toMatchObject([
      { code: 'clock-went-back', message: expect.stringContaining('went back by 3 h 45 min') },
    ])
    await seen(0, 60)
    await next.look(minute(62), snapshot)
    await next.settle(minute(62))
    expect((await hour()).held).toBe(7200)
    expect((await hour()).unobserved).toBe(0)
    await next.look(minute(70), snapshot)
    await next.settle(minute(70))
    await next.settle(minute(71))
    expect(next.problems()).toEqual([])
  })

  test('a day back while it collects loses nothing of the day that was, and counts none of it twice', async () => {
    const { settler, hour, seen, store } = await settlerOn(undefined)
    const one = settler()
    await one.look(minute(0), snapshot)
    await seen(0, 60)
    await one.look(minute(24 * 60), snapshot)
    await one.settle(minute(24 * 60))
    // For half an hour somebody else holds what was held in that time a day ago.
    const again = gpus.flatMap(({ id }) =>
      [0, 5, 10, 15, 20, 25].map((from) => ({
        ...seenRow(id, minute(from), 300),
        pod: 'team/y',
        workload: 'team/Pod/y',
      })),
    )
    await one.look(minute(0), snapshot)
    await store.usage.write('c', again)
    await one.look(minute(30), snapshot)
    await one.settle(minute(30))
    expect(one.problems()).toMatchObject([{ code: 'clock-went-back' }])
    await one.look(minute(24 * 60 + 60), snapshot)
    await one.settle(minute(24 * 60 + 60))
    await one.settle(minute(24 * 60 + 61))
    await one.settle(minute(24 * 60 + 62))
    expect(await hour()).toEqual({ held: 7200, unobserved: 0 })
    expect(one.problems()).toEqual([])
  })
})

describe('an hour that is over', () => {
  test('is inventory × time: what was missed is read from the metrics engine', async () => {
    const { settler, hour, seen } = await settlerOn(engine())
    const one = settler()
    await one.look(minute(0), snapshot)
    await seen(0, 20)
    await seen(20, 25, 90)
    // Nobody looked for half an hour, as after a kill.
    const next = settler()
    await next.look(minute(55), snapshot)
    await seen(55, 60)
    await next.look(minute(62), snapshot)
    expect(await next.settle(minute(62))).toBe(minute(20))
    expect((await hour()).held).toBeCloseTo(7200, 6)
    expect((await hour()).unobserved ?? 0).toBeCloseTo(0, 6)
    // Until months are looked at for it, by whichever process.
    const third = settler()
    await third.look(minute(63), snapshot)
    expect(third.changedFrom()).toBe(minute(20))
    await third.sealed(third.changedFrom())
    expect(third.changedFrom()).toBeUndefined()
  })

  test('without an engine is known as not observed', async () => {
    const { settler, hour, seen } = await settlerOn(undefined)
    const one = settler()
    await one.look(minute(0), snapshot)
    await seen(0, 30)
    await one.look(minute(62), snapshot)
    expect(await one.settle(minute(62))).toBeUndefined()
    expect(await hour()).toEqual({ held: 3600, unobserved: 3600 })
  })

  test('while the engine is away is not observed, and is filled when it answers', async () => {
    const history = engine()
    const { settler, hour, failures } = await settlerOn(history)
    const one = settler()
    history.state.answers = false
    await one.look(minute(0), snapshot)
    await one.look(minute(62), snapshot)
    expect(await one.settle(minute(62))).toBeUndefined()
    expect(await hour()).toEqual({ unobserved: 7200 })
    expect(failures.length).toBeGreaterThan(0)
    history.state.answers = true
    expect(await one.settle(minute(63))).toBeUndefined()
    // Also by another process.
    const next = settler()
    await next.look(minute(67), snapshot)
    expect(await next.settle(minute(68))).toBe(minute(0))
    expect((await hour()).held).toBeCloseTo(7200, 6)
    expect((await hour()).unobserved).toBeCloseTo(0, 6)
    const { asked } = history.state
    await next.settle(minute(75))
    // One for what came since, none for what is whole.
    expect(history.state.asked - asked).toBeLessThanOrEqual(1)
  })

  test('stays closed after a kill within a turn, and is not asked for again', async () => {
    const history = engine()
    const { store, settler, hour } = await settlerOn(history)
    let writes = 0
    const write: typeof store.usage.write = (...rows) => {
      writes += 1
      return writes === 3 ? Promise.reject(new Error('killed')) : store.usage.write(...rows)
    }
    const one = settler({ ...store, usage: { ...store.usage, write } })
    await one.look(minute(-120), snapshot)
    await one.look(minute(62), snapshot)
    await expect(one.settle(minute(62))).rejects.toThrow('killed')
    const next = settler()
    await next.look(minute(62), snapshot)
    expect(next.settledTo()).toBe(minute(0))
    const { asked } = history.state
    await next.settle(minute(62))
    expect(history.state.asked - asked).toBe(1)
    expect((await hour()).held).toBeCloseTo(7200, 6)
  })

  test('counts once where GPUs have other names after a restart: until then what was written holds', async () => {
    const { store, settler, hour, seen } = await settlerOn(undefined)
    const one = settler()
    await one.look(minute(0), snapshot)
    await seen(0, 10)
    await one.settle(minute(12))
    // What was written since the ledger last said so was seen all the same.
    await seen(10, 30)
    const nameless = snapshot.nodes.map((node) => ({
      ...node,
      gpus: node.gpus.map((gpu) => ({ ...gpu, id: `a#${gpu.index}` })),
    }))
    const next = settler()
    await next.look(minute(40), { nodes: nameless })
    await next.look(minute(62), { nodes: nameless })
    await next.settle(minute(62))
    expect(await hour()).toEqual({ held: 2 * 1800, unobserved: 2 * 1800 })
    await store.close()
  })

  test('of a GPU that the engine no longer reports is not observed, which is said, until it is told of', async () => {
    const history = engine()
    const { settler, hour } = await settlerOn(history)
    const one = settler()
    history.state.vanished.add(gpus[1]?.id ?? '')
    await one.look(minute(0), snapshot)
    await one.look(minute(62), snapshot)
    await one.settle(minute(62))
    expect((await hour()).held).toBeCloseTo(3600, 6)
    expect((await hour()).unobserved).toBeCloseTo(3600, 6)
    expect(one.problems()).toMatchObject([
      { code: 'gpus-not-reported', message: expect.stringContaining('does not report 1 GPU of 1 node (a).') },
    ])
    history.state.vanished.clear()
    await one.look(minute(67), snapshot)
    await one.settle(minute(68))
    expect((await hour()).held).toBeCloseTo(7200, 6)
    expect(one.problems()).toEqual([])
  })

  test('is not touched where all was seen, and no time is judged before it is over', async () => {
    const history = engine()
    const { settler, hour, seen } = await settlerOn(history)
    const one = settler()
    await one.look(minute(0), snapshot)
    await seen(0, 60)
    // Of the last five minutes half is written so far.
    await seen(55, 60, 150)
    await one.look(minute(60), snapshot)
    await one.settle(minute(60))
    expect(await hour()).toEqual({ held: 6900 })
    await seen(55, 60)
    await one.look(minute(62), snapshot)
    await one.settle(minute(62))
    expect(history.state.asked).toBe(0)
    expect(await hour()).toEqual({ held: 7200 })
  })
})
