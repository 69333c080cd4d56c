import type { ActionView } from './schemas/actions.ts'

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
