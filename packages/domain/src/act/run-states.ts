import { wasHandedOver } from './policy/run-times.ts'
import { RUN_STATES, stateOf, type ActionRun, type RunState } from './action-run.ts'

/** Which state may follow which. What is over stays as it is. */
const NEXT: Readonly<Record<RunState, readonly RunState[]>> = {
  // The first yes where two people have to say it is a transition to the same state.
  proposed: ['proposed', 'approved', 'rejected', 'expired', 'cancelled'],
  // A new reason to wait is a transition to the same state.
  approved: ['approved', 'checked', 'handed-over', 'expired', 'cancelled', 'failed'],
  checked: ['rehearsed', 'expired', 'cancelled', 'failed'],
  rehearsed: ['warned', 'applying', 'expired', 'cancelled', 'failed'],
  'handed-over': ['applied', 'expired', 'cancelled'],
  warned: ['applying', 'cancelled', 'failed'],
  // A step that is done is a transition to the same state.
  applying: ['applying', 'applied', 'reverting', 'failed'],
  applied: ['verified', 'reverting', 'failed'],
  // Watched longer, while nobody can tell how its work goes, is a transition to the same state. What has ended a machine cannot
  // go back from there.
  verified: ['verified', 'kept', 'reverting', 'failed'],
  kept: ['reverting'],
  reverting: ['reverting', 'reverted', 'failed'],
  // A person may try to take back what could not be finished.
  failed: ['reverting'],
  reverted: [],
  rejected: [],
  expired: [],
  cancelled: [],
}

export const mayFollow = (from: RunState, to: RunState): boolean => NEXT[from].includes(to)

/** Where nothing is done any more by itself. */
export const OVER_STATES: readonly RunState[] = ['kept', 'reverted', 'failed', 'rejected', 'expired', 'cancelled']

/** States of what is not over. */
export const OPEN_STATES: readonly RunState[] = RUN_STATES.filter((state) => !OVER_STATES.includes(state))

/** States in which the actor has something to do, or waits to do it. */
export const WORKING_STATES: readonly RunState[] = OPEN_STATES.filter((state) => state !== 'proposed')

/** Where a run can stand that did not last: all others are before a setback. */
export const SETBACK_STATES: readonly RunState[] = ['reverting', 'reverted', 'failed']

/** States in which nothing was written to the cluster yet, so that a word is enough to end it. */
export const isBeforeWriting = (state: RunState): boolean => BEFORE_WRITING.includes(state)

const BEFORE_WRITING: readonly RunState[] = ['proposed', 'approved', 'checked', 'rehearsed', 'handed-over', 'warned']

/** Nodes of a run that are gone with their machines: nothing brings those back. */
export const goneNodes = (run: Pick<ActionRun, 'plan' | 'transitions'>): readonly string[] => {
  const reached = reachedStep(run)
  return run.plan.steps.flatMap(({ number, action }) =>
    action.kind === 'remove-node' && number < reached ? [action.node] : [],
  )
}

/** The furthest step that a run has come to, one more than there are once all are done; 0: none. */
export const reachedStep = ({ transitions }: Pick<ActionRun, 'transitions'>): number =>
  Math.max(0, ...transitions.map(({ state, step }) => (state === 'applying' ? (step ?? 0) : 0)))

/**
 * Whether Septet can take a run back as it stands: what somebody else applied they take back, and an appointment that is over
 * has opened its nodes itself.
 */
export function canBeUndone(run: Pick<ActionRun, 'plan' | 'transitions'>): boolean {
  const { state } = stateOf(run)
  if (!mayFollow(state, 'reverting') || state === 'reverting') return false
  const isOver =
    state !== 'applying' && state !== 'failed' && run.plan.steps.some(({ action }) => action.kind === 'keep-free')
  return !isOver && goneNodes(run).length === 0 && !wasHandedOver(run)
}
