import type { Fleet } from '../../fleet/fleet.ts'
import { firstReason } from '../../plan/guardrail/guardrail.ts'
import type { Plan } from '../../plan/words/action.ts'
import { appointmentOf } from '../../plan/words/kept-gpus.ts'
import type { Instant } from '../../units.ts'
import { stateOf, type ActionRun } from '../action-run.ts'
import { changedGpus } from '../policy/blast-radius.ts'
import { isOpen, nextOpening } from '../policy/maintenance-window.ts'
import { firstDue } from '../policy/run-times.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'
import type { ActContext, ActRule } from './act-context.ts'
import { timeWords } from './words.ts'

/** Nothing begins while a person has stopped acting, here or everywhere. */
export const obeysStopOrders: ActRule = ({ run, stops }) => {
  const order = stops.find(({ cluster }) => cluster === undefined || cluster === run.cluster)
  return order === undefined
    ? undefined
    : `${order.by} stopped all changes ${order.cluster === undefined ? 'on every cluster' : 'on this cluster'} on ${timeWords(order.at)}: ${order.because} Resume acting first.`
}

/** Changes begin inside maintenance windows, where there are any. */
export const keepsToMaintenanceWindows: ActRule = ({ policy: { windows }, now }) => {
  if (isOpen(windows, now)) return undefined
  const next = nextOpening(windows, now)
  return next === undefined
    ? `No maintenance window ever opens: their time zones are unknown. Correct them in ${WHERE_POLICIES_ARE}.`
    : `No maintenance window is open. The next one opens on ${timeWords(next)}; windows are set in ${WHERE_POLICIES_ARE}.`
}

/**
 * GPUs that an approved appointment counts on stay as they are until it is over, before its nodes are closed, too: nothing
 * cuts, shares or removes them.
 */
export const keepsAppointments: ActRule = (context) => {
  if (timeOf(context.run.plan) !== undefined) return undefined
  const kept = keptBefore(context, [context.now, Infinity])
  return kept && `${kept} Wait until then, or undo that appointment.`
}

/** No appointment that was approved later takes them for the same time. */
export const takesNoAppointment: ActRule = (context) => {
  const own = timeOf(context.run.plan)
  const kept = own && keptBefore(context, own)
  return kept && `${kept} Plan again: the next plan leaves that node out.`
}

function keptBefore(context: ActContext, time: Time): string | undefined {
  const taken = nodesTaken(context.run.plan, context.state)
  if (taken.size === 0) return undefined
  return firstReason(context.history, (other) => {
    const node = goesFirst(other, context) ? nodeOfBoth(other, { taken, time }) : undefined
    const { title, plan } = other
    return node && `${node} is kept for “${title}” until ${timeWords(appointmentOf(plan)?.until ?? plan.madeFrom)}.`
  })
}

type Time = readonly [from: number, until: number]
type Taking = { readonly taken: ReadonlySet<string>; readonly time: Time }

/** A node that an appointment keeps in the time in which it is taken. */
function nodeOfBoth({ plan }: ActionRun, { taken, time: [from, until] }: Taking): string | undefined {
  const theirs = timeOf(plan)
  if (theirs === undefined || from >= theirs[1] || until <= theirs[0]) return undefined
  return appointmentOf(plan)?.nodes.find(({ node }) => taken.has(node))?.node
}

/** Nodes whose GPUs a plan cuts, shares, takes away or keeps. */
const nodesTaken = ({ steps }: Plan, state: Fleet): ReadonlySet<string> =>
  new Set(
    steps.flatMap(({ action }) =>
      action.kind === 'keep-free'
        ? action.nodes.map(({ node }) => node)
        : changedGpus(action, state).flatMap((gpu) => state.nodeOfGpu.get(gpu) ?? []),
    ),
  )

/** From the closing of its nodes until they are opened; undefined: it is not an appointment. */
function timeOf(plan: Plan): Time | undefined {
  const kept = appointmentOf(plan)
  return kept && [firstDue(plan) ?? kept.at, kept.until]
}

/** Whether it waits for its time, and was approved before this one. Once its nodes are being closed it is under way, which is a rule of its own. */
function goesFirst(other: ActionRun, { run, approval }: Pick<ActContext, 'run' | 'approval'>): boolean {
  if (other.id === run.id || stateOf(other).state !== 'approved') return false
  const [theirs = Infinity, ours = approval?.at ?? Infinity] = [approvedAt(other), approvedAt(run)]
  return theirs < ours || (theirs === ours && other.id < run.id)
}

const approvedAt = ({ transitions }: ActionRun): Instant | undefined =>
  transitions.find(({ state }) => state === 'approved')?.at
