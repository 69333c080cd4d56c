import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { listed, plural } from '../../words.ts'
import type { GpuNode, PartitionId } from '../../cluster/node.ts'
import { unsoundGpu, unsoundNode } from '../../cluster/soundness.ts'
import type { GpuRequest, Pod } from '../../cluster/workload.ts'
import { profileOf } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { profileOfResource } from '../../gpu/profile-name.ts'
import { compareText, ratio, HOUR_MS } from '../../units.ts'
import type { PodMove } from '../words/action.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import { whyNotMoved } from '../repack/may-move.ts'
import { FreeRoom, type FreePartition } from '../../fleet/free-room.ts'
import { confidenceOf, type Proposal, inPercent, type Wasted } from './proposal.ts'
import { type RecommendContext, slackFor } from './recommend-context.ts'

/** Share of its capacity that nobody held over the window, and holds now, before a node may go. */
const LEAST_UNALLOCATED = 0.5
/** Hours of past before anything is said. */
const LEAST_HOURS = 24
/** Pods that may move for one node, and nodes proposed per pool at a time. */
const MOST_MOVES = 6
const MOST_PER_POOL = 2

/**
 * Nodes whose work fits on the others: remove them. The only change that lowers a bill, so not of what is paid for whether
 * it runs or not. Nodes that are fewest moves away come first, and what one of them keeps room on is not proposed too.
 */
export function removeNode(context: RecommendContext): readonly Proposal[] {
  const moving = new Moving(context)
  const going = new Map<string, readonly string[]>()
  return candidates(context).flatMap((candidate): Proposal[] => {
    const { node } = candidate
    const key = JSON.stringify([node.pool, node.model])
    const before = going.get(key) ?? []
    if (before.length >= MOST_PER_POOL || isWanted(node, context)) return []
    const moves = moving.off(node)
    if (moves === undefined) return []
    going.set(key, [...before, node.name])
    return [proposalOf(candidate, { moves, before }, context)]
  })
}

type Candidate = { readonly node: GpuNode; readonly unallocated: number; readonly hours: number }

/** Ready nodes that were mostly free and still are, fewest pods first. */
function candidates(context: RecommendContext): readonly Candidate[] {
  const { analysis, nodes, podsOn } = context
  const pods = (name: string): number => podsOn.get(name)?.length ?? 0
  const heldOn = new Map<string, number>()
  for (const { kind, node, share } of context.parts) {
    if (kind === 'held') heldOn.set(node, (heldOn.get(node) ?? 0) + share)
  }
  return analysis.cost.byNode
    .flatMap(({ key, cost: { hours } }): Candidate[] => {
      const node = nodes.get(key)
      if (node === undefined || hours.capacity <= 0 || !isRemovable(node) || isPrepaid(node, context)) return []
      const unallocated = hours.unallocated / hours.capacity
      const now = 1 - (heldOn.get(key) ?? 0) / node.gpus.length
      // GPU-hours of capacity come from as many GPUs as the node has: hours for which it was seen.
      const known = hours.capacity / node.gpus.length
      const slack = slackFor(context, 'remove-node', `node/${key}`)
      if (Math.min(unallocated, now) < LEAST_UNALLOCATED * slack || known < LEAST_HOURS) return []
      return [{ node, unallocated, hours: known }]
    })
    .toSorted((a, b) => pods(a.node.name) - pods(b.node.name) || compareText(a.node.name, b.node.name))
}

function isPrepaid({ name, pool, model, product }: GpuNode, { priceOf }: RecommendContext): boolean {
  const price = priceOf({ pool, model: model ?? product, node: name })
  return price.kind === 'known' && price.prepaid === true
}

const isRemovable = (node: GpuNode): boolean =>
  node.schedulable &&
  node.gpus.length > 0 &&
  unsoundNode(node) === undefined &&
  !node.problems.some(({ code }) => code === 'label-contradicts-devices') &&
  node.gpus.every((gpu) => unsoundGpu(gpu) === undefined)

/** Whether waiting work could start on what the node has free, as it is or cut again: then it is not too much. */
function isWanted(node: GpuNode, { snapshot, podsOf }: RecommendContext): boolean {
  const mayUse = ({ resource, count }: GpuRequest): boolean => canOffer(node, resource, count)
  const pods = snapshot.pods.some(
    ({ node: on, phase, requests, scheduling }) =>
      on === undefined &&
      phase === 'Pending' &&
      requests.some(mayUse) &&
      nodeRefusal(scheduling, node.room) === undefined,
  )
  // Work that a queue holds back may have no pods yet: it is taken to be allowed everywhere.
  return (
    pods ||
    snapshot.workloads.some(
      ({ id, status, requests }) => status === 'queued' && !podsOf.has(id) && requests.some(mayUse),
    )
  )
}

/** Whether the node's boards could offer the resource in some layout. */
function canOffer({ gpus, product, sharing }: GpuNode, resource: string, count: number): boolean {
  const isShared = resource !== WHOLE_GPU_RESOURCE && resource.startsWith(WHOLE_GPU_RESOURCE)
  if (isShared || (resource === WHOLE_GPU_RESOURCE && sharing.kind !== 'none')) return true
  if (resource === WHOLE_GPU_RESOURCE) return count <= gpus.length
  const name = profileOfResource(resource)
  return gpus.some(({ model }) => {
    const board = boardFor(model ?? product)
    return name !== undefined && board !== undefined && profileOf(board, name) !== undefined
  })
}

/** Finds other places for the pods of nodes, using them up. */
class Moving {
  readonly #context: RecommendContext
  readonly #room: FreeRoom
  readonly #receivers = new Set<string>()
  readonly #leaving = new Set<string>()
  readonly #moved: Pod[] = []

  constructor(context: RecommendContext) {
    this.#context = context
    this.#room = new FreeRoom(context)
  }

  /** Where each pod of the node goes; undefined when one of them may not move or finds no room, or the node takes others in. */
  off(node: GpuNode): readonly PodMove[] | undefined {
    const { podsOn, snapshot } = this.#context
    const pods = podsOn.get(node.name) ?? []
    if (this.#receivers.has(node.name) || pods.length > MOST_MOVES) return undefined
    if (whyNotMoved(snapshot, [...this.#moved, ...pods]) !== undefined) return undefined
    const without = new Set([...this.#leaving, node.name])
    const taken: { pod: Pod; from: PartitionId; to: FreePartition }[] = []
    for (const pod of pods) {
      const found = this.#place(pod, without)
      if (found === undefined) break
      this.#room.take([found.to], pod)
      taken.push({ pod, ...found })
    }
    if (taken.length < pods.length) {
      for (const { to, pod } of taken.toReversed()) this.#room.give([to], pod)
      return undefined
    }
    this.#leaving.add(node.name)
    for (const { to } of taken) this.#receivers.add(to.node.name)
    this.#moved.push(...pods)
    return taken.map(({ pod, from, to }) => ({
      pod: pod.id,
      from,
      to: { gpu: to.partition.gpu, profile: to.partition.kind === 'mig' ? to.partition.profile : '' },
    }))
  }

  /** Room of the kind that the pod holds now, on the same GPU model. */
  #place(pod: Pod, without: ReadonlySet<string>): { from: PartitionId; to: FreePartition } | undefined {
    const [request, ...more] = pod.requests
    const [from, ...others] = this.#context.heldBy.get(pod.id) ?? []
    // Several devices at once need one node with all of them free: too coarse to move for a saving.
    if (request?.count !== 1 || from === undefined || more.length + others.length > 0) return undefined
    const [to] = this.#room.find({ pod, model: from.model, share: from.share, without }) ?? []
    return to === undefined ? undefined : { from: from.partition, to }
  }
}

function proposalOf(
  { node, unallocated, hours }: Candidate,
  { moves, before }: { readonly moves: readonly PodMove[]; readonly before: readonly string[] },
  context: RecommendContext,
): Proposal {
  const { name, pool, gpus, room } = node
  const window = (context.window.to - context.window.from) / HOUR_MS
  const others = [...context.nodes.values()].filter(
    (other) => other !== node && other.ready && other.pool === pool && other.model === node.model,
  ).length
  const left = others - before.length
  const once = before.length === 0 ? 'It' : `With ${listed(before)} removed too, it`
  const last = left > 0 ? '' : ` ${once} is the last ready node of its kind in its pool.`
  const who =
    moves.length === 0
      ? 'No work with a GPU runs on it.'
      : `Its ${moves.length === 1 ? 'pod fits' : `${moves.length} pods fit`} on other nodes now.`
  return {
    kind: 'remove-node',
    object: `node/${name}`,
    title: `Remove ${name} and its ${plural(gpus.length, 'GPU')}`,
    message: `Over ${hours < 48 ? `${Math.floor(hours)} h` : `${Math.floor(hours / 24)} days`} ${inPercent(unallocated)}% of it was unallocated, and no waiting work could use it. ${who}${last}`,
    rule: { name: 'remove-node', version: 1 },
    evidence: {
      query: `node/${name}`,
      window: context.window,
      samples: Math.floor(hours),
      coverage: ratio(Math.min(1, hours / Math.max(1, window))),
      figures: {
        'unallocated, % of its capacity': inPercent(unallocated),
        'seen for, h': Math.floor(hours),
        'pods to move': moves.length,
        GPUs: gpus.length,
        pool,
        'ready nodes of its kind left in the pool': left,
        ...(room.cpuUsed === undefined
          ? {}
          : { 'CPU asked for by pods without a GPU, cores': Math.round(room.cpuUsed / 100) / 10 }),
      },
    },
    wishes: [{ kind: 'remove-node', node: name, moves }],
    displaces: moves.length,
    ...(moves.length === 0 ? { bound: 'No GPU workload moves: no plan can do better.' } : {}),
    gain: {
      freed: [{ gpus: gpus.length, pool, model: node.model ?? node.product }],
      shown: {
        kind: 'number',
        effect: 'bill-reduced',
        wasted: freeOn([name, ...receiversOf(moves, context)], context),
      },
    },
    confidence: confidenceOf(hours, LEAST_HOURS, 1),
  }
}

const receiversOf = (moves: readonly PodMove[], { nodeOfGpu }: RecommendContext): readonly string[] =>
  moves.flatMap(({ to }) => nodeOfGpu.get(to?.gpu ?? '') ?? [])

/** What these nodes had and nobody held, for each hour of the window: what is left once their work stands closer. */
function freeOn(names: readonly string[], { analysis }: RecommendContext): Wasted {
  const hours = Math.max(1, analysis.observedSeconds / 3600)
  const wanted = new Set(names)
  const costs = analysis.cost.byNode.flatMap(({ key, cost }) => (wanted.has(key) ? cost : []))
  return {
    gpus: costs.reduce((sum, cost) => sum + cost.hours.unallocated, 0) / hours,
    usd: costs.reduce<number>((sum, cost) => sum + (cost.money?.unallocated ?? 0), 0) / hours,
  }
}
