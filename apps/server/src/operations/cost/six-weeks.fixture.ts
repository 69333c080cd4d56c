import { readManifest } from '@septet/connectors'
import {
  DEFAULT_POLICY,
  HOUR_MS,
  instant,
  type ClusterSnapshot,
  mib,
  NOTHING_MEASURED,
  type PriceEntry,
  ratio,
  rangeText,
  seconds,
  shippedPrices,
  type Span,
  SPAN_SECONDS,
  type UsageKind,
  type UsageRow,
  usdPerGpuHour,
  watts,
} from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { openTestStore, type TestStore } from '@septet/storage/testing'
import * as fc from 'fast-check'

import type { ClusterFacts, RangeAnalysis } from '../../facts.ts'
import { analyze } from '../../pipeline/analyze.ts'
import { MonthTotals } from '../../pipeline/month-totals.ts'
import { storedSpans } from '../../usage/range-plan.ts'
import type { AccessService } from '../access/access-service.ts'
import type { AlertService } from '../alerts/alert-service.ts'
import { factsOf } from '../answering/facts.fixture.ts'
import type { Answers } from '../answering/answering.ts'
import { makeAnswers } from '../answers.ts'
import type { ClusterService } from '../clusters/cluster-service.ts'
import type { Installation } from '../settings/settings-answers.ts'

/** A Wednesday afternoon; the clocks of Berlin and Los Angeles went back in the six weeks before. */
export const NOW = instant(Date.UTC(2026, 10, 18, 14, 37, 30))
const FIRST = Date.UTC(2026, 9, 3, 5)
const TODAY = Date.UTC(2026, 10, 18)

/** Prices change within a day, and within an hour of it. */
export const CHANGES = [Date.UTC(2026, 9, 21, 22, 13, 7), Date.UTC(2026, 10, 9, 7, 20)] as const

const SPOT = 'p5.48xlarge|us-east-1|spot'
/** What is seen of a GPU, row by row; each part of it is a line of the ledger. */
const PARTS = [
  { node: 'a', pool: 'train', gpu: 0, model: 'H100-80GB-HBM3', machine: 'p5.48xlarge|us-east-1|on-demand', share: 1 },
  { node: 'a', pool: 'train', gpu: 1, model: 'H100-80GB-HBM3', machine: 'p5.48xlarge|us-east-1|on-demand', share: 1 },
  { node: 'b', pool: 'train', gpu: 0, model: 'H100-80GB-HBM3', machine: SPOT, share: 4 / 7 },
  { node: 'b', pool: 'train', gpu: 0, model: 'H100-80GB-HBM3', machine: SPOT, share: 3 / 7 },
  { node: 'c', pool: 'serve', gpu: 0, model: 'A100-SXM4-80GB', machine: '', share: 1 },
  // Nobody knows what it costs.
  { node: 'd', pool: 'lab', gpu: 0, model: 'Unheard-Of-9', machine: '', share: 1 },
] as const

const HOLDERS = ['lab/Job/chat', 'lab/Job/embed', 'web/Deployment/api', 'edge/Pod/probe'] as const
const KINDS: readonly UsageKind[] = [
  'held',
  'held',
  'held',
  'held',
  'held',
  'free',
  'stranded',
  'down',
  'unrequested',
  'unobserved',
]

const snapshot: ClusterSnapshot = {
  ...draw`
    a@train  H100-80GB-HBM3  [lab/chat]
    a@train  H100-80GB-HBM3  [web/api]
    b@train  H100-80GB-HBM3  [4g.40gb lab/embed] [3g.40gb -]
    c@serve  A100-SXM4-80GB  [edge/probe]
    d@lab    Unheard-Of-9    [-]`,
  takenAt: NOW,
}

type Bucket = { readonly at: number; readonly span: Span }

/** One row of one part in one bucket, by a drawn number. */
function rowOf({ share, gpu, ...part }: (typeof PARTS)[number], { at, span }: Bucket, drawn: number): UsageRow {
  const length = Math.min(SPAN_SECONDS[span], (NOW - at) / 1000)
  const present = length * (drawn % 97 === 0 ? 0.75 : 1)
  const kind = KINDS[drawn % KINDS.length] ?? 'held'
  return {
    ...NOTHING_MEASURED,
    ...part,
    ...NOBODY,
    at: instant(at),
    span,
    gpu: `GPU-${part.node}-${gpu}`,
    partition: `GPU-${part.node}-${gpu}/${share}`,
    profile: '',
    kind,
    share: ratio(share),
    present: seconds(present),
    ...(kind === 'held' && heldBy(HOLDERS[(drawn >> 5) % HOLDERS.length] ?? '', { present, drawn })),
  }
}

const NOBODY = {
  namespace: '',
  workload: '',
  pod: '',
  workloadClass: '',
  measured: seconds(0),
  idle: seconds(0),
  oversized: seconds(0),
  reason: 'no-telemetry',
} as const

function heldBy(workload: string, { present, drawn }: { readonly present: number; readonly drawn: number }) {
  const [namespace = '', , name = ''] = workload.split('/')
  // Never 0: a row that measured nothing has no peak either.
  const measured = present * ((1 + ((drawn >> 3) % 89)) / 89)
  const idle = measured * (((drawn >> 7) % 83) / 82) * 0.6
  return {
    namespace,
    workload,
    pod: `${namespace}/${name}-0`,
    workloadClass: 'training',
    measured: seconds(measured),
    idle: seconds(idle),
    oversized: seconds(drawn % 3 === 0 ? (measured - idle) * 0.37 : 0),
    busy: ratio((drawn % 97) / 96),
    busyPeak: ratio(1),
    memoryUsed: mib(9),
    memoryPeak: mib(9),
    power: watts(99),
    reason: measured < present ? ('no-telemetry' as const) : undefined,
  }
}

/** Six weeks by the hour, and today in five minutes. */
function rowsOf(seed: number): UsageRow[] {
  const hours = Array.from({ length: (TODAY - FIRST) / HOUR_MS }, (_, hour) => ({
    at: FIRST + hour * HOUR_MS,
    span: '1h' as const,
  }))
  const minutes = Array.from({ length: Math.ceil((NOW - TODAY) / 300_000) }, (_, order) => ({
    at: TODAY + order * 300_000,
    span: '5m' as const,
  }))
  const buckets = [...hours, ...minutes]
  const count = buckets.length * PARTS.length
  const numbers = fc.array(fc.nat(0xff_ff_ff), { minLength: count, maxLength: count, size: 'max' })
  const [drawn = []] = fc.sample(numbers, { seed, numRuns: 1 })
  return buckets.flatMap((bucket, order) =>
    PARTS.map((part, index) => rowOf(part, bucket, drawn[order * PARTS.length + index] ?? 0)),
  )
}

const price = (id: string, changes: Partial<PriceEntry>): PriceEntry => ({
  id,
  cluster: undefined,
  pool: undefined,
  model: undefined,
  price: usdPerGpuHour(1),
  source: 'set by an operator',
  asOf: instant(FIRST),
  origin: 'operator',
  ...changes,
})
const PRICES = [
  price('h100', { model: 'H100-80GB-HBM3', price: usdPerGpuHour(3.313) }),
  price('spot', { instanceType: 'p5.48xlarge', capacity: 'spot', price: usdPerGpuHour(1.271) }),
  price('spot-later', {
    instanceType: 'p5.48xlarge',
    capacity: 'spot',
    price: usdPerGpuHour(2.949),
    effectiveFrom: instant(CHANGES[1]),
  }),
  price('serve', { pool: 'serve', price: usdPerGpuHour(1.107) }),
  price('serve-later', { pool: 'serve', price: usdPerGpuHour(0.853), effectiveFrom: instant(CHANGES[0]) }),
]

export type Septet = { readonly answers: Answers; readonly store: TestStore; readonly facts: ClusterFacts }

/** A Septet that has watched a cluster for six weeks, whose answers are made of what it stored. */
export async function openSixWeeks(seed: number): Promise<Septet> {
  const store = await openTestStore()
  for (const entry of PRICES) await store.prices.put(entry)
  await store.settings.put('tenants', {
    tenants: [
      { name: 'Labs', namespaces: ['lab'], labels: {} },
      { name: 'Web', namespaces: ['web'], labels: {} },
    ],
  })
  const rows = rowsOf(seed)
  for (let from = 0; from < rows.length; from += 2000) await store.usage.write('drawn', rows.slice(from, from + 2000))
  await store.usage.rollUp('drawn', NOW)
  const facts = await factsFrom(store)
  const answers = makeAnswers({
    readManifest,
    facts: { clusters: () => [facts] },
    store,
    now: () => NOW,
    record: async () => undefined,
    service: {} as AccessService,
    clusters: {} as ClusterService,
    installation: {} as Installation,
    alerts: {} as AlertService,
  })
  return { answers, store, facts }
}

async function factsFrom(store: TestStore): Promise<ClusterFacts> {
  const stored = await storedSpans(store.usage, 'drawn')
  const months = await readMonths(store)
  const request = async (range: Parameters<ClusterFacts['analysis']>[0]) => ({
    range,
    now: NOW,
    store,
    snapshot,
    samples: [],
    rolledUpTo: NOW,
    stored,
    policy: DEFAULT_POLICY,
    months,
  })
  const known = new Map<string, Promise<RangeAnalysis | undefined>>()
  const analysis: ClusterFacts['analysis'] = (range, namespaces) => {
    const key = JSON.stringify([rangeText(range), namespaces])
    const found =
      known.get(key) ??
      analyze({ range, namespaces }, { whole: (same) => analysis(same), request: () => request(range) })
    known.set(key, found)
    return found
  }
  return { ...factsOf(snapshot, []), picture: () => snapshot, asOf: () => NOW, analysis }
}

async function readMonths(store: TestStore): Promise<MonthTotals> {
  const read = Promise.withResolvers<void>()
  const months = new MonthTotals({
    cluster: 'drawn',
    usage: store.usage,
    clock: () => NOW,
    rolledUpTo: async () => NOW,
    onRead: () => read.resolve(),
    onFailure: (error) => read.reject(error),
  })
  months.get([...(await store.prices.list()), ...shippedPrices])
  await read.promise
  return months
}
