import { migPartitionId, type Gpu } from '../cluster/node.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { Pod, Workload } from '../cluster/workload.ts'
import { findModel } from '../gpu/catalog.ts'
import { ratio, seconds } from '../units.ts'
import { NOTHING_MEASURED } from './field-values.ts'
import { migShares } from './gpu-shares.ts'
import type { HistoricUsage } from './historic-usage.ts'
import { judgeHistory } from './judge-history.ts'
import { SPAN_SECONDS, type UsageRow } from './usage.ts'
import { workloadOfStem, workloadStem } from './workload-name.ts'

/** What the present knows that the past did not record: pools, owners of pods, which GPUs are shared. */
export type HistoryContext = {
  readonly pools: ReadonlyMap<string, string>
  readonly pods: ReadonlyMap<string, Pod>
  /** By namespace and name. Of several kinds with one name the first by id. */
  readonly workloads: ReadonlyMap<string, Workload>
  /** GPUs that several pods share by time-slicing or MPS. */
  readonly shared: ReadonlySet<string>
  /** What instances take, as a share, that the kubelet counts and no exporter tells; with what is stranded beside them. */
  readonly untold: ReadonlyMap<string, Untold>
  /** `modelName`s that export profiling counters at any time; undefined when nobody looked. */
  readonly profiledModels: ReadonlySet<string> | undefined
}

/** Prepares a snapshot for `enrichHistory`; once for all batches. */
export function historyContext(
  snapshot: ClusterSnapshot | undefined,
  profiledModels?: ReadonlySet<string>,
): HistoryContext {
  const nodes = snapshot?.nodes ?? []
  const workloads = new Map<string, Workload>()
  for (const workload of snapshot?.workloads ?? []) {
    const key = `${workload.namespace}/${workload.name}`
    if (!workloads.has(key)) workloads.set(key, workload)
  }
  return {
    pools: new Map(nodes.map(({ name, pool }) => [name, pool])),
    pods: new Map(snapshot?.pods.map((pod) => [pod.id, pod])),
    workloads,
    shared: new Set(
      nodes.flatMap(({ gpus }) => gpus.flatMap(({ id, partitions: [first] }) => (first?.kind === 'shared' ? id : []))),
    ),
    untold: new Map(nodes.flatMap(({ gpus }) => gpus.flatMap((gpu) => untoldOf(gpu)))),
    profiledModels,
  }
}

type Untold = { readonly share: number; readonly stranded: number }

/** Exporters tell NVML's instance ids, which are numbers. */
const isTold = ({ instance }: { readonly instance: string }): boolean => /^\d+$/u.test(instance)

function untoldOf({ id, model = '', partitions }: Gpu): ReadonlyArray<readonly [string, Untold]> {
  const instances = partitions.flatMap((partition) => (partition.kind === 'mig' ? partition : []))
  if (instances.every(isTold)) return []
  const { instances: shares, stranded } = migShares(model, instances)
  const share = instances.reduce((sum, one, order) => sum + (isTold(one) ? 0 : (shares[order] ?? 0)), 0)
  return [[id, { share, stranded }]]
}

/**
 * Turns what a metrics engine knows of the past into usage rows. For every GPU and bucket the shares × seconds add up to
 * the seconds that the GPU was seen: what no series accounts for becomes free or stranded by the board's geometry. The
 * past has no owners: pods that are gone are named after what their controller called them, and their class is unknown.
 * GPUs that no exporter saw are not in the past at all. Shared GPUs are not either: an exporter names at most one of their
 * pods (dcgm-exporter issues 151, 201, 307), so how much of them was held is unknown, and neither held nor free.
 * Nor is what an instance takes that no exporter tells: it is not free. A batch must hold whole buckets of a GPU.
 */
export function enrichHistory(historic: readonly HistoricUsage[], context: HistoryContext): UsageRow[] {
  const buckets = new Map<string, HistoricUsage[]>()
  for (const usage of historic) {
    if (usage.gpu === '' || !(usage.observedSeconds > 0)) continue
    const key = `${usage.at}\u0000${usage.gpu}`
    const bucket = buckets.get(key)
    if (bucket === undefined) buckets.set(key, [usage])
    else bucket.push(usage)
  }
  return [...buckets.values()]
    .filter((bucket) => !isShared(bucket, context))
    .flatMap((bucket) => rowsOfGpu(bucket, context))
}

/** Instances of a GPU that was cut then are told apart, whatever it is now. */
const isShared = (bucket: readonly HistoricUsage[], { shared }: HistoryContext): boolean =>
  bucket.every(({ gpu, instance }) => instance === undefined && shared.has(gpu))

function rowsOfGpu(bucket: readonly HistoricUsage[], context: HistoryContext): UsageRow[] {
  const past = gpuPast(bucket, context)
  const entries = past.lanes.flatMap((lane) => lane.map((usage) => rowOf(usage, past, context)))
  const covered = entries.reduce((sum, { share, present }) => sum + share * present, 0)
  const scale = covered > past.known ? past.known / covered : 1
  const rows = entries.map((row) => (scale < 1 ? { ...row, share: ratio(row.share * scale) } : row))
  const rest = Math.max(0, past.known - covered - past.untold * past.known)
  const stranded = Math.min(rest, past.stranded * past.known)
  return [...rows, ...remainder('free', rest - stranded, past), ...remainder('stranded', stranded, past)]
}

/** One GPU in one bucket. */
type GpuPast = GpuCut & {
  readonly any: HistoricUsage
  readonly model: string
  readonly pool: string
  /** What cannot be held at the same time: the holders of one instance, or of the whole GPU. */
  readonly lanes: ReadonlyArray<readonly HistoricUsage[]>
  /** Seconds of the bucket that the GPU was seen. */
  readonly known: number
}

type GpuCut = {
  /** Share of each instance, by its id; empty on a GPU that is not in MIG mode. */
  readonly shares: ReadonlyMap<string, number>
  readonly stranded: number
  /** Share that instances take which no series tells of. */
  readonly untold: number
}

function gpuPast(bucket: readonly HistoricUsage[], context: HistoryContext): GpuPast {
  const any = bucket[0]
  if (any === undefined) throw new Error('a bucket of history holds at least one series')
  const model = findModel(any.modelName)?.name ?? any.modelName
  const instances = bucket.filter(({ instance }) => instance !== undefined)
  // Series of instances make those of the whole GPU redundant.
  const counted = instances.length > 0 ? instances : bucket
  const lanes = groupBy(counted, (usage) => usage.instance?.id ?? '')
  const others = bucket.filter((usage) => !counted.includes(usage))
  const span = SPAN_SECONDS[any.span]
  const known = Math.min(span, Math.max(secondsOf(others), ...[...lanes.values()].map(secondsOf)))
  return {
    any,
    model,
    pool: context.pools.get(any.node) ?? '',
    lanes: [...lanes.values()].map((lane) => withinSpan(lane, known)),
    known,
    ...cutOf([...lanes], model, instances.length > 0 ? context.untold.get(any.gpu) : undefined),
  }
}

type Lane = readonly [id: string, usages: readonly HistoricUsage[]]

function cutOf(lanes: readonly Lane[], model: string, untold: Untold | undefined): GpuCut {
  const instances = lanes.flatMap(([id, [first]]) =>
    first?.instance === undefined ? [] : { id, profile: first.instance.profile, placement: undefined },
  )
  const cut = migShares(model, instances)
  return {
    shares: new Map(instances.map(({ id }, order) => [id, cut.instances[order] ?? 0])),
    stranded: instances.length > 0 ? (untold?.stranded ?? cut.stranded) : 0,
    untold: untold?.share ?? 0,
  }
}

/** One entry for each holder, and together no longer than the GPU was seen. */
function withinSpan(lane: readonly HistoricUsage[], known: number): readonly HistoricUsage[] {
  const longest = new Map<string, HistoricUsage>()
  for (const usage of lane) {
    const other = longest.get(podOf(usage))
    if (other === undefined || usage.observedSeconds > other.observedSeconds) longest.set(podOf(usage), usage)
  }
  const entries = [...longest.values()]
  const scale = Math.min(1, known / secondsOf(entries))
  return entries.map((usage) => ({
    ...usage,
    observedSeconds: usage.observedSeconds * scale,
    idleSeconds: usage.idleSeconds * scale,
  }))
}

function rowOf(usage: HistoricUsage, past: GpuPast, context: HistoryContext): UsageRow {
  const { instance } = usage
  const share = instance === undefined ? 1 : (past.shares.get(instance.id) ?? 0)
  const holder = holderOf(usage, context)
  const judged = judgeHistory(usage, { ...past, profiledModels: context.profiledModels })
  return {
    ...placeOf(past),
    ...holder,
    ...judged,
    idle: seconds(holder.kind === 'held' ? Math.min(judged.measured, usage.idleSeconds) : 0),
    partition: instance === undefined ? usage.gpu : migPartitionId(usage.gpu, instance.id),
    profile: instance?.profile ?? '',
    share: ratio(share),
    present: seconds(usage.observedSeconds),
  }
}

type Holding = Pick<UsageRow, 'kind' | 'namespace' | 'workload' | 'pod' | 'workloadClass'>

function holderOf(usage: HistoricUsage, { pods, workloads }: HistoryContext): Holding {
  if (usage.pod === '') return NOBODY
  const id = podOf(usage)
  const stem = workloadStem(usage.pod)
  const known = pods.get(id)?.workload
  const workload = workloads.get(known?.replace(/\/[^/]*\//u, '/') ?? `${usage.namespace}/${stem}`)
  return {
    kind: 'held',
    namespace: usage.namespace,
    workload: known ?? workload?.id ?? workloadOfStem(usage.namespace, stem),
    pod: id,
    workloadClass: workload?.class ?? 'unknown',
  }
}

const NOBODY: Holding = { kind: 'free', namespace: '', workload: '', pod: '', workloadClass: '' }

/** What is left of a GPU's seconds; nothing where less than a millisecond of rounding is left. */
function remainder(kind: 'free' | 'stranded', gpuSeconds: number, past: GpuPast): UsageRow[] {
  if (gpuSeconds < 0.001) return []
  const row = {
    ...placeOf(past),
    ...NOBODY,
    ...NOTHING_MEASURED,
    kind,
    partition: `${past.any.gpu}/${kind === 'free' ? 'uncut' : 'stranded'}`,
    profile: '',
    share: ratio(gpuSeconds / past.known),
    present: seconds(past.known),
    measured: seconds(0),
    idle: seconds(0),
    reason: undefined,
  }
  return [row]
}

const placeOf = ({ any: { at, span, node, gpu }, pool, model }: GpuPast): Place => ({
  at,
  span,
  node,
  pool,
  gpu,
  model,
})
type Place = Pick<UsageRow, 'at' | 'span' | 'node' | 'pool' | 'gpu' | 'model'>

const podOf = ({ namespace, pod }: Pick<HistoricUsage, 'namespace' | 'pod'>): string =>
  pod === '' ? '' : `${namespace}/${pod}`
const secondsOf = (usages: readonly HistoricUsage[]): number =>
  usages.reduce((sum, { observedSeconds }) => sum + observedSeconds, 0)

function groupBy(
  usages: readonly HistoricUsage[],
  keyOf: (usage: HistoricUsage) => string,
): Map<string, HistoricUsage[]> {
  const groups = new Map<string, HistoricUsage[]>()
  for (const usage of usages) groups.set(keyOf(usage), [...(groups.get(keyOf(usage)) ?? []), usage])
  return groups
}
