import * as fc from 'fast-check'
import { DEFAULT_ALERT_RULES } from './alert/alert-rule.ts'
import type { AlertEvidence, BudgetReading } from './alert/observation.ts'
import { partsOfSnapshot } from './analyze/gpu-parts.ts'
import { DEFAULT_POLICY } from './analyze/policy.ts'
import type { JudgedSample } from './analyze/sample.ts'
import { markOversized, type SizesInForce } from './analyze/size-in-force.ts'
import { totalsOf } from './analyze/usage-sum.ts'
import type { UsageRow } from './analyze/usage.ts'
import { draw, DRAWN_AT } from './cluster/draw.fixture.ts'
import { faultOf } from './cluster/gpu-fault.ts'
import type { ClusterSnapshot } from './cluster/inventory.ts'
import type { Workload, WorkloadClass } from './cluster/workload.ts'
import { ANALYSIS_GROUPS, analyzeCluster } from './cost/analyze-cluster.ts'
import type { ClusterAnalysis } from './cost/cluster-analysis.ts'
import { asking, type Doing, owned, pastOf, PRICES, waitingFor } from './plan/recommend/drawn-past.fixture.ts'
import type { RecommendSources } from './plan/recommend/recommend-context.ts'
import { type Advice, recommend } from './plan/recommend/recommend.ts'
import { HOUR_MS, instant, mib, ratio, usd } from './units.ts'

/** A fleet that was watched for up to a week, with holes in what was seen, and all that Septet says of it. */
export type WatchedFleet = {
  readonly snapshot: ClusterSnapshot
  readonly rows: readonly UsageRow[]
  readonly sources: RecommendSources
  readonly advice: Advice
  readonly week: ClusterAnalysis
  readonly evidence: AlertEvidence
}

type Next = (below: number) => number

/** Each number below `most` is as likely; the stream comes from the test's seed. */
export const watchedFleets: fc.Arbitrary<WatchedFleet> = fc.infiniteStream(fc.nat(1_000_000)).map((stream) => {
  const next: Next = (below) => Number(stream.next().value) % below
  const snapshot = fleetOf(next)
  return watched(snapshot, rowsFor(snapshot, next), next)
})

const pick = <Item>(items: readonly [Item, ...Item[]], next: Next): Item => items[next(items.length)] ?? items[0]
const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

const WHOLE = ['[lab/@]', '[lab/@]', '[-]'] as const
const BOARDS = {
  'A100-SXM4-40GB': [
    ...WHOLE,
    'MIG [3g.20gb lab/@] [3g.20gb -]',
    'MIG [2g.10gb lab/@] [2g.10gb -] [3g.20gb lab/@]',
    'MIG',
  ],
  'A100-SXM4-80GB': [...WHOLE, 'MIG [4g.40gb lab/@] [3g.40gb lab/@]', 'MIG [1g.10gb lab/@] [1g.10gb -]'],
  'H100-80GB-HBM3': WHOLE,
  T4: WHOLE,
} as const
const MODELS = ['A100-SXM4-40GB', 'A100-SXM4-80GB', 'A100-SXM4-80GB', 'H100-80GB-HBM3', 'T4'] as const

/** Who holds GPUs, how many of their pods there are, and what they wait for. */
function fleetOf(next: Next): ClusterSnapshot {
  let pods = 0
  const lines = times(2 + next(4), (at) => {
    const model = pick(MODELS, next)
    const words = `${next(3) === 0 ? 'zone=b ' : ''}${next(12) === 0 ? 'down ' : ''}`
    const name = `node-${at}${next(3) === 0 ? '@spot' : ''}`
    const isWide = next(4) === 0
    const gpu = (): string =>
      isWide && pods > 0
        ? '[lab/wide-@]'.replace('@', String(at))
        : pick(BOARDS[model], next).replaceAll('@', () => `pod-${(pods += 1)}`)
    return times(1 + next(3), () => `${name}  ${model}  ${words}${gpu()}`)
  }).flat()
  const waiting = times(next(4), (at) => {
    const what = pick(['gpu', 'gpu', '3g.20gb', '2g.10gb', '1g.10gb', '7g.80gb'], next)
    return `?  lab/wait-${at}  ${what}${next(4) === 0 ? ' ×2' : ''}${next(3) > 0 ? ' zone=b' : ''}`
  })
  const drawn = asking(draw`${[...lines, ...waiting].join('\n')}`)
  return withFaults(begun(waitingFor(withOwners(drawn, next), 1 + next(30))), next)
}

const KINDS = ['Deployment', 'Deployment', 'StatefulSet', 'Notebook', 'Job', 'Pod'] as const
const CLASSES: readonly [WorkloadClass, ...WorkloadClass[]] = ['inference', 'training', 'notebook', 'unknown']

/** Neighbors among the pods belong together, up to three of them; those that hold several devices as well. */
function withOwners(snapshot: ClusterSnapshot, next: Next): ClusterSnapshot {
  const groups = [snapshot.pods.filter(({ node }) => node !== undefined), snapshot.pods.filter(({ node }) => !node)]
  return groups.reduce((cluster, all, side) => {
    let [left, owner, made] = [all.map(({ id }) => id), 0, cluster]
    while (left.length > 0) {
      const kind = pick(KINDS, next)
      const own = left.slice(0, kind === 'Pod' ? 1 : 1 + next(3))
      left = left.slice(own.length)
      const name = kind === 'Pod' ? (own[0] ?? '').replace('lab/', '') : `work-${side}-${(owner += 1)}`
      made = owned(made, own, { kind, name, class: pick(CLASSES, next) })
    }
    return made
  }, snapshot)
}

/** What runs has run for longer than anybody watched; what waits began when its pods did. */
function begun(snapshot: ClusterSnapshot): ClusterSnapshot {
  const at = new Map(snapshot.pods.map(({ workload, createdAt }) => [workload, createdAt]))
  const long = instant(DRAWN_AT - 1000 * HOUR_MS)
  return {
    ...snapshot,
    pods: snapshot.pods.map((pod) => (pod.node === undefined ? pod : { ...pod, createdAt: long, startedAt: long })),
    workloads: snapshot.workloads
      .map(summed)
      .map((each) =>
        each.status === 'running'
          ? { ...each, createdAt: long, startedAt: long }
          : { ...each, createdAt: at.get(each.id) ?? long },
      ),
    allocations: snapshot.allocations.map((each) => ({ ...each, since: long })),
  }
}

/** What its pods ask for is told by resource. */
function summed(workload: Workload): Workload {
  const byResource = Map.groupBy(workload.requests, ({ resource }) => resource)
  const requests = [...byResource].map(([resource, own]) => ({
    resource,
    count: own.reduce((sum, { count }) => sum + count, 0),
  }))
  return { ...workload, requests }
}

/** Now and then a GPU reported an XID that says that it cannot be relied on. */
const withFaults = (snapshot: ClusterSnapshot, next: Next): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => ({
    ...node,
    gpus: node.gpus.map((gpu) => (next(15) === 0 ? { ...gpu, fault: faultOf(79, gpu.id, node.name) } : gpu)),
  })),
})

const DOES: readonly [Doing | undefined, ...(Doing | undefined)[]] = [
  {},
  {},
  {},
  {},
  { busy: 0.02, busyPeak: 0.3 },
  { busy: 0.2, busyPeak: 0.4, memory: 3000 },
  { busy: 0.1, busyPeak: 0.9 },
  { busy: 0.9, memory: 20_000 },
  { measured: 0, reason: 'no-telemetry' },
  { measured: 0.6, reason: 'stale-target' },
  { present: 0.5 },
  undefined,
]

/** What of each of so many hours, the newest first, by stretches that mostly are long. */
function stretches<Value>(hours: number, next: Next, value: () => Value): readonly Value[] {
  const drawn: Value[] = []
  while (drawn.length < hours) {
    const [each, length] = [value(), 1 + next(pick([6, 40, 160], next))]
    for (let hour = 0; hour < length; hour += 1) drawn.push(each)
  }
  return drawn
}

/** Hours of a week at most; in some Septet did not run, of some a node sent nothing, and pods were started again. */
function rowsFor(snapshot: ClusterSnapshot, next: Next): readonly UsageRow[] {
  const hours = pick([168, 168, 100, 30, 5], next)
  const off = stretches(hours, next, () => next(6) === 0)
  const nodes = new Map(snapshot.nodes.map(({ name }) => [name, stretches(hours, next, () => next(10) === 0)]))
  const isHarsh = next(3) === 0
  const mostly: Doing = pick([{}, { busy: 0.1, busyPeak: 0.2, memory: 3000 }], next)
  const pods = new Map(
    snapshot.pods.map(({ id }) => {
      const doing = stretches(hours, next, () => (isHarsh || next(3) === 0 ? pick(DOES, next) : mostly))
      return [id, { doing, restarted: next(3) === 0 ? next(hours) : hours }]
    }),
  )
  return partsOfSnapshot(snapshot).flatMap((part) => {
    const pod = pods.get(part.pod)
    const doing = (ago: number): Doing | undefined => {
      if (off[ago - 1] === true && ago > 1) return undefined
      const does = pod === undefined ? { measured: 0 } : pod.doing[ago - 1]
      const isSilent = nodes.get(part.node)?.[ago - 1] === true
      return isSilent && does !== undefined ? { ...does, measured: 0, reason: 'no-telemetry' } : does
    }
    return pastOf(part, { hours, doing }).map((row) =>
      pod !== undefined && DRAWN_AT - row.at > pod.restarted * HOUR_MS ? { ...row, pod: `${row.pod}-before` } : row,
    )
  })
}

const inForce = ({ workload, model, size }: Advice['sizes'][number]): SizesInForce['sizes'] =>
  size.kind === 'oversized' ? [{ workload, model, profile: size.profile, share: size.share }] : []

function watched(snapshot: ClusterSnapshot, rows: readonly UsageRow[], next: Next): WatchedFleet {
  const prices = PRICES.filter(() => next(6) > 0)
  const threshold = ratio(pick([0.05, 0.05, 0.025], next))
  const policy = { ...DEFAULT_POLICY, idle: { ...DEFAULT_POLICY.idle, threshold } }
  const samples = samplesOf(snapshot, rows, next)
  const analysisOf = (hours: number, sizes: Advice['sizes'] = []): ClusterAnalysis => {
    const from = instant(DRAWN_AT - hours * HOUR_MS)
    // What was judged is in force for all of it, as where a week is read for the first time.
    const own = markOversized(
      rows.filter(({ at }) => at >= from),
      [{ from, sizes: sizes.flatMap(inForce) }],
    )
    const totals = {
      parts: totalsOf(own, ANALYSIS_GROUPS.parts),
      trend: totalsOf(own, ANALYSIS_GROUPS.trend),
      trendSpan: '1h' as const,
    }
    return analyzeCluster({ snapshot, totals, prices, policy, samples, sizes, window: { from, to: DRAWN_AT } })
  }
  const before = analysisOf(168)
  const plans = { maxDisplaced: 40, protectedNamespaces: [] }
  const sources = {
    snapshot,
    rows,
    prices,
    analysis: before,
    window: before.window,
    policy: { analysis: policy, plans },
  }
  const advice = recommend(sources)
  const [day, week] = [analysisOf(24, advice.sizes), analysisOf(168, advice.sizes)]
  const newest = rows.filter(({ at, kind }) => at === DRAWN_AT - HOUR_MS && kind === 'held')
  const evidence: AlertEvidence = {
    cluster: 'c',
    clusterName: 'Production',
    now: DRAWN_AT,
    connected: next(8) > 0,
    asOf: next(8) > 0 ? DRAWN_AT : instant(DRAWN_AT - 20 * 60_000),
    picture: snapshot,
    samples: new Map(samples.map((sample) => [sample.gpu, sample])),
    targets: [
      {
        target: 'http://a:9400',
        kind: pick(['up', 'down', 'stale'], next),
        detail: '',
        node: undefined,
        lastSeen: undefined,
      },
    ],
    problems: [],
    idle: new Set(newest.filter(({ idle }) => idle > 0).map(({ partition }) => partition)),
    day,
    week,
    budgets: times(next(3), (at) => budgetOf(`b-${at}`, next)),
    tenants: [],
    rules: {
      ...DEFAULT_ALERT_RULES,
      'spend-change': { ...DEFAULT_ALERT_RULES['spend-change'], threshold: pick([5, 50], next) },
      'idle-held': { ...DEFAULT_ALERT_RULES['idle-held'], threshold: pick([2, 8, 48], next) },
    },
  }
  return Object.assign({ snapshot, rows, sources, advice, week, evidence }, { [fc.toStringMethod]: () => 'a fleet' })
}

const budgetOf = (id: string, next: Next): BudgetReading => ({
  id,
  name: 'GPUs in March',
  spent: next(5) === 0 ? undefined : usd(next(12_000) / 10),
  limit: usd(1000),
  thresholds: [],
  namespace: undefined,
  tenant: undefined,
})

/** The newest reading: of what was measured in the last hour, and its exporter tells an XID. */
function samplesOf(snapshot: ClusterSnapshot, rows: readonly UsageRow[], next: Next): readonly JudgedSample[] {
  const measured = Map.groupBy(
    rows.filter((row) => row.at === DRAWN_AT - HOUR_MS && (row.kind !== 'held' || row.measured > 0)),
    ({ gpu }) => gpu,
  )
  return snapshot.nodes.flatMap(({ name, gpus }) =>
    gpus.flatMap((gpu): JudgedSample[] => {
      const own = measured.get(gpu.id)
      if (own === undefined) return []
      const xid = pick([undefined, 0, 13, 79], next)
      return [
        {
          at: DRAWN_AT,
          node: name,
          gpu: gpu.id,
          index: gpu.index,
          model: gpu.model ?? '',
          busy: ratio(Math.max(...own.map(({ busy = 0 }) => busy))),
          memoryUsed: mib(1000),
          quality: { kind: 'measured' },
          ...(xid === undefined ? {} : { xid }),
        },
      ]
    }),
  )
}
