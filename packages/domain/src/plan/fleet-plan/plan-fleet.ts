import { plural } from '../../words.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode, Problem } from '../../cluster/node.ts'
import { compareText } from '../../units.ts'
import { isServedByDra } from '../../fleet/gpu-state.ts'
import { planAppointment } from '../appointment/plan-appointment.ts'
import { plannedGpus } from '../steps/planned-gpus.ts'
import { whyNotKept, type PlanPromise } from '../steps/why-not-kept.ts'
import { makePlan } from '../steps/make-plan.ts'
import type { Plan } from '../words/action.ts'
import { CAREFUL_POLICY, type PlanPolicy } from '../words/plan-policy.ts'
import type { AppointmentAsk } from '../appointment/appointment.ts'
import type { Actuator } from '../../gpu/actuator.ts'
import { NO_FIGURES, type FleetDraft, type FleetGoal, type FleetPlan } from './plan-fleet-answer.ts'
import type { FleetQuestion, FleetSearch } from './fleet-question.ts'
import { draftFit, planCost } from './plan-fleet-cost.ts'
import { draftExactCost, leastWithin } from './plan-fleet-exact.ts'
import { draftFreeNode, draftRoomFor } from './plan-fleet-free.ts'

/** Turns that leave out more nodes before the plan is taken as it is, with its refusals. */
const MOST_TURNS = 8

/** How far the search for a plan is: parts that are done, of as many as there are by what is known so far. */
export type PlanProgress = { readonly done: number; readonly of: number }

/**
 * A plan for one goal, asked by every face: which GPUs change, who moves where, in which steps, and how far from the best
 * that is. Every step was tried on a copy of the snapshot under all guardrails, and all of them with Kubernetes' scheduler in
 * between; nothing is carried out. Where guardrails refuse a node's part or its own steps do not keep what is promised, the
 * search goes on without that node, so that the figures hold for the plan that is left; the refusals stand in the plan. For
 * the goal cost, a whole-number program looks for the layout with the fewest GPUs too; the quick plan stays where that is as
 * good, and where the program finds nothing.
 */
export function planFleet(question: FleetQuestion): FleetPlan {
  const search = planning(question)
  for (let step = search.next(); ; step = search.next()) if (step.done === true) return step.value
}

/** The same in parts: between two of them whoever waits is told how far it is, and may leave. */
export function* planning(question: FleetQuestion): Generator<PlanProgress, FleetPlan> {
  const { goal } = question
  yield { done: 0, of: 2 }
  if (goal.kind === 'appointment') return planAsked(question, goal.ask)
  const found = yield* goal.kind === 'cost' ? cheapest(question) : planBy(question, DRAFTS[goal.kind], 1)
  return { ...found, gpus: plannedGpus(found.plan, question.snapshot, found.policy) }
}

/** The plan, without the pictures of its GPUs. */
type Found = Omit<FleetPlan, 'gpus'>
type Search<Result> = Generator<PlanProgress, Result>

function* cheapest(question: FleetQuestion): Search<Found> {
  const quick = yield* planBy(question, planCost, 1)
  yield { done: 1, of: 3 }
  const exact = yield* planBy(question, draftExactCost, 2)
  const best = exact !== undefined && isBetter(exact, quick) ? exact : quick
  return { ...best, notes: [...best.notes, leastWithin(question.snapshot)] }
}

type Draw<Drawn> = (search: FleetSearch) => Drawn

function planBy(question: FleetQuestion, draftOf: Draw<FleetDraft>, part: number): Search<Found>
function planBy(question: FleetQuestion, draftOf: Draw<FleetDraft | undefined>, part: number): Search<Found | undefined>
function* planBy(
  question: FleetQuestion,
  draftOf: Draw<FleetDraft | undefined>,
  part: number,
): Search<Found | undefined> {
  let turn = firstTurn(question)
  for (;;) {
    const draft = draftOf(turn.search)
    if (draft === undefined) return undefined
    const judged = judge(turn, draft)
    if (judged.kind === 'plan') return judged.plan
    turn = judged.next
    // A further turn, with what is left out known.
    yield { done: part + turn.number - 2, of: part + turn.number }
  }
}

/** Fewer GPUs in use; of equals the one that disturbs fewer pods. */
function isBetter(exact: Found, quick: Found): boolean {
  if (exact.starts.length < quick.starts.length) return false
  const [found = 0, known = 0] = [exact.use?.after, quick.use?.after]
  return found < known || (found === known && evictions(exact) < evictions(quick))
}

const evictions = ({ plan }: Found): number => plan.steps.filter(({ action }) => action.kind === 'evict').length

/** One try, with the nodes that are left out so far and why. */
type Turn = {
  readonly number: number
  readonly closed: ReadonlyMap<string, Problem>
  readonly search: FleetSearch
}

type Judged = { readonly kind: 'plan'; readonly plan: Found } | { readonly kind: 'again'; readonly next: Turn }

const firstTurn = (question: FleetQuestion): Turn => turnOf(question, 1, new Map())

const turnOf = (question: FleetQuestion, number: number, closed: ReadonlyMap<string, Problem>): Turn => ({
  number,
  closed,
  search: { ...question, searched: searchable(question, new Set(closed.keys())) },
})

/**
 * The plan of a draft, or the next turn without the nodes whose part guardrails refuse or its own steps do not keep. What
 * cannot be kept in the last turn is not shown.
 */
function judge(turn: Turn, draft: FleetDraft): Judged {
  const { number, closed, search } = turn
  const { snapshot, goal } = search
  const policy = policyOf(search)
  const foreign = foreignNodes(draft, search)
  const { wishes, title, bound } = draft
  const plan = makePlan({ snapshot, wishes, title, policy, ...(bound === undefined ? {} : { bound }) })
  const news = [...foreign, ...plan.refused].filter(({ object }) => !closed.has(nodeName(object)))
  // Who draws a layout is told what is refused of it.
  const isLast = goal.kind === 'layout' || (number >= MOST_TURNS && foreign.length === 0)
  if (news.length > 0 && !isLast) return again(turn, news)
  const broken = whyNotKept(plan, snapshot, promiseOf(draft, plan, search))
  const [first] = broken
  if (first === undefined) return { kind: 'plan', plan: shown(turn, { draft, plan, policy }) }
  const parts = broken.filter(({ object }) => object.startsWith('node/') && !closed.has(nodeName(object)))
  return parts.length > 0 && !isLast
    ? again(turn, parts)
    : { kind: 'plan', plan: unkept(turn, { draft, plan, policy }, first) }
}

function again({ number, closed, search }: Turn, news: readonly Problem[]): Judged {
  const more = new Map([...closed, ...news.map((problem) => [nodeName(problem.object), problem] as const)])
  return { kind: 'again', next: turnOf(search, number + 1, more) }
}

type Judging = { readonly draft: FleetDraft; readonly plan: Plan; readonly policy: PlanPolicy }

function shown({ closed, search }: Turn, { draft, plan, policy }: Judging): Found {
  const refused = [...closed.values(), ...plan.refused].toSorted((a, b) => compareText(a.object, b.object))
  const notes = [...draft.answer.notes, ...actuatorNote(search)]
  return { ...draft.answer, notes, goal: search.goal.kind, plan: { ...plan, refused }, policy }
}

/** A plan that its own steps do not keep: none is made, and why is told. */
function unkept(turn: Turn, judging: Judging, broken: Problem): Found {
  const { use, leftOut } = judging.draft.answer
  const kept = use && { ...use, after: use.before, freed: [] }
  const plan = { ...judging.plan, title: 'Nothing to change', steps: [], moves: [], bound: undefined }
  const answer = {
    ...NO_FIGURES,
    leftOut,
    use: kept,
    because: `A plan was found that its own steps would not keep. ${broken.message}`,
  }
  return shown(turn, { ...judging, plan, draft: { ...judging.draft, answer } })
}

/** What the plan says will be so: who is displaced and may not wait runs again, what it starts runs, what it frees is free. */
function promiseOf({ answer }: FleetDraft, { moves }: Plan, search: FleetSearch): PlanPromise {
  const { pods, nodes } = search.snapshot
  const policy = policyOf(search)
  const nodeOfPod = new Map(pods.map(({ id, node }) => [id, node]))
  const nodeOfGpu = new Map(nodes.flatMap(({ name, gpus }) => gpus.map(({ id }) => [id, name])))
  const moved = moves.flatMap(({ pod, to }) =>
    to === undefined && policy.mayWait ? [] : { pod, node: nodeOfPod.get(pod) },
  )
  const started = answer.starts.flatMap(({ pods: own, on: [gpu = ''] }) =>
    own.map((pod) => ({ pod, node: nodeOfGpu.get(gpu) })),
  )
  return { policy, runs: [...moved, ...started], free: answer.use?.freed ?? [] }
}

const policyOf = ({ maxDisplaced, mayWait = false }: FleetQuestion): PlanPolicy => ({
  ...CAREFUL_POLICY,
  maxDisplaced,
  mayWait,
})

/** An appointment changes no layout, and is planned by the hours that work may take. */
function planAsked(question: FleetQuestion, ask: AppointmentAsk): FleetPlan {
  const { snapshot, maxDisplaced } = question
  const appointment = planAppointment({ snapshot, ask, maxDisplaced })
  const { leftOut } = appointment
  const about = {
    ...NO_FIGURES,
    goal: 'appointment',
    policy: policyOf(question),
    gpus: [],
    leftOut,
    appointment,
  } as const
  return appointment.kind === 'found'
    ? {
        ...about,
        plan: appointment.plan,
        notes: appointment.notes,
        isBest: appointment.moves === appointment.bound,
      }
    : { ...about, plan: makePlan({ snapshot, wishes: [], title: '' }), because: appointment.because }
}

const nodeName = (object: string): string => object.replace(/^node\//u, '')

const DRAFTS = {
  fit: draftFit,
  'free-node': draftFreeNode,
  'room-for': draftRoomFor,
  layout: draftLayout,
} satisfies Record<Exclude<FleetGoal['kind'], 'appointment' | 'cost'>, Draw<FleetDraft>>

/** What somebody has drawn themselves. */
function draftLayout({ snapshot, goal }: FleetSearch): FleetDraft {
  const targets = goal.kind === 'layout' ? goal.targets : []
  const wanted = new Set(targets.map(({ gpu }) => gpu))
  const nodes = snapshot.nodes.filter(({ gpus }) => gpus.some(({ id }) => wanted.has(id))).map(({ name }) => name)
  return {
    answer: NO_FIGURES,
    wishes: [{ kind: 'layout', targets, moves: [] }],
    title: `Repartition ${plural(wanted.size, 'GPU')} on ${nodes.join(', ')}`,
    bound: undefined,
  }
}

/**
 * The snapshot with closed nodes, which neither give nor take pods and whose GPUs stay as they are, and with nodes of
 * another actuator than the one asked for, which keep their layout but may take pods.
 */
function searchable({ snapshot, actuator }: FleetQuestion, closed: ReadonlySet<string>): ClusterSnapshot {
  if (closed.size === 0 && actuator === undefined) return snapshot
  const nodes = snapshot.nodes.map((node) => ({
    ...node,
    schedulable: node.schedulable && !closed.has(node.name),
    mig: actuator === undefined || actuatorOf(node) === actuator ? node.mig : { ...node.mig, strategy: fixedOf(node) },
  }))
  return { ...snapshot, nodes }
}

const actuatorOf = (node: GpuNode): Actuator => (isServedByDra(node) ? 'dra' : 'mig-manager')

/** A strategy under which no layout is found; that of plain GPUs stays, because it says what pods ask for. */
const fixedOf = ({ mig }: GpuNode): 'none' | 'single' => (mig.strategy === 'single' ? 'single' : 'none')

/** Nodes that the draft would cut although another actuator serves them than the one asked for. */
function foreignNodes({ wishes }: FleetDraft, { snapshot, actuator }: FleetQuestion): readonly Problem[] {
  if (actuator === undefined) return []
  const changed = new Set(wishes.flatMap((wish) => (wish.kind === 'layout' ? wish.targets.map(({ gpu }) => gpu) : [])))
  return snapshot.nodes
    .filter((node) => node.gpus.some(({ id }) => changed.has(id)) && actuatorOf(node) !== actuator)
    .map(({ name }) => ({
      code: 'other-actuator',
      object: `node/${name}`,
      message: `${actuator === 'dra' ? 'No DRA driver' : 'A DRA driver, not mig-manager,'} serves its GPUs.`,
    }))
}

function actuatorNote({ snapshot, actuator }: FleetQuestion): readonly string[] {
  if (actuator === undefined) return []
  const others = snapshot.nodes.filter((node) => node.mig.strategy === 'mixed' && actuatorOf(node) !== actuator).length
  return others === 0 ? [] : [`Nodes left unchanged because ${actuator} does not partition their GPUs: ${others}.`]
}
