import {
  DEFAULT_POLICY,
  HOUR_MS,
  instant,
  mib,
  NOTHING_MEASURED,
  partsOfSnapshot,
  ratio,
  seconds,
  theLast,
  type ClusterSnapshot,
  type UsageRow,
} from '@septet/domain'
import { draw, DRAWN_AT, withRequests } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { analyzeRange } from '../../pipeline/analyze.ts'
import { Recommender } from '../../pipeline/recommend.ts'
import { detailOf } from '../../pipeline/workload-detail.ts'
import { DEFAULT_POLICIES } from '../../policies.ts'
import { segmentsOf } from '../../usage/segments.ts'
import { factsOf } from '../answering/facts.fixture.ts'
import { liveWorkload } from './workload-detail.ts'
import { liveWorkloads } from './workloads.ts'

const POLICY = { analysis: DEFAULT_POLICY, plans: DEFAULT_POLICIES.plans }
const NOW = instant(DRAWN_AT)

const DRAWN = withRequests(draw`
  node-a  H100-80GB-HBM3  [lab/w0]
  node-b  H100-80GB-HBM3  [lab/w1]
  node-c  H100-80GB-HBM3  [lab/w2]
  node-d  H100-80GB-HBM3  [3g.40gb lab/w3] [2g.20gb lab/w4] [2g.20gb -]
  node-e  A100-SXM4-80GB  [lab/w5]
  node-f  A100-SXM4-80GB  [lab/w6]
  node-g  A100-SXM4-80GB  [4g.40gb lab/w7] [1g.10gb -] [1g.10gb -] [1g.10gb -]
  node-h  H100-80GB-HBM3  [1g.10gb -] [1g.10gb -] [2g.20gb -] [3g.40gb -]
  node-i  A100-SXM4-80GB  [-]
  node-j  L40S            [lab/w8]`)

/** As they are, kept by controllers. */
const owned = (id: string): string => id.replace('/Pod/', '/Deployment/')
const CLUSTER: ClusterSnapshot = {
  ...DRAWN,
  pods: DRAWN.pods.map((pod) => ({ ...pod, workload: owned(pod.workload) })),
  allocations: DRAWN.allocations.map((each) => ({ ...each, workload: owned(each.workload) })),
  workloads: DRAWN.workloads.map((each) => ({ ...each, id: owned(each.id), kind: 'Deployment' })),
}
const HELD = partsOfSnapshot(CLUSTER).filter(({ kind }) => kind === 'held')

type Doing = { readonly hours: number; readonly busy: number; readonly burst: number; readonly memory: number }

/** How long each was there, how busy in most and in some of its hours, and how much memory it took. */
const DOING: fc.Arbitrary<Doing> = fc.record({
  hours: fc.integer({ min: 15, max: 150 }),
  busy: fc.double({ min: 0.03, max: 0.3, noNaN: true }),
  burst: fc.double({ min: 0, max: 0.1, noNaN: true }),
  memory: fc.integer({ min: 500, max: 30_000 }),
})

const rowsOf = (part: (typeof HELD)[number], { hours, busy, burst, memory }: Doing): readonly UsageRow[] => {
  const { key: _key, series: _series, ...facts } = part
  const hour = seconds(3600)
  return Array.from({ length: hours }, (_, index) => {
    const used = ratio(Math.min(1, busy + (index % 9 === 0 ? burst : 0) + 0.004 * (index % 3)))
    return {
      ...facts,
      ...NOTHING_MEASURED,
      at: instant(NOW - (hours - index) * HOUR_MS),
      span: '1h',
      present: hour,
      measured: hour,
      idle: seconds(used <= 0.05 ? 3600 : 0),
      oversized: seconds(0),
      busy: used,
      busyPeak: used,
      memoryPeak: mib(memory + 20 * (index % 5)),
      reason: undefined,
    }
  })
}

/** What the screens and the recommendations say of the same workloads, twice: as first seen, and a look later. */
async function said(does: readonly Doing[], id: string) {
  const store = await openTestStore()
  const snapshot = { ...CLUSTER, cluster: id, takenAt: NOW }
  const record = { id, name: id, kind: 'cluster', createdAt: instant(0) } as const
  await store.usage.write(
    id,
    HELD.flatMap((part, index) => rowsOf(part, does[index] ?? DEFAULT_DOING)),
  )
  const recommender = new Recommender(store)
  const range = theLast('7d')
  const stored = { '5m': undefined, '1h': await store.usage.coverage(id, '1h'), '1d': undefined }
  const asked = { range, now: NOW, store, snapshot, samples: [], rolledUpTo: NOW, stored, policy: DEFAULT_POLICY }
  const facts = { ...factsOf(snapshot, [], record) }
  for (let look = 0; look < 2; look += 1) {
    const found = await analyzeRange(asked)
    if (found === undefined) throw new Error('nothing was analyzed')
    const segments = segmentsOf(found.analysis.window, '1h', NOW)
    await recommender.make({ record, snapshot, analysis: found.analysis, segments, policy: POLICY })
    const reader = { objectsOf: () => undefined }
    facts.workload = (workload) =>
      detailOf(workload, { snapshot, reader, store, segments, overrun: recommender.overrun(), policy: POLICY })
    facts.analysis = () => analyzeRange(asked)
  }
  const list = await liveWorkloads(
    facts,
    { cluster: id, range, limit: 100, offset: 0, status: 'all', idle: 'false', sort: 'hours', order: 'down' },
    [],
  )
  const needs = { rules: [], store, recommendations: store.recommendations, limited: false }
  const made = (await store.recommendations.current(id))?.recommendations ?? []
  return Promise.all(
    list.workloads.map(async ({ id: workload, rightSize }) => {
      const { size, sizeUnknown } = await liveWorkload(facts, { cluster: id, id: workload, range }, needs)
      const advised = made.find(({ kind, object }) => kind === 'right-size' && object === `workload/${workload}`)
      const to = advised?.plan.steps.flatMap(({ action }) => (action.kind === 'resize' ? action.to : []))[0]
      return {
        workload,
        listed: rightSize,
        studied: size,
        advised: to?.resource.replace('nvidia.com/mig-', ''),
        sizeUnknown,
      }
    }),
  )
}

const DEFAULT_DOING = { hours: 100, busy: 0.1, burst: 0, memory: 3000 }

const APART = 'L40S does not support MIG. Sharing its GPU: no other pod holds a GPU of its node.'

test('a workload has one size, or one reason for none: in the list, on its own page and in its recommendation', async () => {
  let [smaller, advised, runs] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(DOING, { minLength: HELD.length, maxLength: HELD.length }), async (does) => {
      for (const each of await said(does, `one-size-${(runs += 1)}`)) {
        expect(each.listed.profile).toBe(each.studied?.proposed?.profile ?? null)
        expect(each.listed.because).toBe(each.studied?.verdict === 'unknown' ? each.studied.because : null)
        expect(each.advised ?? each.listed.profile).toBe(each.listed.profile)
        expect(each.sizeUnknown).toBe(each.workload.endsWith('/w8') ? APART : null)
        smaller += Number(each.listed.profile !== null)
        advised += Number(each.advised !== undefined)
      }
    }),
    { numRuns: 4 },
  )
  expect(smaller).toBeGreaterThan(5)
  expect(advised).toBeGreaterThan(2)
})
