import type { GpuNode, PartitionId } from '../../cluster/node.ts'
import type { Pod } from '../../cluster/workload.ts'
import { compareText, ratio } from '../../units.ts'
import type { PodMove } from '../action/action.ts'
import { nodeRefusal } from '../place/place-index-filter.ts'
import { freePartitions, hostRoom, soleRequest, takesHost, type FreePartition, type HostRoom } from './free-room.ts'
import { confidenceOf, type Proposal } from './proposal.ts'
import type { RecommendContext } from './recommend-context.ts'

/** Share of its capacity that nobody held over the window before a node may go. */
const LEAST_UNALLOCATED = 0.5
/** Hours of past before anything is said. */
const LEAST_HOURS = 24
/** Pods that may move for one node, and nodes proposed per pool at a time. */
const MOST_MOVES = 6
const MOST_PER_POOL = 2

/**
 * Nodes whose work fits on the others: remove them. The only change that lowers a bill. Nodes that are fewest moves away
 * come first, and what one of them keeps room on is not proposed too.
 */
export function removeNode(context: RecommendContext): readonly Proposal[] {
  const room = new Room(context)
  const perPool = new Map<string, number>()
  return candidates(context, room).flatMap(({ node, unallocated, hours }): Proposal[] => {
    const key = JSON.stringify([node.pool, node.model])
    const already = perPool.get(key) ?? 0
    if (already >= MOST_PER_POOL || room.isReceiver(node.name)) return []
    const moves = room.movesOff(node)
    if (moves === undefined) return []
    perPool.set(key, already + 1)
    return [proposalOf(node, { moves, unallocated, hours, context })]
  })
}

type Candidate = { readonly node: GpuNode; readonly unallocated: number; readonly hours: number }

/** Ready nodes that were mostly free, that nobody waits for, fewest pods first. */
function candidates(context: RecommendContext, room: Room): readonly Candidate[] {
  const { analysis, nodes, podsOn } = context
  const pods = (name: string): number => podsOn.get(name)?.length ?? 0
  return analysis.cost.byNode
    .flatMap(({ key, cost: { hours } }): Candidate[] => {
      const node = nodes.get(key)
      if (node === undefined || hours.capacity <= 0 || !isRemovable(node)) return []
      const unallocated = hours.unallocated / hours.capacity
      const known = hours.capacity / Math.max(1, node.gpus.length)
      return unallocated < LEAST_UNALLOCATED || known < LEAST_HOURS ? [] : [{ node, unallocated, hours: known }]
    })
    .filter(({ node }) => !room.isWanted(node))
    .toSorted((a, b) => pods(a.node.name) - pods(b.node.name) || compareText(a.node.name, b.node.name))
}

const isRemovable = ({ ready, schedulable, gpus, mig }: GpuNode): boolean =>
  ready &&
  schedulable &&
  mig.state !== 'pending' &&
  mig.state !== 'rebooting' &&
  gpus.every(({ fault }) => fault === undefined)

/** Free partitions and host room, used up as moves are found. */
class Room {
  readonly #context: RecommendContext
  readonly #free: FreePartition[]
  readonly #host = new Map<string, HostRoom>()
  readonly #receivers = new Set<string>()
  readonly #leaving = new Set<string>()

  constructor(context: RecommendContext) {
    this.#context = context
    this.#free = [...freePartitions(context)]
  }

  isReceiver(node: string): boolean {
    return this.#receivers.has(node)
  }

  /** Whether a waiting pod asks for what the node has free: then it is not too much. */
  isWanted(node: GpuNode): boolean {
    const offered = new Set(this.#free.filter((free) => free.node === node).map(({ resource }) => resource))
    return this.#context.snapshot.pods.some(
      (pod) =>
        pod.node === undefined &&
        pod.requests.some(({ resource }) => offered.has(resource)) &&
        nodeRefusal(pod.scheduling, node.room) === undefined,
    )
  }

  /** Where each pod of the node goes; undefined when one of them may not move or finds no room. */
  movesOff(node: GpuNode): readonly PodMove[] | undefined {
    const pods = (this.#context.podsOn.get(node.name) ?? []).toSorted((a, b) => compareText(a.id, b.id))
    if (pods.length > MOST_MOVES || pods.some(({ scheduling }) => !scheduling.managed || !scheduling.evictable)) {
      return undefined
    }
    this.#leaving.add(node.name)
    const moves: PodMove[] = []
    const taken: FreePartition[] = []
    for (const pod of pods) {
      const found = this.#place(pod, taken)
      if (found === undefined) {
        this.#leaving.delete(node.name)
        return undefined
      }
      taken.push(found.to)
      moves.push({ pod: pod.id, from: found.from, to: { gpu: found.to.part.gpu, profile: found.to.part.profile } })
    }
    for (const to of taken) this.#take(to, pods)
    return moves
  }

  #place(pod: Pod, taken: readonly FreePartition[]): { from: PartitionId; to: FreePartition } | undefined {
    const request = soleRequest(pod)
    const held = this.#context.snapshot.allocations.filter((allocation) => allocation.pod === pod.id)
    const [from] = held
    // Several devices at once need one node with all of them free: too coarse to move for a saving.
    if (request?.count !== 1 || from === undefined || held.length !== 1) return undefined
    const to = this.#free.find(
      (free) =>
        free.resource === request.resource &&
        !taken.includes(free) &&
        !this.#leaving.has(free.node.name) &&
        nodeRefusal(pod.scheduling, free.node.room) === undefined &&
        takesHost(pod, this.#hostOf(free.node)),
    )
    return to === undefined ? undefined : { from: from.partition, to }
  }

  #take(to: FreePartition, pods: readonly Pod[]): void {
    this.#free.splice(this.#free.indexOf(to), 1)
    this.#receivers.add(to.node.name)
    const room = this.#hostOf(to.node)
    const most = pods.reduce((sum, { scheduling }) => Math.max(sum, scheduling.cpuMilli), 0)
    const memory = pods.reduce((sum, { scheduling }) => Math.max(sum, scheduling.memory), 0)
    this.#host.set(to.node.name, {
      cpuMilli: room.cpuMilli === undefined ? undefined : room.cpuMilli - most,
      memory: room.memory === undefined ? undefined : room.memory - memory,
    })
  }

  #hostOf(node: GpuNode): HostRoom {
    return this.#host.get(node.name) ?? hostRoom(node, this.#context)
  }
}

type Chosen = Omit<Candidate, 'node'> & { readonly moves: readonly PodMove[]; readonly context: RecommendContext }

function proposalOf(node: GpuNode, { moves, unallocated, hours, context }: Chosen): Proposal {
  const { name, pool, gpus } = node
  const days = Math.floor(hours / 24)
  const who =
    moves.length === 0
      ? 'Nothing runs on it.'
      : `Its ${moves.length} ${moves.length === 1 ? 'pod fits' : 'pods fit'} on other nodes now.`
  return {
    kind: 'remove-node',
    object: `node/${name}`,
    title: `Remove ${name} and its ${gpus.length} GPUs`,
    message: `Over ${days < 2 ? `${Math.floor(hours)} h` : `${days} days`} nobody held ${Math.round(unallocated * 100)} % of it, and nothing waits for it. ${who}`,
    rule: { name: 'remove-node', version: 1 },
    evidence: {
      query: `node/${name}`,
      window: context.window,
      samples: Math.floor(hours),
      coverage: ratio(1),
      figures: {
        'unallocated, % of its capacity': Math.round(unallocated * 1000) / 10,
        'pods to move': moves.length,
        GPUs: gpus.length,
        pool,
      },
    },
    wishes: [{ kind: 'remove-node', node: name, moves }],
    ...(moves.length === 0 ? { bound: 'Nobody moves: no plan can displace fewer.' } : {}),
    gain: {
      gpus: gpus.length,
      pool,
      model: node.model ?? node.product,
      shown: { kind: 'number', effect: 'bill-reduced' },
    },
    confidence: confidenceOf(hours, LEAST_HOURS, 1),
  }
}
