import { NOTHING_MEASURED } from '../../analyze/field-values.ts'
import { type GpuPart, partsOfSnapshot } from '../../analyze/gpu-parts.ts'
import { SPAN_SECONDS, type Span, type UsageRow } from '../../analyze/usage.ts'
import { DRAWN_AT } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Pod, WorkloadClass } from '../../cluster/workload.ts'
import type { PriceEntry } from '../../cost/price.ts'
import type { ClusterAnalysis } from '../../cost/cluster-analysis.ts'
import type { FleetCost } from '../../cost/fleet-cost.ts'
import { HOUR_MS, instant, mib, ratio, seconds, usdPerGpuHour } from '../../units.ts'
import { withRequests } from '../steps/drawn-wishes.fixture.ts'
import type { RecommendSources } from './recommend-context.ts'

/** What a pod did in one bucket. */
export type Doing = {
  readonly busy?: number
  readonly busyPeak?: number
  readonly memory?: number
  /** Share of the bucket that it was there, and share of that which was measured. */
  readonly present?: number
  readonly measured?: number
  readonly span?: Span
  readonly reason?: UsageRow['reason']
}

type Past = { readonly hours: number; readonly doing: Doing | ((hoursAgo: number) => Doing | undefined) }

/** Rows of what a pod holds now, one a bucket, the newest ending when the snapshot was taken; `from` hours ago until `to`. */
export const past = (snapshot: ClusterSnapshot, pod: string, of: Past): UsageRow[] =>
  partsOfSnapshot(snapshot)
    .filter((part) => part.pod === pod && part.kind === 'held')
    .flatMap((part) => pastOf(part, of))

/** The same of one part of a GPU, held or not. */
export const pastOf = (part: GpuPart, { hours, doing }: Past): UsageRow[] =>
  Array.from({ length: hours }, (_, index) => hours - index).flatMap((ago) => {
    const what = typeof doing === 'function' ? doing(ago) : doing
    return what === undefined ? [] : [rowOf(part, ago, { ...NOTHING, ...what })]
  })

const NOTHING = { busy: 0, memory: 4096, present: 1, measured: 1, span: '1h' } as const

function rowOf(part: GpuPart, ago: number, doing: Doing & Required<Omit<Doing, 'busyPeak' | 'reason'>>): UsageRow {
  const { key: _key, series: _series, ...facts } = part
  const { busy, busyPeak = busy, memory, present, measured, span, reason } = doing
  const there = SPAN_SECONDS[span] * present
  const known = measured > 0
  return {
    ...facts,
    at: instant(DRAWN_AT - ago * HOUR_MS),
    span,
    present: seconds(there),
    measured: seconds(there * measured),
    idle: seconds(busy <= 0.05 && measured >= 0.9 ? there * measured : 0),
    oversized: seconds(0),
    ...NOTHING_MEASURED,
    busy: known ? ratio(busy) : undefined,
    busyPeak: known ? ratio(busyPeak) : undefined,
    memoryUsed: mib(memory),
    memoryPeak: mib(memory),
    reason,
  }
}

type Owner = { readonly kind?: string; readonly class?: WorkloadClass; readonly name?: string }

/** Pods of a drawn cluster under one controller. */
export function owned(
  snapshot: ClusterSnapshot,
  pods: readonly string[],
  { kind = 'Deployment', class: workloadClass = 'unknown', name = 'chat' }: Owner = {},
): ClusterSnapshot {
  const own = new Set(pods)
  const members = snapshot.pods.filter(({ id }) => own.has(id))
  const first = snapshot.workloads.find((workload) => workload.pods.some((id) => own.has(id)))
  if (first === undefined) throw new Error('no such pod is drawn')
  const id = `${first.namespace}/${kind}/${name}`
  const requests = members.flatMap((pod) => pod.requests)
  const workload = { ...first, id, kind, name, class: workloadClass, pods: [...pods], requests }
  return {
    ...snapshot,
    pods: snapshot.pods.map((pod) => (own.has(pod.id) ? { ...pod, workload: id } : pod)),
    allocations: snapshot.allocations.map((each) => (own.has(each.pod) ? { ...each, workload: id } : each)),
    workloads: [...snapshot.workloads.filter((each) => !each.pods.some((pod) => own.has(pod))), workload],
  }
}

/** The same cluster with other facts about its pods. */
export const withPods = (snapshot: ClusterSnapshot, change: (pod: Pod) => Partial<Pod>): ClusterSnapshot => ({
  ...snapshot,
  pods: snapshot.pods.map((pod) => ({ ...pod, ...change(pod) })),
})

/** Waiting since so many hours. */
export const waitingFor = (snapshot: ClusterSnapshot, hours: number): ClusterSnapshot =>
  withPods(snapshot, ({ node }) => (node === undefined ? { createdAt: instant(DRAWN_AT - hours * HOUR_MS) } : {}))

/** Pods ask for what they hold. */
export const asking = withRequests

export const PRICES: readonly PriceEntry[] = [
  entry('A100-SXM4-40GB', 2),
  entry('A100-SXM4-80GB', 2.5),
  entry('H100-80GB-HBM3', 4),
  entry('T4', 0.5),
]

function entry(model: string, price: number): PriceEntry {
  return {
    id: model,
    cluster: undefined,
    pool: undefined,
    model,
    price: usdPerGpuHour(price),
    source: `list of ${model}`,
    asOf: DRAWN_AT,
    origin: 'shipped',
  }
}

export type DrawnPast = {
  readonly rows?: readonly UsageRow[]
  readonly hours?: number
  /** Share of each node that nobody held over the window. */
  readonly unallocated?: Readonly<Record<string, number>>
  readonly prices?: readonly PriceEntry[]
}

/** Sources of recommendations from a drawn cluster with a past of a week, unless it is shorter. */
export function sourcesOf(
  snapshot: ClusterSnapshot,
  { rows = [], hours = 168, unallocated = {}, prices = PRICES }: DrawnPast = {},
): RecommendSources {
  const byNode = Object.entries(unallocated).map(([key, share]) => {
    const node = snapshot.nodes.find(({ name }) => name === key)
    const capacity = hours * (node?.gpus.length ?? 0)
    const price = prices.find(({ model }) => model === node?.model)?.price
    const money = price === undefined ? undefined : { unallocated: share * capacity * price }
    return { key, cost: { hours: { capacity, unallocated: share * capacity }, money } }
  })
  const workloads = snapshot.workloads.map(({ id }) => idled(id, rows, prices))
  return {
    snapshot,
    window: { from: instant(DRAWN_AT - 168 * HOUR_MS), to: DRAWN_AT },
    rows,
    prices,
    // The rules look into nothing else of it.
    analysis: {
      cost: { byNode } as unknown as FleetCost,
      workloads: workloads as unknown as ClusterAnalysis['workloads'],
      observedSeconds: seconds(168 * 3600),
    },
  }
}

const hours = (row: UsageRow): number => (row.share * row.idle) / 3600

/** What an analysis says of a workload's idle time. */
function idled(id: string, rows: readonly UsageRow[], prices: readonly PriceEntry[]) {
  const own = rows.filter(({ workload }) => workload === id)
  const priceOf = (row: UsageRow): number => prices.find(({ model }) => model === row.model)?.price ?? 0
  const cost = own.reduce((sum, row) => sum + hours(row) * priceOf(row), 0)
  return {
    id,
    idleHours: own.reduce((sum, row) => sum + hours(row), 0),
    idleCost: own.some((row) => priceOf(row) > 0) ? cost : undefined,
  }
}
