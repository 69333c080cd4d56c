import { gpusText, plural } from '../../words.ts'
import type { Pod, PodId, Workload } from '../../cluster/workload.ts'
import { displacedBy, podsOf, removedByScale } from '../guardrail/displaced-by.ts'
import { ALLOW, refuse, type Verdict } from '../guardrail/guardrail.ts'
import { judgePlan } from '../guardrail/guardrails.ts'
import { quotaUse } from '../guardrail/respects-quota.ts'
import type { Action, KeepFree } from '../words/action.ts'
import { applyToGpus, type GpuAction } from './apply-to-gpus.ts'
import { notCordoned, unknownObject } from '../guardrail/guardrail.ts'
import type { PlanPolicy } from '../words/plan-policy.ts'
import { drop, podsOn, put, type Fleet } from '../../fleet/fleet.ts'
import { stepsByKind } from '../words/by-kind.ts'
import { knownEnd } from '../../fleet/known-ends.ts'
import { askableOn, heldOf } from '../../fleet/askable-gpus.ts'

/** Carries out one action on the state, or refuses with the reason and leaves the state as it is. */
export function applyAction(state: Fleet, action: Action, policy: PlanPolicy): Verdict {
  const verdict = judgePlan(action, state, policy)
  if (verdict.kind === 'refuse') return verdict
  const displaced = displacedBy(action, state)
  const outcome = isGpuAction(action) ? applyToGpus(state, action) : applyToRest(state, action)
  if (outcome.kind === 'allow') for (const id of displaced) put(state, state.displaced, [id, true])
  return outcome
}

const isGpuAction = (action: Action): action is GpuAction =>
  ['repartition', 'share', 'create-instance', 'delete-instance'].includes(action.kind)

const applyToRest = (state: Fleet, action: Exclude<Action, GpuAction>): Verdict =>
  stepsByKind<Exclude<Action, GpuAction>, Verdict>(action, {
    cordon: ({ node }) => setSchedulable(state, node, false),
    uncordon: ({ node }) => setSchedulable(state, node, true),
    'remove-node': ({ node }) => removeNode(state, node),
    evict: ({ pod }) => evict(state, pod),
    resize: (wished) => resize(state, wished),
    scale: (wished) => scale(state, wished),
    reschedule: (wished) => reschedule(state, wished),
    'keep-free': (wished) => keepFree(state, wished),
  })

function setSchedulable(state: Fleet, name: string, schedulable: boolean): Verdict {
  const node = state.nodes.get(name)
  if (node === undefined) return unknownObject('node', name)
  put(state, state.nodes, [name, { ...node, schedulable }])
  return ALLOW
}

function removeNode(state: Fleet, name: string): Verdict {
  const node = state.nodes.get(name)
  if (node === undefined) return unknownObject('node', name)
  if (node.schedulable) return notCordoned(name)
  const [first] = podsOn(state, name)
  if (first !== undefined) return refuse('in-use', `${first.id} still runs on ${name}. Evict it first.`)
  drop(state, state.nodes, name)
  return ALLOW
}

function evict(state: Fleet, id: PodId): Verdict {
  const pod = state.pods.get(id)
  if (pod?.node === undefined) return refuse('not-running', `${id} does not run, so there is nothing to evict.`)
  for (const budgetId of state.budgetsOf.get(id) ?? []) {
    const budget = state.budgets.get(budgetId)
    if (budget !== undefined) put(state, state.budgets, [budgetId, { ...budget, allowed: budget.allowed - 1 }])
  }
  stop(state, pod)
  if (pod.scheduling.managed) put(state, state.pods, [id, waiting(pod)])
  else forget(state, pod)
  return ALLOW
}

function resize(state: Fleet, action: Extract<Action, { readonly kind: 'resize' }>): Verdict {
  if (!state.workloads.has(action.workload)) return unknownObject('workload', action.workload)
  useQuota(state, action)
  for (const pod of podsOf(state, action.workload)) {
    stop(state, pod)
    put(state, state.pods, [pod.id, { ...waiting(pod), requests: action.to }])
  }
  return ALLOW
}

function reschedule(state: Fleet, action: Extract<Action, { readonly kind: 'reschedule' }>): Verdict {
  const pods = podsOf(state, action.workload)
  const running = pods.find(({ node }) => node !== undefined)
  if (pods.length === 0) return unknownObject('workload', action.workload)
  if (running !== undefined) return refuse('running', `${running.id} runs already; only waiting work is rescheduled.`)
  useQuota(state, action)
  for (const pod of pods) put(state, state.pods, [pod.id, { ...pod, requests: action.to.requests }])
  return ALLOW
}

function scale(state: Fleet, action: Extract<Action, { readonly kind: 'scale' }>): Verdict {
  const workload = state.workloads.get(action.workload)
  if (workload === undefined) return unknownObject('workload', action.workload)
  if (action.to < 0 || !Number.isInteger(action.to)) {
    return refuse('not-a-count', `${action.to} is not a valid number of pods for ${action.workload}.`)
  }
  if (podsOf(state, action.workload).length !== action.from) {
    return refuse(
      'changed',
      `${action.workload} has ${plural(podsOf(state, action.workload).length, 'pod')}, not ${action.from}.`,
    )
  }
  useQuota(state, action)
  for (const pod of removedByScale(state, action.workload, action.from - action.to)) {
    stop(state, pod)
    forget(state, pod)
  }
  addPods(state, workload, action.to)
  return ALLOW
}

/** New pods wait under new names until the workload has so many. */
function addPods(state: Fleet, workload: Workload, wanted: number): void {
  const pods = podsOf(state, workload.id).map(({ id }) => id)
  const pattern = templateOf(state, workload.id)
  if (pattern === undefined) return
  for (let ordinal = 0; pods.length < wanted; ordinal += 1) {
    const id = `${workload.namespace}/${workload.name}-new-${ordinal}`
    if (state.pods.has(id)) continue
    put(state, state.pods, [id, { ...waiting(pattern), id, uid: id, name: `${workload.name}-new-${ordinal}` }])
    pods.push(id)
  }
  put(state, state.workloads, [workload.id, { ...workload, pods }])
}

/** A pod of the workload as it was when the plan was made, to make further ones by. */
const templateOf = (state: Fleet, workload: string): Pod | undefined =>
  state.began.pods.find((pod) => pod.workload === workload)

function useQuota(state: Fleet, action: Action): void {
  for (const { quota, by } of quotaUse(action, state)) {
    put(state, state.quotas, [quota.id, { ...quota, used: quota.used + by }])
  }
}

/** Frees what the pod holds. */
function stop(state: Fleet, { id }: Pod): void {
  for (const { partition } of state.allocations.get(id) ?? []) {
    const rest = (state.holders.get(partition) ?? []).filter((holder) => holder !== id)
    put(state, state.holders, [partition, rest])
  }
  drop(state, state.allocations, id)
}

function forget(state: Fleet, pod: Pod): void {
  drop(state, state.pods, pod.id)
  const workload = state.workloads.get(pod.workload)
  if (workload === undefined) return
  put(state, state.workloads, [workload.id, { ...workload, pods: workload.pods.filter((id) => id !== pod.id) }])
}

const waiting = (pod: Pod): Pod => ({ ...pod, node: undefined, phase: 'Pending', startedAt: undefined })

/** Whether the GPUs of an appointment are free at its instant, by who is on its nodes and surely gone by then. */
function keepFree(state: Fleet, action: KeepFree): Verdict {
  if (state.began.takenAt >= action.until) return refuse('over', 'The appointment is over.')
  for (const kept of action.nodes) {
    const node = state.nodes.get(kept.node)
    if (node === undefined) return unknownObject('node', kept.node)
    if (node.schedulable) return notCordoned(kept.node)
    const { free, staying } = freeAt(state, kept.node, action)
    if (free < kept.gpus) {
      const holders = staying.length === 0 ? '' : ` ${staying.join(', ')} would still hold others.`
      return refuse(
        'not-free',
        `${kept.node} would have ${gpusText(free, action.profile)} free, and ${kept.gpus} are wanted.${holders}`,
      )
    }
  }
  return ALLOW
}

type FreeGpus = { readonly free: number; readonly staying: readonly string[] }

function freeAt(state: Fleet, name: string, action: KeepFree): FreeGpus {
  const node = state.nodes.get(name)
  if (node === undefined) return { free: 0, staying: [] }
  const { at, longest } = action
  const askable = askableOn(node, action)
  const holders = podsOn(state, name).flatMap((pod) => {
    const end = knownEnd(pod, longest)
    const held = end !== undefined && end <= at ? 0 : heldOf(pod, state, askable)
    return held === 0 ? [] : [{ pod: pod.id, held }]
  })
  const held = holders.reduce((sum, each) => sum + each.held, 0)
  return { free: Math.max(0, askable.count - held), staying: holders.map(({ pod }) => pod) }
}
