import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Gpu, GpuId, GpuNode, Problem } from '../../cluster/node.ts'
import { compareText } from '../../units.ts'
import type { PlanRefusal } from '../guardrail/guardrail.ts'
import type { Action, Plan, PlanStep, PodMove } from '../words/action.ts'
import { applyAction } from './apply-action.ts'
import { contentHash } from '../words/content-hash.ts'
import { CAREFUL_POLICY, type PlanPolicy } from '../words/plan-policy.ts'
import { evictedBy, fenceFor, landingsOf } from './fence.ts'
import { unitsOf, type PlanUnit } from './plan-unit.ts'
import { openFleet, rollBack, type Fleet } from '../../fleet/fleet.ts'
import { withoutRoom } from './room-for-moves.ts'
import { stepOf } from './step-of.ts'
import { actionsOf } from './unit-actions.ts'
import type { Wish } from '../words/wish.ts'
import { isChanged } from './apply-to-gpus.ts'
import { resourceOf } from '../../fleet/gpu-state.ts'
import { geometryOf } from '../../gpu/layout.ts'

export type PlanQuestion = {
  readonly snapshot: ClusterSnapshot
  readonly wishes: readonly Wish[]
  readonly title: string
  readonly policy?: PlanPolicy
  /** How good the wished layouts are, with the bound, from whoever computed them. */
  readonly bound?: string
}

/**
 * The steps that bring the wishes about, in an order in which the cluster is legal after each and nothing needs room that
 * is not yet free. Every step was tried on a copy of the snapshot under all guardrails; a wish that they refuse is left out
 * whole and stands in `refused` with the reason. Room kept for a displaced pod is not reserved: other waiting pods may take
 * it first.
 */
export function makePlan({ snapshot, wishes, title, policy = CAREFUL_POLICY, bound }: PlanQuestion): Plan {
  const refused: Problem[] = []
  let units = unitsOf(wishes, openFleet(snapshot))
  const keepEmpty = new Set(wishes.flatMap((wish) => (wish.kind === 'layout' ? (wish.keepEmpty ?? []) : [])))
  let draft = fencedDraft(snapshot, units, { policy, keepEmpty })
  // Leaving one unit out can take the room that another counted on; every turn leaves out at least one more, so it ends.
  while (draft.refused.size > 0) {
    const gone = draft.refused
    refused.push(...[...gone].map(([unit, verdict]) => problemOf(unit, verdict)))
    units = units.filter((unit) => !gone.has(unit))
    draft = fencedDraft(snapshot, units, { policy, keepEmpty })
  }
  const steps = draft.steps.map((step, index): PlanStep => ({ number: index + 1, ...step }))
  const actions = steps.map(({ action }) => action)
  return {
    id: `plan-${contentHash(JSON.stringify([snapshot.cluster, actions]))}`,
    cluster: snapshot.cluster,
    madeFrom: snapshot.takenAt,
    title,
    steps,
    moves: draft.moves.toSorted((a, b) => compareText(a.pod, b.pod)),
    refused: refused.toSorted((a, b) => compareText(a.object, b.object) || compareText(a.message, b.message)),
    bound,
  }
}

type Draft = {
  readonly steps: readonly Omit<PlanStep, 'number'>[]
  readonly moves: readonly PodMove[]
  readonly refused: ReadonlyMap<PlanUnit, PlanRefusal>
}
type Attempt = { readonly steps: readonly Omit<PlanStep, 'number'>[]; readonly moves: readonly PodMove[] }

type Drafting = { readonly policy: PlanPolicy; readonly keepEmpty: ReadonlySet<GpuId> }

/** The units, between steps that close and open the nodes that evicted pods must not come to. */
function fencedDraft(snapshot: ClusterSnapshot, units: readonly PlanUnit[], { policy, keepEmpty }: Drafting): Draft {
  const { draft, state } = draftOf(units, openFleet(snapshot), policy)
  const fence = draft.refused.size > 0 ? [] : fenceFor(draft.steps, state, { keepEmpty, moves: draft.moves })
  if (fence.length === 0) return draft
  const begun = openFleet(snapshot)
  // Their own changes must not open them again.
  const closed: Fleet = { ...begun, cordonedBefore: new Set([...begun.cordonedBefore, ...fence]) }
  const closing = stepsOf(
    fence.map((node): Action => ({ kind: 'cordon', node })),
    closed,
    policy,
  )
  const { draft: inside } = draftOf(units, closed, policy)
  const landed = landingsOf(new Set(evictedBy(inside.steps).map(({ workload }) => workload)), closed)
  const opening = stepsOf(
    fence.map((node): Action => ({ kind: 'uncordon', node, landed })),
    closed,
    policy,
  )
  return { ...inside, steps: [...closing, ...inside.steps, ...opening] }
}

/** Steps that no guardrail refuses. */
function stepsOf(actions: readonly Action[], state: Fleet, policy: PlanPolicy): readonly Omit<PlanStep, 'number'>[] {
  return actions.map((action) => {
    const step = stepOf(action, state, policy)
    applyAction(state, action, policy)
    return step
  })
}

function draftOf(
  units: readonly PlanUnit[],
  state: Fleet,
  policy: PlanPolicy,
): { readonly draft: Draft; readonly state: Fleet } {
  const refused = new Map<PlanUnit, PlanRefusal>()
  const attempts = new Map<PlanUnit, Attempt>()
  const ahead = cordonsAhead(units)
  for (const unit of units) {
    const mark = state.journal.length
    const attempt = attemptOf(unit, state, { policy, ahead })
    if ('kind' in attempt) {
      rollBack(state, mark)
      refused.set(unit, attempt)
    } else attempts.set(unit, attempt)
  }
  if (refused.size === 0) {
    const wanting = [...attempts].map(([unit, { moves }]) => ({ unit, moves }))
    for (const [unit, refusal] of withoutRoom(wanting, state, policy)) refused.set(unit, refusal)
  }
  const done = [...attempts.values()]
  const draft = { steps: done.flatMap(({ steps }) => steps), moves: done.flatMap(({ moves }) => moves), refused }
  return { draft, state }
}

function attemptOf(
  unit: PlanUnit,
  state: Fleet,
  { policy, ahead }: { readonly policy: PlanPolicy; readonly ahead: ReturnType<typeof cordonsAhead> },
): Attempt | PlanRefusal {
  const found = actionsOf(unit, state)
  if (found.kind === 'refuse') return found
  const wanted = found.kind === 'allow' ? [] : found.actions
  const actions = [...ahead(unit, wanted, state), ...wanted]
  const steps: Omit<PlanStep, 'number'>[] = []
  const moves: PodMove[] = []
  for (const action of actions) {
    const step = stepOf(action, state, policy)
    const leaving = movesOf(unit, action, { state, displaced: step.displaced })
    const verdict = applyAction(state, action, policy)
    if (verdict.kind === 'refuse') return verdict
    steps.push(step)
    moves.push(...leaving)
  }
  return { steps, moves }
}

/** Where the pods of a step go. Pods that a scale-down stops go nowhere. */
function movesOf(
  unit: PlanUnit,
  action: Action,
  { state, displaced }: { readonly state: Fleet; readonly displaced: readonly string[] },
): readonly PodMove[] {
  if (action.kind !== 'evict' && action.kind !== 'resize') return []
  return displaced
    .filter((id) => state.pods.get(id)?.scheduling.managed !== false)
    .map((pod) => ({
      pod,
      from: state.allocations.get(pod)?.[0]?.partition ?? '',
      to: unit.moves.get(pod)?.to,
    }))
}

const problemOf = ({ object }: PlanUnit, { code, because }: PlanRefusal): Problem => ({
  code,
  message: because,
  object,
})

/**
 * Nodes to cordon before a unit evicts pods: those that the plan changes later and that offer, on GPUs still to be
 * changed, what the evicted pods ask for. Else their successors could start there, and be displaced a second time.
 */
function cordonsAhead(
  units: readonly PlanUnit[],
): (unit: PlanUnit, actions: readonly Action[], state: Fleet) => readonly Action[] {
  const position = new Map(units.map((unit, index) => [unit, index]))
  const offers = new Map<PlanUnit, ReadonlySet<string>>()
  return (unit, actions, state) => {
    const wanted = new Set(actions.flatMap((action) => (action.kind === 'evict' ? requested(action.pod, state) : [])))
    if (wanted.size === 0) return []
    return units
      .slice((position.get(unit) ?? 0) + 1)
      .flatMap((later) => nodeOf(later, state) ?? [])
      .filter(({ node, unit: later }) => {
        if (!node.schedulable || actions.some((action) => 'node' in action && action.node === node.name)) return false
        const offer = offers.get(later) ?? offered(later, node, state)
        offers.set(later, offer)
        return [...wanted].some((resource) => offer.has(resource))
      })
      .map(({ node }) => node.name)
      .filter((name, index, names) => names.indexOf(name) === index)
      .toSorted(compareText)
      .map((node): Action => ({ kind: 'cordon', node }))
  }
}

const requested = (pod: string, state: Fleet): readonly string[] =>
  (state.pods.get(pod)?.requests ?? []).map(({ resource }) => resource)

function nodeOf(unit: PlanUnit, state: Fleet): { readonly unit: PlanUnit; readonly node: GpuNode } | undefined {
  if (unit.kind === 'workload') return undefined
  // Under DRA neighbors are not disturbed, and what is free is not an instance yet.
  if (unit.kind === 'layout' && unit.actuator === 'dra') return undefined
  const node = state.nodes.get(unit.kind === 'share' ? unit.wish.node : unit.node)
  return node === undefined ? undefined : { unit, node }
}

const offered = (unit: PlanUnit, node: GpuNode, state: Fleet): ReadonlySet<string> =>
  new Set(
    changedGpus(unit, node).flatMap(({ partitions }) =>
      partitions
        .filter(({ id }) => (state.holders.get(id) ?? []).length === 0)
        .map((partition) => resourceOf(node, partition)),
    ),
  )

function changedGpus(unit: PlanUnit, node: GpuNode): readonly Gpu[] {
  if (unit.kind !== 'layout') return node.gpus
  return node.gpus.filter(({ id }) => {
    const target = unit.targets.find(({ gpu }) => gpu === id)
    if (target === undefined) return false
    return isChanged(node, { gpu: id, to: { migEnabled: target.migEnabled, geometry: geometryOf(target.layout) } })
  })
}
