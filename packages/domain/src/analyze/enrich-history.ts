import { hostName, knownSince, nodeOfDevice, type KnownNodes } from '../cluster/node-of-device.ts'
import { machineOf } from '../cluster/node-offer.ts'
import { migPartitionId, type Gpu } from '../cluster/node.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { Pod, Workload, WorkloadId } from '../cluster/workload.ts'
import { findModel, isBeforeVolta } from '../gpu/catalog.ts'
import { compareText, ratio, seconds } from '../units.ts'
import { migShares } from './gpu-shares.ts'
import type { HistoricUsage, HistoryBatch } from './historic-usage.ts'
import { inventoryOf, placeOf, seenIn, unmeasured, unrecordedRows, type InventoryGpu } from './past-inventory.ts'
import type { QualityReason } from './sample.ts'
import { SPAN_SECONDS, type UsageRow } from './usage.ts'
import { clampRatio } from './figure.ts'
import { measurements, type Measurements } from './field-values.ts'

/** What the present knows that the past did not record: pools, machines, owners of pods, which GPUs are shared. */
export type HistoryContext = {
  readonly places: ReadonlyMap<string, Pick<UsageRow, 'pool' | 'machine'>>
  readonly pods: ReadonlyMap<string, Pod>
  /** By namespace. */
  readonly workloads: ReadonlyMap<string, readonly Workload[]>
  readonly workloadsById: ReadonlyMap<string, Workload>
  /** GPUs that several pods share by time-slicing or MPS. */
  readonly shared: ReadonlySet<string>
  /** What instances take, as a share, that the kubelet counts and no exporter tells; with what is stranded beside them. */
  readonly untold: ReadonlyMap<string, Untold>
  /** `modelName`s that export profiling counters at any time; undefined when nobody looked. */
  readonly profiledModels: ReadonlySet<string> | undefined
  readonly known: KnownNodes
  /** GPUs of the present, for what the past recorded nothing of. */
  readonly inventory: readonly InventoryGpu[]
}

/** Prepares a snapshot for `enrichHistory`; once for all batches. */
export function historyContext(
  snapshot: ClusterSnapshot | undefined,
  profiledModels?: ReadonlySet<string>,
): HistoryContext {
  const nodes = snapshot?.nodes ?? []
  const workloads = snapshot?.workloads ?? []
  return {
    places: new Map(nodes.map((node) => [node.name, { pool: node.pool, machine: machineOf(node) }])),
    pods: new Map(snapshot?.pods.map((pod) => [pod.id, pod])),
    workloads: Map.groupBy(workloads, ({ namespace }) => namespace),
    workloadsById: new Map(workloads.map((workload) => [workload.id, workload])),
    shared: new Set(
      nodes.flatMap(({ gpus }) => gpus.flatMap(({ id, partitions: [first] }) => (first?.kind === 'shared' ? id : []))),
    ),
    untold: new Map(nodes.flatMap(({ gpus }) => gpus.flatMap((gpu) => untoldOf(gpu)))),
    profiledModels,
    known: knownSince(nodes),
    inventory: inventoryOf({ nodes }),
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
 * the seconds that any GPU was seen in it: what no series accounts for on a board becomes free or stranded by its geometry.
 * What is known to have been there and nothing more is held by nobody known, unmeasured, with the reason: GPUs that no
 * exporter saw, shared ones, of whose pods an exporter names at most one (dcgm-exporter issues 151, 201, 307), and what an
 * instance takes that no exporter tells.
 */
export function enrichHistory({ usage: historic, covers }: HistoryBatch, context: HistoryContext): UsageRow[] {
  const observed = historic
    .filter(({ gpu, observedSeconds }) => gpu !== '' && observedSeconds > 0)
    .map((usage) => ({ ...usage, node: nodeOfDevice(usage, context.known) ?? hostName(usage) }))
  const buckets = Map.groupBy(observed, ({ at, gpu }) => `${at}\u0000${gpu}`)
  const pasts = Array.from(buckets.values(), (bucket) => gpuPast(bucket, context))
  const seen = seenIn(pasts.map(({ any, known }) => ({ at: any.at, span: any.span, place: placeOf(any), known })))
  const inventory = context.inventory.filter(({ index }) => covers(index))
  return [
    ...pasts.flatMap((past) => (past.isShared ? sharedRow(past) : rowsOfGpu(past, context))),
    ...seen.flatMap((bucket) => unrecordedRows(inventory, bucket)),
  ]
}

/** One row for a GPU of whose holders at most one is told. */
const sharedRow = (past: GpuPast): UsageRow[] => untoldRow(past, { share: 1, reason: 'not-attributable' })

function untoldRow(past: GpuPast, { share, reason }: { share: number; reason: QualityReason }): UsageRow[] {
  if (share * past.known < 0.001) return []
  const partition = `${past.any.gpu}/unrecorded`
  const part = { ...placedAt(past), ...unmeasured('held', reason), partition }
  return [{ ...part, share: ratio(share), present: seconds(past.known) }]
}

/** Instances of a GPU that was cut then are told apart, whatever it is now. */
const isShared = (bucket: readonly HistoricUsage[], { shared }: HistoryContext): boolean =>
  bucket.every(({ gpu, instance }) => instance === undefined && shared.has(gpu))

function rowsOfGpu(past: GpuPast, context: HistoryContext): UsageRow[] {
  const entries = past.lanes.flatMap((lane) => lane.map((usage) => rowOf(usage, past, context)))
  const covered = entries.reduce((sum, { share, present }) => sum + share * present, 0)
  const scale = covered > past.known ? past.known / covered : 1
  const rows = entries.map((row) => (scale < 1 ? { ...row, share: ratio(row.share * scale) } : row))
  const untold = Math.min(Math.max(0, past.known - covered), past.untold * past.known)
  const rest = Math.max(0, past.known - covered - untold)
  const stranded = Math.min(rest, past.stranded * past.known)
  return [
    ...rows,
    ...untoldRow(past, { share: untold / past.known, reason: 'missing-instance' }),
    ...remainder('free', rest - stranded, past),
    ...remainder('stranded', stranded, past),
  ]
}

/** One GPU in one bucket. */
type GpuPast = GpuCut & {
  /** Several pods have it by time-slicing or MPS. */
  readonly isShared: boolean
  readonly any: HistoricUsage
  readonly model: string
  readonly place: Pick<UsageRow, 'pool' | 'machine'>
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
    isShared: isShared(bucket, context),
    model,
    place: context.places.get(any.node) ?? { pool: '', machine: '' },
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
    stuckSeconds: usage.stuckSeconds * scale,
  }))
}

function rowOf(usage: HistoricUsage, past: GpuPast, context: HistoryContext): UsageRow {
  const { instance } = usage
  const share = instance === undefined ? 1 : (past.shares.get(instance.id) ?? 0)
  const holder = holderOf(usage, context)
  const judged = judgeHistory(usage, { ...past, profiledModels: context.profiledModels })
  return {
    ...placedAt(past),
    ...holder,
    ...judged,
    idle: seconds(holder.kind === 'held' ? Math.min(judged.measured, usage.idleSeconds) : 0),
    oversized: seconds(0),
    partition: instance === undefined ? usage.gpu : migPartitionId(usage.gpu, instance.id),
    profile: instance?.profile ?? '',
    share: ratio(share),
    present: seconds(usage.observedSeconds),
  }
}

type Holding = Pick<UsageRow, 'kind' | 'namespace' | 'workload' | 'pod' | 'workloadClass'>

function holderOf(usage: HistoricUsage, context: HistoryContext): Holding {
  if (usage.pod === '') return NOBODY
  const { namespace } = usage
  const workload = ownerOf(usage, context)
  const workloadClass = context.workloadsById.get(workload)?.class ?? usage.owner?.class ?? 'unknown'
  return { kind: 'held', namespace, workload, pod: podOf(usage), workloadClass }
}

/**
 * Who owned a pod of the past: as the API still tells, as was recorded then, else the living workload that calls its pods
 * so, the longest name first, else the pod by its own name.
 */
function ownerOf(usage: HistoricUsage, { pods, workloads }: HistoryContext): WorkloadId {
  const { namespace, pod, owner } = usage
  const known = pods.get(podOf(usage))?.workload
  if (known !== undefined) return known
  if (owner !== undefined) return `${namespace}/${owner.kind}/${owner.name}`
  const able = workloads.get(namespace)?.filter((workload) => mayOwn(workload, pod)) ?? []
  const longest = able.toSorted((a, b) => b.name.length - a.name.length || compareText(a.id, b.id))[0]
  return longest?.id ?? workloadOfStem(namespace, workloadStem(pod))
}

const NOBODY: Holding = { kind: 'free', namespace: '', workload: '', pod: '', workloadClass: '' }

/** What is left of a GPU's seconds; nothing where less than a millisecond of rounding is left. */
function remainder(kind: 'free' | 'stranded', gpuSeconds: number, past: GpuPast): UsageRow[] {
  if (gpuSeconds < 0.001) return []
  const row = {
    ...placedAt(past),
    ...unmeasured(kind, undefined),
    partition: `${past.any.gpu}/${kind === 'free' ? 'uncut' : 'stranded'}`,
    share: ratio(gpuSeconds / past.known),
    present: seconds(past.known),
  }
  return [row]
}

const placedAt = ({ any: { at, span, node, gpu }, place, model }: GpuPast): Place => ({
  at,
  span,
  node,
  ...place,
  gpu,
  model,
})
type Place = Pick<UsageRow, 'at' | 'span' | 'node' | 'pool' | 'machine' | 'gpu' | 'model'>

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

/** Letters that Kubernetes draws from: no vowels and no look-alikes. */
const DRAWN = '[bcdfghjklmnpqrstvwxz2456789]'
/** What controllers append to their own name: a hash and five letters, an index, a time, by kind. */
const APPENDED: Readonly<Record<string, RegExp>> = {
  Deployment: new RegExp(`^-${DRAWN}{1,10}-${DRAWN}{5}$`, 'u'),
  ReplicaSet: new RegExp(`^-${DRAWN}{5}$`, 'u'),
  DaemonSet: new RegExp(`^-${DRAWN}{5}$`, 'u'),
  StatefulSet: /^-\d+$/u,
  Job: new RegExp(`^(-\\d+)?-${DRAWN}{5}$`, 'u'),
  CronJob: new RegExp(`^-\\d+(-\\d+)?-${DRAWN}{5}$`, 'u'),
}

/** Whether a controller of that kind and name calls its pods so. */
const mayOwn = ({ kind, name }: Pick<Workload, 'kind' | 'name'>, pod: string): boolean =>
  pod.startsWith(name) && APPENDED[kind]?.test(pod.slice(name.length)) === true

/**
 * The workload that the name of a pod points to, where nothing recorded its owner: what is left without the letters that
 * were drawn. Digits may be a part of the name that its owner was given, so they stay.
 */
export const workloadStem = (pod: string): string =>
  pod.replace(new RegExp(`-${DRAWN}{5}$`, 'u'), '').replace(new RegExp(`-(?=\\d*[a-z])${DRAWN}{8,10}$`, 'u'), '')

/** The id that such a workload gets: as if a bare pod of that name owned itself. */
const workloadOfStem = (namespace: string, stem: string): WorkloadId => `${namespace}/Pod/${stem}`

/** What decides whether a series of the past can be believed. */
type HistoryJudgement = {
  /** Catalog name, or as exported. */
  readonly model: string
  /** `modelName`s that export profiling counters at any time; undefined when nobody looked. */
  readonly profiledModels: ReadonlySet<string> | undefined
}

type Judged = Measurements & Pick<UsageRow, 'measured' | 'reason'>

/** The measurements of a series of the past: those that can be trusted, and why the others are not there. */
function judgeHistory(usage: HistoricUsage, judgement: HistoryJudgement): Judged {
  const { busy, stuck = 0, reason } = busyOf(usage, judgement)
  const isMeasured = busy !== undefined
  const believed = { engine: isMeasured, device: true, board: usage.instance === undefined }
  return {
    measured: seconds(isMeasured ? usage.observedSeconds - stuck : 0),
    reason: usage.pod === '' ? undefined : reason,
    ...measurements(({ name, of, unit }) => {
      const told = name === 'busy' ? busy : name === 'busyPeak' ? (usage.busyPeak ?? busy) : usage[name]
      const value = believed[of] ? told : undefined
      return unit === 'ratio' && value !== undefined ? clampRatio(value) : value
    }),
  }
}

/** `stuck`: for how many seconds it told nothing. */
type Busy = { readonly busy: number | undefined; readonly stuck?: number; readonly reason: QualityReason | undefined }

/** The mean over the time in which the counter was not stuck: while it was, it told 0. */
function busyOf(usage: HistoricUsage, judgement: HistoryJudgement): Busy {
  const { busy, observedSeconds, stuckSeconds: stuck } = usage
  if (busy === undefined) return withoutProfiling(usage, judgement)
  if (stuck === 0) return { busy, reason: undefined }
  const told = observedSeconds - stuck
  if (told < 1) return missing('stuck-at-zero')
  return { busy: (busy * observedSeconds) / told, stuck, reason: 'stuck-at-zero' }
}

/** Where a model has no profiling counters GPU_UTIL is all there is; under MIG it means nothing. */
function withoutProfiling(usage: HistoricUsage, { model, profiledModels }: HistoryJudgement): Busy {
  const { kernelTime, instance, modelName } = usage
  const entry = findModel(model)
  const hasNone = profiledModels?.has(modelName) === false || (entry !== undefined && isBeforeVolta(entry))
  if (instance !== undefined || kernelTime === undefined || !hasNone) return missing('not-exported')
  return { busy: kernelTime, reason: undefined }
}

const missing = (reason: QualityReason): Busy => ({ busy: undefined, reason })
