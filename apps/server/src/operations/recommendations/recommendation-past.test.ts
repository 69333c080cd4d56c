import { instant, type Recommendation, type TotalsQuery, type UsageTotal } from '@septet/domain'
import { expect, test } from 'vitest'

import type { ClusterFacts } from '../../facts.ts'
import { recommendationPast } from './recommendation-past.ts'

const FROM = Date.UTC(2026, 0, 2)
const window = { from: instant(FROM), to: instant(FROM + 86_400_000) }

const made = (kind: Recommendation['kind'], object: string, figures: Record<string, number> = {}) =>
  ({ kind, object, evidence: { window, figures } }) as unknown as Recommendation

const facts = {
  record: { id: 'lab' },
  picture: () => ({ nodes: [{ name: 'node-a', gpus: [{ id: 'gpu-1' }, { id: 'gpu-2' }] }] }),
  workload: async () => ({ size: 'It holds several devices.' }),
} as unknown as ClusterFacts

/** A store in which everything was held for a quarter of its share, and what it was asked. */
function usage() {
  const asked: TotalsQuery[] = []
  const totals = async (query: TotalsQuery): Promise<UsageTotal[]> => {
    asked.push(query)
    const at = String(FROM)
    const total = { gpuSeconds: 75, measuredGpuSeconds: 75, busyGpuSeconds: 15, seconds: 300, rows: 1 }
    const held = { ...total, key: { at, kind: 'held' } } as unknown as UsageTotal
    const free = { ...total, gpuSeconds: 225, key: { at, kind: 'free' } } as unknown as UsageTotal
    return query.kinds?.includes('free') === true ? [held, free] : [held]
  }
  return { asked, totals }
}

test('idle work is shown with its use and the share up to which it counts as idle', async () => {
  const store = usage()
  const idle = made('reclaim-idle', 'workload/lab/StatefulSet/book', { 'idle is busy at most, %': 5 })
  const past = await recommendationPast(facts, idle, { usage: store, namespaces: undefined })
  expect(past).toMatchObject({ use: { busy: [0.2] }, idleBelow: 0.05, shareHeld: null, size: null })
  expect(store.asked[0]).toMatchObject({ workloads: ['lab/StatefulSet/book'], window })
})

test('a node that would go is shown with how much of it was held', async () => {
  const store = usage()
  const past = await recommendationPast(facts, made('remove-node', 'node/node-a'), {
    usage: store,
    namespaces: undefined,
  })
  expect(past).toMatchObject({ use: null, shareHeld: { at: [FROM / 1000], held: [0.25] } })
  expect(store.asked[0]?.gpus).toEqual(['gpu-1', 'gpu-2'])
})

test('GPUs to be shared are shown with the use that the caller may see', async () => {
  const store = usage()
  const past = await recommendationPast(facts, made('share', 'node/node-a'), { usage: store, namespaces: ['lab'] })
  expect(past?.use?.busy).toEqual([0.2])
  expect(store.asked[0]).toMatchObject({ gpus: ['gpu-1', 'gpu-2'], namespaces: ['lab'] })
})

test.each([
  ['what waits was not measured', made('reschedule', 'workload/lab/Job/a'), undefined],
  ['a new layout is concluded from what is free now', made('repartition', 'node/node-a+node-b'), undefined],
  ['how much others hold is not told to a restricted viewer', made('remove-node', 'node/node-a'), ['lab']],
  ['the node is gone', made('share', 'node/node-z'), undefined],
])('there is none where %s', async (_why, recommendation, namespaces) => {
  const store = usage()
  expect(await recommendationPast(facts, recommendation, { usage: store, namespaces })).toBeNull()
  expect(store.asked).toEqual([])
})
