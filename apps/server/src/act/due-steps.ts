import { appointmentOf, firstDue, instant, stateOf, type ActionRun, type Instant, type PlanStep } from '@septet/domain'

import type { ActingTurn } from './act-parts.ts'
import type { ActingMove } from './move.ts'
import { judgeAgain } from './judge-again.ts'
import { workStep } from './work-step.ts'

/** What has a time of its own is judged twice: at once, so that somebody hears of it in time, and when it is due. */
export async function judgeInTime(turn: ActingTurn, run: ActionRun): Promise<ActingMove | undefined> {
  const due = firstDue(run.plan)
  if (due === undefined || turn.clock() >= due) return judgeAgain(turn, run)
  if (run.transitions.filter(({ state }) => state === 'approved').length > 1) return undefined
  const verdict = await judgeAgain(turn, run)
  if (verdict?.state !== 'checked') return verdict
  const { until } = stateOf(run)
  return {
    state: 'approved',
    because: `The plan passes every guardrail now. It starts on ${new Date(due).toISOString()} and is checked again then.`,
    ...(until === undefined ? {} : { until }),
  }
}

/** Whether a step's time has come. What only looks does so every few seconds. */
export function isDue(turn: ActingTurn, run: ActionRun, { notBefore, action }: PlanStep): boolean {
  if (notBefore !== undefined && turn.clock() < notBefore) return false
  return action.kind !== 'keep-free' || turn.mayLook(run.id)
}

/** From when on it is counted how long a step takes. */
export const begunAt = ({ notBefore }: PlanStep, since: Instant): Instant => instant(Math.max(since, notBefore ?? 0))

/** The step after one that is done, and until when it is waited for. */
export function nextStep({ plan }: ActionRun, number: number): Omit<ActingMove, 'because'> {
  const until = plan.steps[number]?.notBefore
  return { state: 'applying', step: number + 1, ...(until === undefined ? {} : { until }) }
}

/**
 * Evictions of an appointment begin together: each takes a grace period, and all have to be done by one instant. What comes of
 * them is seen when it is their turn.
 */
export async function evictAlongside(turn: ActingTurn, run: ActionRun, number: number): Promise<void> {
  if (!isAppointment(run)) return
  const later = run.plan.steps.slice(number).filter(({ action }) => action.kind === 'evict')
  for (const step of later) {
    if (!isDue(turn, run, step)) return
    await workStep(turn, {
      run,
      step: step.number,
      action: step.action,
      isUndo: false,
      since: begunAt(step, stateOf(run).at),
    })
  }
}

/** One pod that cannot be evicted is no reason to open the fence around all other GPUs: the look at the end names it. */
export function leftUndone(run: ActionRun, number: number, because: string): ActingMove | undefined {
  if (!isAppointment(run) || run.plan.steps[number - 1]?.action.kind !== 'evict') return undefined
  return {
    ...nextStep(run, number),
    because: `Step ${number} was not done: ${because} The reserved nodes stay cordoned.`,
  }
}

const isAppointment = ({ plan }: ActionRun): boolean => appointmentOf(plan) !== undefined
