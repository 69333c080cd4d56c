import { plural } from '../../words.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { pricesOf, pricingOf } from '../../cost/prices-of.ts'
import { compareText } from '../../units.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import { repack, type RepackAnswer } from '../repack/repack.ts'
import { whyNotFreed } from '../repack/repack-regions.ts'
import { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import type { FleetQuestion, FleetSearch } from './fleet-question.ts'
import { NO_FIGURES, type FleetAnswer, type FleetDraft, type FleetGoal } from './plan-fleet-answer.ts'
import { savingOf, useOf, waitingPods } from './plan-fleet-figures.ts'
import { fleetProblem } from './plan-fleet-problem.ts'

/** Empties a node with the fewest moves, so that it can be removed. */
export function draftFreeNode(question: FleetSearch): FleetDraft {
  const { snapshot, goal } = question
  if (goal.kind !== 'free-node') throw new Error(`draftFreeNode was asked for ${goal.kind}`)
  const named = snapshot.nodes.find(({ name }) => name === goal.node)
  const unsound = named === undefined ? undefined : whyNotFreed(named)
  if (unsound !== undefined) return refused(question, `No node is freed. ${unsound}`, 'Nothing to change')
  const answer = freeNode({ ...question, snapshot: question.searched }, goal)
  if (answer.kind === 'refused') return refused(question, `No node is freed: ${answer.because}.`, 'Nothing to change')
  const { node, targets, moves, displaced, freed } = answer
  const wanting = waitingPods(snapshot).filter((pod) => nodeWanted(snapshot, node, pod.id))
  const warning =
    wanting.length === 0
      ? []
      : [`${plural(wanting.length, 'waiting pod')} could start on ${node}: consider keeping it.`]
  return {
    answer: {
      ...plain(question),
      isBest: isBest(answer),
      saving: savingOf(snapshot, freed, question.prices),
      notes: [
        displaced.length === 0 ? `No GPU pod runs on ${node}.` : `Every GPU pod of ${node} finds room elsewhere.`,
        ...warning,
      ],
    },
    wishes: [
      ...(targets.length === 0 ? [] : [{ kind: 'layout' as const, targets, moves: [] }]),
      { kind: 'remove-node', node, moves },
    ],
    title: `Free ${node} of its pods and remove it`,
    bound: boundOf(answer),
  }
}

/** Makes room for one more instance with the fewest moves. */
export function draftRoomFor(question: FleetSearch): FleetDraft {
  const { searched, goal, maxDisplaced } = question
  if (goal.kind !== 'room-for') throw new Error(`draftRoomFor was asked for ${goal.kind}`)
  const answer = repack(searched, goal, maxDisplaced)
  const what = `room for a ${goal.profile}`
  if (answer.kind === 'refused') return refused(question, `No ${what}: ${answer.because}.`, 'Nothing to change')
  const { targets, moves, node, freed } = answer
  const where = `on GPU ${freed.join(', ')} of ${node}`
  return {
    answer: {
      ...plain(question),
      isBest: isBest(answer),
      notes: targets.length === 0 ? [`There is already ${what}, ${where}.`] : [],
    },
    wishes: targets.length === 0 ? [] : [{ kind: 'layout', targets, moves }],
    title: targets.length === 0 ? 'Nothing to change' : `Make ${what} ${where}`,
    bound: boundOf(answer),
  }
}

type Found = Extract<RepackAnswer, { kind: 'found' }>

const isBest = ({ displaced, bound }: Found): boolean => displaced.length <= bound

const boundOf = ({ displaced, bound }: Found): string =>
  `${plural(displaced.length, 'pod')} displaced; no plan displaces fewer than ${bound}`

function refused(question: FleetQuestion, note: string, title: string): FleetDraft {
  return { answer: { ...plain(question), because: note }, wishes: [], title, bound: undefined }
}

function plain({ snapshot, prices }: FleetQuestion): FleetAnswer {
  const now = fleetProblem(snapshot, new IndexedFleet(snapshot), { prices, waiting: [] })
  const { use } = useOf(now, now, [])
  return { ...NO_FIGURES, use, leftOut: now.leftOut }
}

/** Nodes that are as cheap to free as the cheapest, tried for more money. */
const MOST_TRIED = 32

/** The fewest moves; among equals a node that works, that nobody waits for, and that costs most. */
function freeNode(
  { snapshot, maxDisplaced, prices }: FleetQuestion,
  goal: Extract<FleetGoal, { kind: 'free-node' }>,
): RepackAnswer {
  const first = repack(snapshot, goal, maxDisplaced)
  if (first.kind === 'refused' || goal.node !== undefined) return first
  const holding = new Map<string, number>()
  for (const { node } of snapshot.pods) if (node !== undefined) holding.set(node, (holding.get(node) ?? 0) + 1)
  const priceOf = pricesOf(prices, pricingOf(snapshot))
  const price = (node: GpuNode): number => {
    const model = node.model ?? node.product
    const found = priceOf({ pool: node.pool, node: node.name, model })
    return found.kind === 'known' ? found.price * node.gpus.length : 0
  }
  const pending = waitingPods(snapshot).map(({ id }) => id)
  const equals = snapshot.nodes
    .filter(
      ({ name, pool, schedulable }) =>
        schedulable && (goal.pool ?? pool) === pool && (holding.get(name) ?? 0) <= first.displaced.length,
    )
    .map((node) => ({ node, wanted: pending.some((id) => nodeWanted(snapshot, node.name, id)), price: price(node) }))
    .toSorted(
      (a, b) => Number(a.wanted) - Number(b.wanted) || b.price - a.price || compareText(a.node.name, b.node.name),
    )
  for (const { node } of equals.slice(0, MOST_TRIED)) {
    const answer = repack(snapshot, { kind: 'free-node', node: node.name }, first.displaced.length)
    if (answer.kind === 'found') return { ...answer, bound: first.bound }
  }
  return first
}

/** Whether a waiting pod asks for what the node offers and may run there. */
function nodeWanted({ nodes, pods }: ClusterSnapshot, name: string, id: string): boolean {
  const node = nodes.find((candidate) => candidate.name === name)
  const pod = pods.find((candidate) => candidate.id === id)
  if (node === undefined || pod === undefined) return false
  const offers = pod.requests.every(({ resource, count }) => (node.allocatable[resource] ?? 0) >= count)
  return offers && nodeRefusal(pod.scheduling, node.room) === undefined
}
