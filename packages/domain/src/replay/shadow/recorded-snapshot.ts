import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import type { JudgedSample } from '../../analyze/sample.ts'
import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu, GpuNode, Partition } from '../../cluster/node.ts'
import { type PodScheduling, UNCONSTRAINED, UNKNOWN_ROOM } from '../../cluster/scheduling.ts'
import type { GpuRequest, Pod, Workload, WorkloadClass, WorkloadId } from '../../cluster/workload.ts'
import { offering } from '../../fleet/gpu-state.ts'
import { findModel } from '../../gpu/catalog.ts'
import { resourceOfProfile } from '../../gpu/profile-name.ts'
import { onceFor } from '../../once-for.ts'
import { inferPlacements } from '../../gpu/infer-placements.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { oneRowEach } from '../../plan/recommend/one-row-each.ts'
import { inOrder, isMeasured } from '../../plan/recommend/recorded-work.ts'
import { compareText, type Instant, instant } from '../../units.ts'
import type { ShadowQuestion } from './shadow.ts'

type Known = Pick<ShadowQuestion, 'cluster' | 'today' | 'labels'>
type Seen = { readonly rows: readonly UsageRow[]; readonly now: Instant; readonly since: Instant }

/**
 * The GPUs of some rows of the bucket that ended last, what was free of them and who held the rest. What is not recorded
 * (CPU, tolerations, who must not be disrupted) is as it is today, where the workload is still there.
 */
export function recordedSnapshot(seen: Seen, known: Known): ClusterSnapshot {
  const rows = there(seen.rows)
  const held = rows.filter(({ kind }) => kind === 'held')
  return {
    cluster: known.cluster,
    takenAt: seen.now,
    serverVersion: '',
    nodes: nodesOf(rows, known),
    pods: podsOf(held, seen, known),
    workloads: workloadsOf(held, seen, known),
    allocations: held.map(({ partition, pod, workload: id }) => ({
      partition,
      pod,
      workload: id,
      since: seen.since,
      evidence: 'label',
    })),
    queues: [],
    budgets: [],
    quotas: [],
    problems: [],
  }
}

/** What was there for less than half of the bucket ended in it, or began and tells too little. */
export function there(rows: readonly UsageRow[]): readonly UsageRow[] {
  const longest = rows.reduce((most, { present }) => Math.max(most, present), 0)
  return rows.filter(({ present }) => present * 2 >= longest)
}

/** What telemetry said of those GPUs last: only of what was measured to the end there is a sample. */
export function recordedSamples(rows: readonly UsageRow[], now: Instant): readonly JudgedSample[] {
  return rows.flatMap((row): JudgedSample[] => {
    if (row.busy === undefined || !isMeasured(row)) return []
    const [namespace = '', pod = ''] = row.pod.split('/')
    const sample = {
      at: now,
      node: row.node,
      gpu: row.gpu,
      index: 0,
      model: row.model,
      busy: row.busy,
      ...(pod === '' ? {} : { holder: { namespace, pod, container: '' } }),
      quality: { kind: 'measured' },
    } as const
    const instance = instanceOf(row)
    if (instance !== undefined) return [{ ...sample, instance: { id: instance, profile: row.profile } }]
    return isReplica(row) ? [sample, { ...sample, vgpu: replicaOf(row) }] : [sample]
  })
}

const instanceOf = ({ partition, gpu }: UsageRow): string | undefined =>
  partition.startsWith(`${gpu}/gi-`) ? partition.slice(gpu.length + '/gi-'.length) : undefined
const isReplica = ({ partition, gpu }: UsageRow): boolean => partition.startsWith(`${gpu}/replica-`)
const replicaOf = ({ partition, gpu }: UsageRow): string => partition.slice(gpu.length + '/replica-'.length)

function nodesOf(rows: readonly UsageRow[], { today }: Known): readonly GpuNode[] {
  const { nodes } = indexOf(today)
  return [...Map.groupBy(rows, ({ node }) => node)]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([name, own]) => {
      const [first] = own
      const now = nodes.get(name)
      return first === undefined ? [] : offering({ ...plainNode(first, now), gpus: recordedGpus(own) })
    })
}

/** A node without GPUs, with what its machine is known to be. */
export const plainNode = (
  { node, pool, model }: Pick<UsageRow, 'node' | 'pool' | 'model'>,
  now: Pick<GpuNode, 'room'> | undefined,
): GpuNode => ({
  name: node,
  pool,
  ready: true,
  schedulable: true,
  createdAt: instant(0),
  model: findModel(model)?.name,
  product: model,
  mig: { strategy: 'mixed', config: undefined, state: undefined },
  sharing: { kind: 'none' },
  allocatable: {},
  room: now?.room ?? UNKNOWN_ROOM,
  gpus: [],
  problems: [],
})

function recordedGpus(rows: readonly UsageRow[]): readonly Gpu[] {
  return [...Map.groupBy(rows, ({ gpu }) => gpu)]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([id, own], index) => {
      const [first] = own
      if (first === undefined) return []
      const isDown = own.some(({ kind }) => kind === 'down')
      const partitions = partitionsOf(own.filter(({ partition }) => !isSpace(partition)))
      return {
        id,
        node: first.node,
        index,
        model: findModel(first.model)?.name,
        identified: 'telemetry',
        migEnabled: partitions.some(({ kind }) => kind === 'mig') || own.some(({ partition }) => isUncut(partition)),
        partitions,
        fault: isDown
          ? { code: 'gpu-fault', message: `GPU ${id} could not be used then.`, object: `gpu/${id}` }
          : undefined,
      }
    })
}

const isUncut = (partition: string): boolean => partition.endsWith('/uncut') || partition.endsWith('/stranded')
/** Space that is not a partition. */
const isSpace = (partition: string): boolean => isUncut(partition) || partition.endsWith('/down')

type Index = {
  readonly nodes: ReadonlyMap<string, GpuNode>
  readonly like: ReadonlyMap<WorkloadId, Pod>
}

/** Nodes of today, and of each workload a pod that speaks for all: one that must not be disrupted, where there is one. */
const indexOf = onceFor((today: Known['today']): Index => {
  const like = new Map<WorkloadId, Pod>()
  for (const pod of today.pods) {
    const one = like.get(pod.workload)
    if (one === undefined || (one.scheduling.evictable && !pod.scheduling.evictable)) like.set(pod.workload, pod)
  }
  return { nodes: new Map(today.nodes.map((node) => [node.name, node])), like }
})

/** What a workload's pods ask for beside GPUs, as it is known today. */
const schedulingOf = (workload: WorkloadId, today: Known['today']): PodScheduling =>
  indexOf(today).like.get(workload)?.scheduling ?? { ...UNCONSTRAINED, managed: workload.split('/')[1] !== 'Pod' }

/** Partitions of one GPU; where MIG devices lie on it is not recorded, so they lie where they can. */
function partitionsOf(rows: readonly UsageRow[]): readonly Partition[] {
  const each = [...new Map(rows.map((row) => [row.partition, row])).values()].toSorted((a, b) =>
    compareText(a.partition, b.partition),
  )
  const board = boardFor(each[0]?.model ?? '')
  const layout =
    board &&
    inferPlacements(
      board,
      each.map(({ profile }) => profile).filter((profile) => profile !== ''),
    )
  let order = 0
  return each.map((row): Partition => {
    const { partition: id, gpu, profile, share } = row
    const instance = instanceOf(row)
    if (instance !== undefined) {
      const placement = layout?.[order]?.placement
      order += 1
      const placementSource = placement === undefined ? 'unknown' : 'inferred'
      return { kind: 'mig', id, gpu, profile, instance, placement, placementSource }
    }
    if (!isReplica(row)) return { kind: 'whole', id, gpu }
    return { kind: 'shared', id, gpu, replica: Number(replicaOf(row)), replicas: Math.round(1 / share) }
  })
}

function podsOf(rows: readonly UsageRow[], { since }: Seen, { today }: Known): readonly Pod[] {
  return [...Map.groupBy(rows, ({ pod }) => pod)]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([id, own]) => {
      const [first] = own
      if (first === undefined) return []
      return {
        id,
        uid: id,
        namespace: first.namespace,
        name: id.slice(first.namespace.length + 1),
        node: first.node,
        phase: 'Running',
        requests: requestsOf(own),
        scheduling: schedulingOf(first.workload, today),
        workload: first.workload,
        createdAt: since,
        startedAt: since,
        waiting: undefined,
      } as const
    })
}

/** What it held is what it asked for. */
function requestsOf(rows: readonly UsageRow[]): readonly GpuRequest[] {
  const byProfile = Map.groupBy(rows, ({ profile }) => profile)
  return [...byProfile]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([profile, own]) => ({
      resource: profile === '' ? WHOLE_GPU_RESOURCE : resourceOfProfile(profile),
      count: own.length,
    }))
}

const workloadsOf = (held: readonly UsageRow[], seen: Seen, known: Known): readonly Workload[] =>
  [...Map.groupBy(held, ({ workload }) => workload).values()].flatMap((own) => workloadOf(own, seen, known))

function workloadOf(rows: readonly UsageRow[], { since }: Seen, { labels }: Known): Workload | [] {
  const [first] = rows
  if (first === undefined) return []
  const { workload: id, namespace } = first
  const [, kind = '', ...name] = id.split('/')
  const known = labels.get(id)
  return {
    id,
    namespace,
    kind,
    name: name.join('/'),
    class: recordedClass(rows),
    queue: undefined,
    status: 'running',
    requests: requestsOf(rows),
    pods: [...new Set(rows.map(({ pod }) => pod))],
    createdAt: since,
    startedAt: since,
    waiting: undefined,
    ...(known === undefined ? {} : { labels: known }),
  }
}

/** As it was recorded of some rows of one workload. */
export const recordedClass = ([row]: readonly UsageRow[]): WorkloadClass =>
  CLASSES.find((each) => each === row?.workloadClass) ?? 'unknown'
const CLASSES: readonly WorkloadClass[] = ['training', 'inference', 'analytics', 'notebook']

/** All rows of some GPUs by the moment at which their bucket ended; the same in whatever order they come. */
export class RecordedCluster {
  readonly #byEnd: ReadonlyMap<number, readonly UsageRow[]>

  constructor(rows: readonly UsageRow[]) {
    this.#byEnd = new Map([...Map.groupBy(rows, endOf)].map(([end, own]) => [end, oneRowEach(inOrder(own))]))
  }

  /** What was recorded of the bucket that ended at this moment; empty: nothing. */
  endingAt = (now: Instant): readonly UsageRow[] => this.#byEnd.get(now) ?? []
}

const endOf = ({ at, span }: UsageRow): number => at + SPAN_SECONDS[span] * 1000
