import { gpusText } from '../../words.ts'
import type { Gpu, GpuNode, Problem } from '../../cluster/node.ts'
import { unsoundNode } from '../../cluster/soundness.ts'
import type { PodId } from '../../cluster/workload.ts'
import { profileOf } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { compareText, instant, seconds, type Instant, type Seconds } from '../../units.ts'
import { judgePlan } from '../guardrail/guardrails.ts'
import { knownEnd, lastStart } from '../../fleet/known-ends.ts'
import { askableOn, heldOf, isModel, shareOfEach } from '../../fleet/askable-gpus.ts'
import { boardOf, isServedByDra } from '../../fleet/gpu-state.ts'
import { openFleet, podsOn, type Fleet } from '../../fleet/fleet.ts'
import { CAREFUL_POLICY, type PlanPolicy } from '../words/plan-policy.ts'
import type { AppointmentAsk, AppointmentQuestion } from './appointment.ts'

/** A pod that holds GPUs beyond the instant and may be evicted. */
export type MovablePod = {
  readonly pod: PodId
  readonly gpus: number
  /** The disruption budget that its eviction takes from. */
  readonly budget: string | undefined
  /** How long it may take to stop. */
  readonly grace: Seconds
}

/** What one node can give to an appointment. */
export type SupplyNode = {
  readonly name: string
  /** Part of a GPU that each of them is: 1, or that of an instance. */
  readonly share: number
  /** GPUs, or instances, that nobody holds at the instant, with nobody moved. */
  readonly free: number
  /** GPUs that nobody holds now. */
  readonly idleNow: number
  /** GPU-seconds for which those that are free stand idle until the instant, if nothing is started meanwhile. */
  readonly idleBefore: number
  readonly movable: readonly MovablePod[]
  readonly ending: ReadonlyArray<{ readonly pod: PodId; readonly by: Instant }>
}

export type Supply = {
  readonly nodes: readonly SupplyNode[]
  readonly budgets: ReadonlyMap<string, number>
  /** From then on nothing new may start on a node that is chosen, but what surely ends before. */
  readonly closesAt: Instant
  readonly leftOut: readonly Problem[]
}

/** Between the first eviction and the instant: what a disruption budget refuses at first is tried again meanwhile. */
export const SPARE = seconds(600)

/** Evictions begin so long before the instant. */
export const evictionLead = (pods: readonly MovablePod[]): Seconds =>
  seconds(SPARE + Math.max(0, ...pods.map(({ grace }) => grace)))

// What the API server fills in where a pod says nothing.
const USUAL_GRACE = seconds(30)

/** What healthy nodes that take pods can give, by who is surely gone at the instant and who may be evicted. */
export function supplyOf(question: AppointmentQuestion): Supply {
  const { snapshot, ask } = question
  const state = openFleet(snapshot)
  const policy = policyOf(question)
  const closesAt = closingTime(ask, snapshot.takenAt)
  const leftOut: Problem[] = []
  const nodes: SupplyNode[] = []
  for (const node of snapshot.nodes.toSorted((a, b) => compareText(a.name, b.name))) {
    if (!isMeant(node, ask)) continue
    const because = whyLeftOut(node, ask)
    if (because === undefined) nodes.push(supplyNode({ node, ask, state, policy, closesAt }))
    else leftOut.push({ code: 'not-counted', message: because, object: `node/${node.name}` })
  }
  return { nodes, budgets: new Map(snapshot.budgets.map(({ id, allowed }) => [id, allowed])), closesAt, leftOut }
}

/** Whether a node is of the pool and the model that are asked for, and can be cut so at all. */
export const isMeant = (node: GpuNode, { pool, model, profile }: AppointmentAsk): boolean =>
  (pool === undefined || node.pool === pool) &&
  node.gpus.some((gpu) => isModel(model, gpu.model) && (profile === undefined || hasProfile(gpu, profile)))

function hasProfile(gpu: Gpu, profile: ProfileName): boolean {
  const board = boardOf(gpu)
  return board !== undefined && profileOf(board, profile) !== undefined
}

/** Who is evicted was chosen under the limit, and may wait; every other rule holds. */
export const policyOf = ({ protectedNamespaces = [] }: AppointmentQuestion): PlanPolicy => ({
  ...CAREFUL_POLICY,
  protectedNamespaces,
  maxDisplaced: Infinity,
  mayWait: true,
})

/** Work that starts right before the closing, and runs as long as any, is gone at the instant. */
function closingTime({ at, longest }: AppointmentAsk, now: Instant): Instant {
  const latest = longest === undefined ? now : Math.min(lastStart(at, longest), at - SPARE * 1000)
  return instant(Math.max(now, latest))
}

function whyLeftOut(node: GpuNode, ask: AppointmentAsk): string | undefined {
  const unsound = unsoundNode(node)
  if (unsound !== undefined) return unsound
  if (ask.except?.includes(node.name) === true) return `${node.name} is excluded by this request.`
  if (!node.schedulable) return `${node.name} is cordoned.`
  const { count } = askableOn(node, ask)
  if (count >= ask.perNode) return undefined
  if (count > 0) {
    const whole = ask.profile === undefined ? ' that can be asked for whole' : ''
    return `${node.name} has ${gpusText(count, ask.profile)}${whole}, and ${ask.perNode} of one node are wanted.`
  }
  if (ask.profile === undefined) {
    return `${node.name} has no whole GPU to request: its GPUs are partitioned, shared or faulty.`
  }
  return isServedByDra(node)
    ? `A DRA driver makes and removes instances of ${node.name} as claims come and go, so none can be kept.`
    : `No healthy GPU of ${node.name} is partitioned into ${ask.profile}.`
}

type Looking = {
  readonly node: GpuNode
  readonly ask: AppointmentAsk
  readonly state: Fleet
  readonly policy: PlanPolicy
  readonly closesAt: Instant
}

function supplyNode({ node, ask, state, policy, closesAt }: Looking): SupplyNode {
  const { at, longest } = ask
  const askable = askableOn(node, ask)
  const movable: MovablePod[] = []
  const ending: { pod: PodId; by: Instant }[] = []
  let held = 0
  let stays = 0
  let idleLater = 0
  for (const pod of podsOn(state, node.name)) {
    const gpus = heldOf(pod, state, askable)
    if (gpus === 0) continue
    held += gpus
    const by = knownEnd(pod, longest)
    if (by !== undefined && by <= at) {
      ending.push({ pod: pod.id, by })
      idleLater += gpus * (at - Math.max(by, closesAt))
      continue
    }
    stays += gpus
    const { id, uid, workload } = pod
    if (judgePlan({ kind: 'evict', pod: id, uid, workload, because: '' }, state, policy).kind === 'allow')
      movable.push({ pod: id, gpus, budget: state.budgetsOf.get(id)?.[0], grace: pod.grace ?? USUAL_GRACE })
  }
  const idleNow = Math.max(0, askable.count - held)
  return {
    name: node.name,
    share: shareOfEach(node, ask.profile),
    free: Math.max(0, askable.count - stays),
    idleNow,
    idleBefore: (idleNow * (at - closesAt) + idleLater) / 1000,
    movable,
    ending,
  }
}
