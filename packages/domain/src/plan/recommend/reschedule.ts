import type { GpuNode } from '../../cluster/node.ts'
import type { GpuRequest, Pod, Workload } from '../../cluster/workload.ts'
import { compareText, ratio } from '../../units.ts'
import { nodeRefusal } from '../place/place-index-filter.ts'
import { freePartitions, hostRoom, soleRequest, takesHost, type FreePartition } from './free-room.ts'
import type { Proposal } from './proposal.ts'
import type { RecommendContext } from './recommend-context.ts'

/**
 * Waiting workloads that a node selector or affinity keeps from equal room elsewhere: send them where they can start. What
 * a taint keeps away is not proposed, as somebody reserved those nodes.
 */
export function reschedule(context: RecommendContext): readonly Proposal[] {
  const free = freePartitions(context)
  return context.snapshot.workloads
    .filter(({ status }) => status === 'queued')
    .toSorted((a, b) => compareText(a.id, b.id))
    .flatMap((workload) => proposalFor(workload, free, context) ?? [])
}

function proposalFor(
  workload: Workload,
  free: readonly FreePartition[],
  context: RecommendContext,
): Proposal | undefined {
  const waiting = (context.podsOf.get(workload.id) ?? []).filter(({ node }) => node === undefined)
  const [pod] = waiting
  const request = pod === undefined ? undefined : soleRequest(pod)
  if (pod === undefined || request === undefined) return undefined
  const rooms = roomsFor(pod, request, { free, context })
  // Room that it may already use means that something else holds it back: its queue, or the scheduler's next turn.
  if (rooms.some(({ refusal }) => refusal === undefined)) return undefined
  const open = rooms.filter(({ refusal, isTaint }) => refusal !== undefined && !isTaint)
  const places = [...Map.groupBy(open, ({ node, model }) => JSON.stringify([node.pool, model]))]
    .map(([key, nodes]) => ({ key, nodes, pods: nodes.reduce((sum, { pods }) => sum + pods, 0) }))
    .toSorted((a, b) => b.pods - a.pods || compareText(a.key, b.key))
  const [best] = places
  const [first] = best?.nodes ?? []
  if (best === undefined || first === undefined) return undefined
  return proposalOf(workload, { pod, request, waiting: waiting.length, starts: best.pods, room: first, context })
}

type Room = {
  readonly node: GpuNode
  readonly model: string
  /** Pods of this shape that could start there. */
  readonly pods: number
  readonly refusal: string | undefined
  readonly isTaint: boolean
}

/** Nodes with room for at least one such pod, and why it may not go there. */
function roomsFor(
  pod: Pod,
  { resource, count }: GpuRequest,
  { free, context }: { readonly free: readonly FreePartition[]; readonly context: RecommendContext },
): readonly Room[] {
  const offered = free.filter((partition) => partition.resource === resource)
  return [...Map.groupBy(offered, ({ node }) => node)].flatMap(([node, partitions]): Room[] => {
    const pods = Math.floor(partitions.length / Math.max(1, count))
    if (pods === 0 || !takesHost(pod, hostRoom(node, context))) return []
    const refusal = nodeRefusal(pod.scheduling, node.room)
    // With its own wishes left out, only a taint can still refuse.
    const isTaint = nodeRefusal({ ...pod.scheduling, nodeSelector: {}, nodeTerms: [] }, node.room) !== undefined
    return [{ node, model: partitions[0]?.part.model ?? '', pods, refusal, isTaint }]
  })
}

type Chosen = {
  readonly pod: Pod
  readonly request: GpuRequest
  readonly waiting: number
  readonly starts: number
  readonly room: Room
  readonly context: RecommendContext
}

function proposalOf(workload: Workload, { pod, request, waiting, starts, room, context }: Chosen): Proposal {
  const name = `${workload.namespace}/${workload.name}`
  const { takenAt } = context.snapshot
  const hours = (takenAt - workload.createdAt) / 3_600_000
  const started = Math.min(starts, waiting)
  const { pool } = room.node
  const place = `${room.model}${pool === '' ? '' : ` in pool ${pool}`}`
  return {
    kind: 'reschedule',
    object: `workload/${workload.id}`,
    title: `Let ${name} run on ${place}`,
    message: `${started === waiting ? 'All' : started} of its ${waiting} waiting pods would start there at once; now ${room.refusal ?? ''}. Check with its owner that it runs on ${room.model}.`,
    rule: { name: 'reschedule', version: 1 },
    evidence: {
      query: `kubectl get pod -n ${pod.namespace} ${pod.name} -o yaml`,
      window: { from: workload.createdAt, to: takenAt },
      samples: waiting,
      coverage: ratio(1),
      figures: {
        'waiting for, h': Math.round(hours * 10) / 10,
        'pods that wait': waiting,
        'pods that would start': started,
        asks: `${request.count} × ${request.resource}`,
        says: pod.waiting?.message ?? workload.waiting?.message ?? 'no reason given',
      },
    },
    wishes: [{ kind: 'reschedule', workload: workload.id, to: { pool, model: room.model, requests: pod.requests } }],
    gain: {
      gpus: started * request.count,
      pool,
      model: room.model,
      shown: { kind: 'none', because: 'It starts waiting work on capacity that is paid for already: time, not money.' },
    },
    // The room is there now; whether the work runs as well on that model only its owner knows.
    confidence: ratio(0.5),
  }
}
