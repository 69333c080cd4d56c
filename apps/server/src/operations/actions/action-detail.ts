import {
  evidenceWords,
  journalLines,
  reachedStep,
  stateOf,
  stoppedByUndo,
  type ActionRun,
  type JournalEvidence,
  type RecordedWrite,
  type RunState,
} from '@septet/domain'
import { stepView } from '@septet/plan-files'
import type { actionsGet, OutputOf } from '@septet/contract'

import { isoOf, windowView } from '../answering/view.ts'
import { actionView } from './action-view.ts'

type Detail = OutputOf<typeof actionsGet>

/** One action with its steps, all that happened, every dry run and every write. */
export const actionDetail = (
  run: ActionRun,
  recorded: Record<'writes' | 'rehearsals', readonly RecordedWrite[]>,
  stops: Omit<Detail['undo'], 'stopped'>,
): Pick<Detail, 'action' | 'undo' | 'steps' | 'transitions' | 'rehearsals' | 'writes'> => {
  const { transitions, writes } = journalLines(run, recorded.writes)
  return {
    action: actionView(run),
    undo: { ...stops, stopped: [...stoppedByUndo(recorded.writes)] },
    steps: run.plan.steps.map((step) => ({
      ...stepView(step),
      state: stepState(run, step.number),
    })),
    transitions: transitions.map(({ number, at, state, by, because, step, evidence }) => ({
      number,
      at: isoOf(at),
      state,
      by,
      because,
      step: step ?? null,
      evidence: evidence.map(evidenceView),
    })),
    rehearsals: journalLines(run, recorded.rehearsals).writes.map(writeView),
    writes: writes.map(writeView),
  }
}

const writeView = (write: ReturnType<typeof journalLines>['writes'][number]): Detail['writes'][number] => {
  const { number, at, step, isUndo, what, says, outcome, evidence } = write
  return {
    number,
    at: isoOf(at),
    step,
    isUndo,
    what,
    says,
    outcome: outcome === undefined ? null : { kind: outcome.kind, because: outcome.because },
    evidence: evidence.map(evidenceView),
  }
}

const evidenceView = (evidence: JournalEvidence): Detail['transitions'][number]['evidence'][number] => ({
  kind: evidence.kind,
  id: evidence.id,
  window: windowView(evidence.window),
  says: evidenceWords(evidence),
})

type StepState = Detail['steps'][number]['state']

/** How far a step has come: the furthest that it was begun, and whether it was taken back since. */
function stepState(run: ActionRun, number: number): StepState {
  const begun = reachedStep(run)
  const { state } = stateOf(run)
  // Where the way back broke off, the steps before that still stand.
  const step = run.transitions.findLast((each) => each.state === 'reverting')?.step ?? 0
  const undoing = run.transitions.some((each) => each.state === 'reverting')
  if (number > begun) return undoing || state === 'failed' ? 'not-done' : 'to-do'
  if (undoing) return undoneState({ state, step }, number)
  return state === 'applying' && number === begun ? 'doing' : 'done'
}

function undoneState({ state, step }: { readonly state: RunState; readonly step: number }, number: number): StepState {
  if (state === 'reverted' || number > step) return 'taken-back'
  return state === 'reverting' && number === step ? 'taking-back' : 'done'
}
