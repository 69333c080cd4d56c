import { gpusText, grouped, plural } from '../../words.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { PodId } from '../../cluster/workload.ts'
import { repackHoldings, movesOf } from '../repack/repack-answer.ts'
import { IndexedFleet } from '../../fleet/indexed-fleet.ts'
import { newEffort } from '../repack/search-effort.ts'
import { seatPods } from '../repack/seat-pods.ts'
import type { PodMove } from '../words/action.ts'
import { compareText, gpuHours, instant, SECONDS_PER_HOUR, type Instant } from '../../units.ts'
import type {
  AppointedNode,
  Appointment,
  AppointmentAnswer,
  AppointmentQuestion,
  NoAppointment,
} from './appointment.ts'
import { notesFor, timeText } from './appointment-words.ts'
import { chooseNodes, type ChoiceProblem, type NodeChoice } from './choose-nodes.ts'
import { cutFirst, cutFirstWords } from './cut-first.ts'
import { evictionTime, fencePlan } from './fence-steps.ts'
import { knownEnd } from '../../fleet/known-ends.ts'
import { nodeOptions } from './node-options.ts'
import { evictionLead, isMeant, supplyOf, type Supply } from './supply.ts'

/**
 * The nodes to set aside so that so many GPUs are free at an instant: those for which the fewest pods are evicted, then for
 * which the fewest GPU-hours stand idle behind the fence. Only what surely ends is counted as gone. Where the GPUs cannot be
 * had, the answer says how many can, and from when on all can.
 */
export function planAppointment(question: AppointmentQuestion): AppointmentAnswer {
  const { ask, snapshot } = question
  const flaw = whyNotAsked(question)
  if (flaw !== undefined)
    return { kind: 'none', ask, because: flaw, possible: 0, from: undefined, cutFirst: [], leftOut: [] }
  const supply = supplyOf(question)
  const problem = problemOf(question, supply)
  const choice = chooseNodes(problem)
  return choice.places < problem.places
    ? tooFew(question, supply, choice)
    : found({ question, supply, choice }, snapshot.takenAt)
}

function whyNotAsked({ ask, snapshot }: AppointmentQuestion): string | undefined {
  if (ask.profile !== undefined && !snapshot.nodes.some((node) => isMeant(node, ask))) {
    return `None of the requested nodes has a GPU model with the MIG profile ${ask.profile}.`
  }
  const { gpus, perNode, at, profile } = ask
  if (at <= snapshot.takenAt) return `${timeText(at)} is over by the clock of the cluster's last reading.`
  return gpus % perNode === 0
    ? undefined
    : `${gpusText(gpus, profile)} cannot be split into parts of ${perNode} on one node: ask for a multiple of ${perNode}.`
}

function problemOf({ ask, maxDisplaced }: AppointmentQuestion, { nodes, budgets }: Supply): ChoiceProblem {
  return {
    nodes: nodes.map((node) => ({ name: node.name, options: nodeOptions(node, ask) })),
    budgets,
    places: ask.gpus / ask.perNode,
    limit: maxDisplaced,
  }
}

type Found = {
  readonly question: AppointmentQuestion
  readonly supply: Supply
  readonly choice: NodeChoice
}

function found(of: Found, now: Instant): Appointment {
  const { question, supply, choice } = of
  const { ask, snapshot } = question
  const nodes = appointedNodes(of, now)
  const endsAt = instant(ask.at + ask.length * 1000)
  const evicted = nodes.flatMap((node) => node.evicted)
  const moves = roomsForEvicted(snapshot, evicted, new Set(nodes.map(({ node }) => node)))
  const sentence = boundWords(choice)
  const whose = ask.namespace === undefined ? '' : ` for ${ask.namespace}`
  const title = `Keep ${gpusText(ask.gpus, ask.profile)} free${whose} from ${timeText(ask.at)} to ${timeText(endsAt)}`
  return {
    kind: 'found',
    ask,
    plan: fencePlan({ question, nodes, endsAt, moves, title, bound: sentence }),
    nodes,
    endsAt,
    moves: choice.moves,
    bound: choice.bound,
    idle: gpuHours(choice.idle / SECONDS_PER_HOUR),
    idleProven: choice.exact,
    notes: notesFor({ question, nodes, moves, closesAt: supply.closesAt }),
    leftOut: supply.leftOut,
  }
}

const boundWords = ({ moves, bound }: NodeChoice): string =>
  moves === 0 ? 'evicts no pod' : `evicts ${plural(moves, 'pod')}; no plan evicts fewer than ${grouped(bound)}`

function appointedNodes({ question, supply, choice }: Found, now: Instant): readonly AppointedNode[] {
  const { ask, snapshot } = question
  const known = new Map(supply.nodes.map((node) => [node.name, node]))
  const taints = new Map(snapshot.nodes.map(({ name, room }) => [name, room.taints]))
  return choice.chosen.map(({ name, option: { places, evicted, idle } }) => ({
    node: name,
    gpus: places * ask.perNode,
    closesAt: supply.closesAt,
    evictsAt: evicted.length === 0 ? undefined : evictionTime(ask.at, evictionLead(evicted), now),
    evicted: evicted.map(({ pod }) => pod).toSorted(),
    ending: known.get(name)?.ending ?? [],
    idle: gpuHours(idle / SECONDS_PER_HOUR),
    idleNow: known.get(name)?.idleNow ?? 0,
    taints: taints.get(name) ?? [],
  }))
}

/** Where evicted pods find room now, the largest first, beside the nodes that are closed; without `to` they wait. */
function roomsForEvicted(
  snapshot: ClusterSnapshot,
  evicted: readonly PodId[],
  closed: ReadonlySet<string>,
): readonly PodMove[] {
  if (evicted.length === 0) return []
  const nodes = snapshot.nodes.map((node) => (closed.has(node.name) ? { ...node, schedulable: false } : node))
  let fleet = new IndexedFleet({ ...snapshot, nodes })
  const holdings = repackHoldings(snapshot, fleet)
  const seekers = evicted
    .flatMap((id) => {
      const pod = fleet.pods.get(id)
      const held = holdings.get(id) ?? []
      return pod === undefined ? [] : [{ pod, resources: held.map(({ resource }) => resource), model: held[0]?.model }]
    })
    .toSorted((a, b) => b.resources.length - a.resources.length || compareText(a.pod.id, b.pod.id))
  const effort = newEffort()
  return seekers
    .flatMap((seeker): readonly PodMove[] => {
      const { id } = seeker.pod
      const seating = seatPods(fleet, [seeker], effort)
      // Cutting a GPU again for it would be another plan.
      if (seating.kind === 'none' || seating.seats.length === 0 || seating.seats.some(({ isThere }) => !isThere))
        return [{ pod: id, from: holdings.get(id)?.[0]?.partition ?? '', to: undefined }]
      fleet = seating.fleet
      return movesOf(seating.seats, holdings)
    })
    .toSorted((a, b) => compareText(a.pod, b.pod))
}

function tooFew(question: AppointmentQuestion, supply: Supply, { places, exact }: NodeChoice): NoAppointment {
  const { ask, maxDisplaced } = question
  const possible = places * ask.perNode
  const from = firstInstant(question)
  const all = chooseNodes({ ...problemOf(question, supply), limit: Infinity }).places * ask.perNode
  const limit =
    all > possible ? ` With more than ${plural(maxDisplaced, 'pod')} evicted it would be ${grouped(all)}.` : ''
  const when =
    from === undefined
      ? ' It is unknown when more become free: the pods that hold them have no end time.'
      : ` All of them are available from ${timeText(from)}.`
  const cuts = cutFirst(question, ask.gpus - all)
  return {
    kind: 'none',
    ask,
    because: `${exact ? '' : 'At least '}${gpusText(possible, ask.profile)} of ${grouped(ask.gpus)} are available at ${timeText(ask.at)}.${limit}${when}${all < ask.gpus ? cutFirstWords(cuts, ask.profile) : ''}`,
    possible,
    from,
    cutFirst: cuts,
    leftOut: supply.leftOut,
  }
}

/** The first known end after which everything can be had: the later, the more is over. */
function firstInstant(question: AppointmentQuestion): Instant | undefined {
  const { snapshot, ask } = question
  const ends = snapshot.pods.flatMap((pod) => (pod.node === undefined ? [] : (knownEnd(pod, ask.longest) ?? [])))
  const later = [...new Set(ends)].filter((end) => end > ask.at).toSorted((a, b) => a - b)
  const canBeHad = (at: Instant): boolean => {
    const moved = { ...question, ask: { ...ask, at } }
    const problem = problemOf(moved, supplyOf(moved))
    return chooseNodes(problem).places === problem.places
  }
  let [low, high] = [0, later.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const at = later[middle]
    if (at !== undefined && canBeHad(at)) high = middle
    else low = middle + 1
  }
  return later[low]
}
