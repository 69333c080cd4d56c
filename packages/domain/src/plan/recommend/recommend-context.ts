import { partsOfSnapshot, type GpuPart } from '../../analyze/gpu-parts.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { Pod, Workload, WorkloadId } from '../../cluster/workload.ts'
import { pricesOf, type Price } from '../../cost/price-book.ts'
import type { ClusterAnalysis } from '../../cost/cluster-analysis.ts'
import type { PriceBook } from '../../cost/price.ts'
import { compareText, type Window } from '../../units.ts'
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
  readonly analysis: Pick<ClusterAnalysis, 'cost'>
  /** What the fleet's past taught about later peaks; learned anew from `rows`, which takes seconds, where it is left out. */
  readonly overrun?: OverrunModel
}

/** The sources with indexes that every rule looks into. */
export type RecommendContext = RecommendSources & {
  readonly parts: readonly GpuPart[]
  /** What each running workload holds now. */
  readonly held: ReadonlyMap<WorkloadId, readonly GpuPart[]>
  readonly rowsOf: ReadonlyMap<WorkloadId, readonly UsageRow[]>
  readonly nodes: ReadonlyMap<string, GpuNode>
  readonly podsOf: ReadonlyMap<WorkloadId, readonly Pod[]>
  readonly podsOn: ReadonlyMap<string, readonly Pod[]>
  readonly workloads: ReadonlyMap<WorkloadId, Workload>
  readonly priceOf: (gpu: { readonly pool: string; readonly model: string }) => Price
}

export function recommendContext(sources: RecommendSources): RecommendContext {
  const { snapshot, rows, prices } = sources
  const parts = partsOfSnapshot(snapshot)
  const running = snapshot.pods.filter(({ phase }) => phase === 'Running' || phase === 'Pending')
  return {
    ...sources,
    parts,
    held: grouped(parts, ({ kind, workload }) => (kind === 'held' ? workload : undefined)),
    rowsOf: grouped(rows, ({ kind, workload }) => (kind === 'held' ? workload : undefined)),
    nodes: new Map(snapshot.nodes.map((node) => [node.name, node])),
    podsOf: grouped(running, ({ workload }) => workload),
    podsOn: grouped(running, ({ node }) => node),
    workloads: new Map(snapshot.workloads.map((workload) => [workload.id, workload])),
    priceOf: pricesOf(prices, snapshot.cluster),
  }
}

/** Workloads whose past is worth reading: those that run, the largest holders first, at most so many. */
export function workloadsToStudy(snapshot: ClusterSnapshot, most = MOST_STUDIED): readonly WorkloadId[] {
  const shares = new Map<WorkloadId, number>()
  for (const { kind, workload, share } of partsOfSnapshot(snapshot)) {
    if (kind === 'held') shares.set(workload, (shares.get(workload) ?? 0) + share)
  }
  return [...shares]
    .toSorted(([a, share], [b, other]) => other - share || compareText(a, b))
    .slice(0, most)
    .map(([workload]) => workload)
}

/** A week of hours of so many workloads is some ten thousand rows, read in well under a second. */
const MOST_STUDIED = 300

function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
