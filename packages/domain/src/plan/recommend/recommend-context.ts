import { faultyGpu } from '../../cluster/soundness.ts'
import type { AnalysisPolicy } from '../../analyze/policy.ts'
import { partsOfSnapshot, type GpuPart } from '../../analyze/gpu-parts.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import type { Allocation, ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuId, GpuNode } from '../../cluster/node.ts'
import type { DisruptionBudget } from '../../cluster/scheduling.ts'
import type { Pod, PodId, Workload, WorkloadId } from '../../cluster/workload.ts'
import { pricesOf, type PriceOf, pricingOf } from '../../cost/prices-of.ts'
import type { ClusterAnalysis } from '../../cost/cluster-analysis.ts'
import type { CostGroup } from '../../cost/cost-parts.ts'
import type { PriceBook } from '../../cost/price.ts'
import type { WorkloadUsage } from '../../cost/workload-usage.ts'
import { countedFleet, type CountedFleet } from '../../fleet/counted-fleet.ts'
import { compareText, type Seconds, type Window } from '../../units.ts'
import type { RecommendationKind } from '../words/action-class.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import type { Recommendation } from './recommendation.ts'
import { oneRowEach } from './one-row-each.ts'
import { gpusWantedWhole } from './wanted-whole.ts'
import { learnFleetOverrun } from '../right-size/learn-overrun.ts'
import type { OverrunModel } from '../right-size/overrun-model.ts'

/** What recommendations are made from. */
export type RecommendSources = {
  readonly snapshot: ClusterSnapshot
  /** The time that `rows` speak of. */
  readonly window: Window
  /** Hourly usage rows of that window held by `workloadsToStudy`. */
  readonly rows: readonly UsageRow[]
  readonly prices: PriceBook
  /** Of the same window. */
  readonly analysis: Pick<ClusterAnalysis, 'observedSeconds'> & {
    readonly cost: { readonly byNode: readonly NodeCost[] }
    readonly workloads: readonly IdleUsage[]
  }
  /**
   * What the fleet's past taught about later peaks; learned again from `rows`, which takes seconds, where it is left
   * out.
   */
  readonly overrun?: OverrunModel | undefined
  /** What was recommended last: what still nearly holds stays as it was, so that figures at a limit change nothing. */
  readonly previous?: readonly Recommendation[] | undefined
  /** What counts as idle and as oversized, and what plans must leave alone; the defaults where it is left out. */
  readonly policy?: RecommendPolicy | undefined
}

/** What a node was in the window: GPU-hours, and dollars where it has a price. */
export type NodeCost = Pick<CostGroup, 'key'> & {
  readonly cost: {
    readonly hours: Pick<CostGroup['cost']['hours'], 'capacity' | 'unallocated'>
    readonly money: Pick<NonNullable<CostGroup['cost']['money']>, 'unallocated'> | undefined
  }
}

/** What a workload held and did not use in the window. */
type IdleUsage = Pick<WorkloadUsage, 'id' | 'idleHours' | 'idleCost'>

export type RecommendPolicy = {
  readonly analysis: AnalysisPolicy
  readonly plans: Required<Pick<PlanPolicy, 'maxDisplaced' | 'protectedNamespaces'>>
  /** How long the owner of idle work is warned before it is stopped; at once where it is left out. */
  readonly warning?: Seconds | undefined
}

/** The sources in a fixed order, with indexes that every rule looks into. */
export type RecommendContext = RecommendSources & {
  readonly overrun: OverrunModel
  readonly fleet: CountedFleet
  readonly parts: readonly GpuPart[]
  /** What each running workload holds now. */
  readonly held: ReadonlyMap<WorkloadId, readonly GpuPart[]>
  readonly heldBy: ReadonlyMap<PodId, readonly GpuPart[]>
  readonly rowsOf: ReadonlyMap<WorkloadId, readonly UsageRow[]>
  readonly nodes: ReadonlyMap<string, GpuNode>
  /** What was recommended last, by kind and object. */
  readonly before: (kind: RecommendationKind, object: string) => Recommendation | undefined
  /** GPUs that cannot be relied on, and why: what is measured there, or not, says little about the work. */
  readonly faulty: ReadonlyMap<GpuId, string>
  readonly nodeOfGpu: ReadonlyMap<GpuId, string>
  /** GPUs that are not to be cut, as work that spans GPUs runs or waits there. */
  readonly wantedWhole: ReadonlySet<GpuId>
  /** What the analysis says of each workload's past. */
  readonly usageOf: ReadonlyMap<WorkloadId, IdleUsage>
  /** `node/…`: nodes that other recommendations change, so that nothing else counts on their room. */
  readonly avoid: ReadonlySet<string>
  /** Pods that have not ended. */
  readonly podsOf: ReadonlyMap<WorkloadId, readonly Pod[]>
  readonly podsOn: ReadonlyMap<string, readonly Pod[]>
  readonly workloads: ReadonlyMap<WorkloadId, Workload>
  readonly allocationsBy: ReadonlyMap<PodId, readonly Allocation[]>
  readonly budgetsBy: ReadonlyMap<PodId, readonly DisruptionBudget[]>
  readonly priceOf: PriceOf
  /** Dollars that a GPU-hour costs in the mean of the GPUs that have a price; undefined where none has. */
  readonly meanPrice: number | undefined
}

export function recommendContext(sources: RecommendSources): RecommendContext {
  const { prices, previous = [] } = sources
  const before = new Map(previous.map((each) => [`${each.kind} ${each.object}`, each]))
  const snapshot = inOrder(sources.snapshot)
  const rows = oneRowEach(sources.rows)
  const parts = partsOfSnapshot(snapshot)
  const living = snapshot.pods.filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed')
  const gpus = snapshot.nodes.flatMap((node) => node.gpus)
  const priceOf = pricesOf(prices, pricingOf(snapshot))
  return {
    ...sources,
    snapshot,
    rows,
    fleet: countedFleet(snapshot),
    parts,
    held: Map.groupBy(parts.filter(isHeld), ({ workload }) => workload),
    heldBy: Map.groupBy(parts.filter(isHeld), ({ pod }) => pod),
    rowsOf: Map.groupBy(rows.filter(isHeld), ({ workload }) => workload),
    before: (kind, object) => before.get(`${kind} ${object}`),
    nodes: new Map(snapshot.nodes.map((node) => [node.name, node])),
    faulty: new Map(gpus.flatMap((gpu) => (faultyGpu(gpu) === undefined ? [] : [[gpu.id, faultyGpu(gpu) ?? '']]))),
    avoid: new Set(),
    overrun: sources.overrun ?? learnFleetOverrun(rows),
    wantedWhole: gpusWantedWhole(snapshot),
    usageOf: new Map(sources.analysis.workloads.map((usage) => [usage.id, usage])),
    nodeOfGpu: new Map(gpus.map(({ id, node }) => [id, node])),
    podsOf: Map.groupBy(living, ({ workload }) => workload),
    podsOn: Map.groupBy(living, ({ node = '' }) => node),
    workloads: new Map(snapshot.workloads.map((workload) => [workload.id, workload])),
    allocationsBy: Map.groupBy(snapshot.allocations, ({ pod }) => pod),
    budgetsBy: coveredBy(snapshot.budgets),
    priceOf,
    meanPrice: meanPriceOf(snapshot, priceOf),
  }
}

const isHeld = ({ kind }: Pick<UsageRow, 'kind'>): boolean => kind === 'held'

/** The order in which an API lists its objects means nothing, so no answer may depend on it. */
function inOrder(snapshot: ClusterSnapshot): ClusterSnapshot {
  return {
    ...snapshot,
    nodes: snapshot.nodes
      .map((node) => ({ ...node, gpus: node.gpus.toSorted((a, b) => a.index - b.index || compareText(a.id, b.id)) }))
      .toSorted((a, b) => compareText(a.name, b.name)),
    pods: snapshot.pods.toSorted((a, b) => compareText(a.id, b.id)),
    workloads: snapshot.workloads.toSorted((a, b) => compareText(a.id, b.id)),
    allocations: snapshot.allocations.toSorted(
      (a, b) => compareText(a.partition, b.partition) || compareText(a.pod, b.pod),
    ),
    budgets: snapshot.budgets.toSorted((a, b) => compareText(a.id, b.id)),
    quotas: snapshot.quotas.toSorted((a, b) => compareText(a.id, b.id)),
  }
}

/**
 * Workloads whose past is worth reading: of those that run, half for idling most GPU-hours in the window, the rest for
 * holding most now; at most so many.
 */
export function workloadsToStudy(
  snapshot: ClusterSnapshot,
  usage: readonly Pick<WorkloadUsage, 'id' | 'idleHours'>[] = [],
  most = MOST_STUDIED,
): readonly WorkloadId[] {
  const shares = new Map<WorkloadId, number>()
  for (const { kind, workload, share } of partsOfSnapshot(snapshot)) {
    if (kind === 'held') shares.set(workload, (shares.get(workload) ?? 0) + share)
  }
  const idling = usage
    .filter(({ id, idleHours }) => idleHours > 0 && shares.has(id))
    .toSorted((a, b) => b.idleHours - a.idleHours || compareText(a.id, b.id))
    .slice(0, most / 2)
  const holding = [...shares].toSorted(([a, share], [b, other]) => other - share || compareText(a, b))
  return [...new Set([...idling.map(({ id }) => id), ...holding.map(([id]) => id)])].slice(0, most)
}

/** A week of hours of so many workloads is some ten thousand rows, read in well under a second. */
const MOST_STUDIED = 300

function coveredBy(budgets: readonly DisruptionBudget[]): ReadonlyMap<PodId, readonly DisruptionBudget[]> {
  const covered = new Map<PodId, DisruptionBudget[]>()
  for (const budget of budgets) {
    for (const pod of budget.pods) {
      const known = covered.get(pod)
      if (known === undefined) covered.set(pod, [budget])
      else known.push(budget)
    }
  }
  return covered
}

function meanPriceOf({ nodes }: ClusterSnapshot, priceOf: PriceOf): number | undefined {
  const prices = nodes.flatMap((node) => {
    const price = priceOf({ pool: node.pool, model: node.model ?? node.product, node: node.name })
    return price.kind === 'known' ? node.gpus.map(() => price.price) : []
  })
  return prices.length === 0 ? undefined : prices.reduce((sum, price) => sum + price, 0) / prices.length
}

/** What a limit is multiplied by for what was recommended before: a tenth past the limit it still holds. */
export const slackFor = (
  { before }: Pick<RecommendContext, 'before'>,
  kind: RecommendationKind,
  object: string,
): number => (before(kind, object) === undefined ? 1 : SLACK)

export const SLACK = 0.9
