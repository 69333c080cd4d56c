import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { machineOf } from '../cluster/node-offer.ts'
import { type Instant, ratio, seconds } from '../units.ts'
import { NOTHING_MEASURED } from './field-values.ts'
import type { QualityReason } from './sample.ts'
import { type Span, SPAN_SECONDS, type UsageKind, type UsageRow } from './usage.ts'

/** A GPU of the present, and from when on it was there. */
export type InventoryGpu = Pick<UsageRow, 'node' | 'pool' | 'machine' | 'gpu' | 'model'> & {
  readonly index: number
  readonly from: Instant
  /** Since when its node is not ready; undefined where it is. */
  readonly notReadySince: Instant | undefined
}

/** The GPUs of a snapshot. Each was there since its node was made. */
export const inventoryOf = ({ nodes }: Pick<ClusterSnapshot, 'nodes'>): readonly InventoryGpu[] =>
  nodes.flatMap((node) =>
    node.gpus.map(({ id, index, model = node.model ?? node.product }) => ({
      node: node.name,
      pool: node.pool,
      machine: machineOf(node),
      gpu: id,
      model,
      index,
      from: node.createdAt,
      notReadySince: node.ready ? undefined : (node.notReadySince ?? node.createdAt),
    })),
  )

/** What series tell of one bucket: how long each GPU was seen, by `placeOf`. */
export type Seen = {
  readonly at: Instant
  readonly span: Span
  readonly seconds: ReadonlyMap<string, number>
}

/** By node and index: a GPU that was only counted has no UUID yet. */
export const placeOf = ({ node, index }: { readonly node: string; readonly index: number }): string =>
  `${node}\u0000${index}`

/**
 * Rows for what was there and no series tells of, so that a bucket holds all GPUs for as long as any was seen: while its
 * node was not ready a GPU was broken, else nothing recorded who held it, and it counts as held and unmeasured. A bucket in
 * which nothing at all was seen, as while the metrics engine was away, stays unknown.
 */
export function unrecordedRows(inventory: readonly InventoryGpu[], { at, span, seconds: seen }: Seen): UsageRow[] {
  const observed = Math.max(0, ...seen.values())
  const end = at + SPAN_SECONDS[span] * 1000
  return inventory.flatMap((gpu) => {
    const there = Math.min(observed, Math.max(0, end - gpu.from) / 1000)
    const missing = there - (seen.get(placeOf(gpu)) ?? 0)
    if (missing < 1e-6) return []
    const broken = Math.min(missing, Math.max(0, end - Math.max(at, gpu.notReadySince ?? end)) / 1000)
    return [
      ...(broken > 0 ? [rowOf(gpu, { at, span }, { kind: 'down', present: broken })] : []),
      ...(missing - broken > 1e-6
        ? [rowOf(gpu, { at, span }, { kind: 'held', present: missing - broken, reason: 'not-recorded' })]
        : []),
    ]
  })
}

type Part = { readonly kind: UsageKind; readonly present: number; readonly reason?: QualityReason }

const rowOf = (
  { node, pool, machine, gpu, model }: InventoryGpu,
  bucket: Pick<UsageRow, 'at' | 'span'>,
  { kind, present, reason }: Part,
): UsageRow => ({
  ...bucket,
  ...unmeasured(kind, reason),
  node,
  pool,
  machine,
  gpu,
  model,
  partition: `${gpu}/${kind === 'down' ? 'down' : 'unrecorded'}`,
  share: ratio(1),
  present: seconds(present),
})

/** A part of a GPU of which only is known that it was there. */
export const unmeasured = (kind: UsageKind, reason: QualityReason | undefined) => ({
  ...NOTHING_MEASURED,
  kind,
  profile: '',
  namespace: '',
  workload: '',
  pod: '',
  workloadClass: kind === 'held' ? 'unknown' : '',
  measured: seconds(0),
  idle: seconds(0),
  oversized: seconds(0),
  reason,
})

/** The buckets of a batch with how long each GPU was seen in them. */
export function seenIn(
  usages: Iterable<{ readonly at: Instant; readonly span: Span; readonly place: string; readonly known: number }>,
): readonly Seen[] {
  const buckets = new Map<number, { at: Instant; span: Span; seconds: Map<string, number> }>()
  for (const { at, span, place, known } of usages) {
    const bucket = buckets.get(at) ?? { at, span, seconds: new Map() }
    buckets.set(at, bucket)
    bucket.seconds.set(place, Math.max(known, bucket.seconds.get(place) ?? 0))
  }
  return [...buckets.values()]
}
