import type { OutputOf } from './operation.ts'
import type { actionsGet, ActionView } from './schemas/actions.ts'

/** Where an action stands, in a few words. */
const STATES = {
  proposed: 'Awaiting approval',
  approved: 'Approved, check pending',
  checked: 'Checked, dry run pending',
  rehearsed: 'Dry run passed, starting',
  'handed-over': 'Waiting for you to apply it',
  warned: 'Owner notified',
  applying: 'Applying',
  applied: 'Applied, verifying',
  verified: 'Verified, monitoring',
  kept: 'Kept',
  reverting: 'Reverting',
  reverted: 'Reverted',
  rejected: 'Rejected',
  expired: 'Expired',
  cancelled: 'Cancelled',
} satisfies Record<Exclude<ActionView['state'], 'failed'>, string>

/** "Applying, step 2 of 5". */
export function stateWords({ state, step, halfChanged }: Pick<ActionView, 'state' | 'step' | 'halfChanged'>): string {
  if (state === 'failed') return halfChanged ? 'Failed partway' : 'Failed, nothing changed'
  return step === null ? STATES[state] : `${STATES[state]}, step ${step.number} of ${step.of}`
}

type StepState = OutputOf<typeof actionsGet>['steps'][number]['state']

/** Where a step of an action stands. */
export const STEP_WORDS = {
  'to-do': 'to do',
  doing: 'in progress',
  done: 'done',
  'taking-back': 'reverting',
  'taken-back': 'reverted',
  'not-done': 'skipped',
} satisfies Record<StepState, string>
