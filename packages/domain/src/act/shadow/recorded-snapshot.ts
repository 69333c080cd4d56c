import type { JudgedSample } from '../../analyze/sample.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu, GpuNode, Partition } from '../../cluster/node.ts'
import { UNCONSTRAINED, UNKNOWN_ROOM } from '../../cluster/scheduling.ts'
import type { GpuRequest, Pod, Workload, WorkloadClass } from '../../cluster/workload.ts'
import { findModel } from '../../gpu/catalog.ts'
import { inferPlacements } from '../../gpu/infer-placements.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { IDLE_SHARE } from '../../plan/recommend/idle-stretch.ts'
import { compareText, type Instant, instant } from '../../units.ts'
import type { ShadowQuestion } from './shadow.ts'

type Known = Pick<ShadowQuestion, 'cluster' | 'today' | 'labels'>
type Seen = { readonly rows: readonly UsageRow[]; readonly now: Instant; readonly since: Instant }

/**
 * One workload and the GPUs that it holds, as they were recorded in the bucket that ended last. What is not recorded (CPU,
 * tolerations, who must not be disrupted) is as it is today, where the workload is still there.
 */
export function recordedSnapshot(seen: Seen, known: Known): ClusterSnapshot {
  const held = seen.rows.filter(isThere)
  const workload = workloadOf(held, seen, known)
  return {
    cluster: known.cluster,
    takenAt: seen.now,
    serverVersion: '',
    nodes: nodesOf(held, known),
    pods: podsOf(held, seen, known),
    workloads: workload === undefined ? [] : [workload],
    allocations: held.map(({ partition, pod, workload: id }) => ({
      partition,
      pod,
      workload: id,
      since: seen.since,
      evidence: 'telemetry',
    })),
    queues: [],
    budgets: [],
    quotas: [],
    problems: [],
  }
}

/** A pod that was there for less than half of the bucket ended in it, or began and tells too little. */
const isThere = ({ present }: UsageRow, _order: number, all: readonly UsageRow[]): boolean =>
  present * 2 >= Math.max(...all.map((row) => row.present))

/** What telemetry said of those GPUs last: only of what was measured to the end there is a sample. */
export function recordedSamples(rows: readonly UsageRow[], now: Instant): readonly JudgedSample[] {
  return rows.flatMap((row): JudgedSample[] => {
    if (row.busy === undefined || row.measured < IDLE_SHARE * row.present) return []
    const [namespace = '', pod = ''] = row.pod.split('/')
    const sample = {
      at: now,
      node: row.node,
      gpu: row.gpu,
      index: 0,
      model: row.model,
      busy: row.busy,
      holder: { namespace, pod, container: '' },
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
  return [...Map.groupBy(rows, ({ node }) => node)]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([name, own]) => {
      const [first] = own
      const now = today.nodes.find((node) => node.name === name)
      return first === undefined ? [] : { ...plainNode(first, now), gpus: gpusOf(own) }
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

function gpusOf(rows: readonly UsageRow[]): readonly Gpu[] {
  return [...Map.groupBy(rows, ({ gpu }) => gpu)]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([id, own], index) => {
      const [first] = own
      if (first === undefined) return []
      const partitions = partitionsOf(own)
      return {
        id,
        node: first.node,
        index,
        model: findModel(first.model)?.name,
        identified: 'telemetry',
        migEnabled: partitions.some(({ kind }) => kind === 'mig'),
        partitions,
        fault: undefined,
      }
    })
}

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
      const like = today.pods.filter(({ workload }) => workload === first.workload)
      // One of them that must not be disrupted speaks for all.
      const now = like.find(({ scheduling }) => !scheduling.evictable) ?? like[0]
      return {
        id,
        uid: id,
        namespace: first.namespace,
        name: id.slice(first.namespace.length + 1),
        node: first.node,
        phase: 'Running',
        requests: requestsOf(own),
        scheduling: now?.scheduling ?? { ...UNCONSTRAINED, managed: first.workload.split('/')[1] !== 'Pod' },
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
      resource: profile === '' ? 'nvidia.com/gpu' : `nvidia.com/mig-${profile.replace('+me', '.me')}`,
      count: own.length,
    }))
}

function workloadOf(rows: readonly UsageRow[], { since }: Seen, { labels }: Known): Workload | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  const { workload: id, namespace } = first
  const [, kind = '', ...name] = id.split('/')
  const known = labels.get(id)
  return {
    id,
    namespace,
    kind,
    name: name.join('/'),
    class: CLASSES.find((each) => each === first.workloadClass) ?? 'unknown',
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

const CLASSES: readonly WorkloadClass[] = ['training', 'inference', 'analytics', 'notebook', 'unknown']
