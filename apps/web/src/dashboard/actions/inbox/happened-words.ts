import type { ActionDetail, ActionState } from '../../acting/action-words.ts'

type Transitions = ActionDetail['transitions']

/** What has happened by a transition, in a few words. A step that is done, or reverted, names the one that is next. */
export function happenedWords(transitions: Transitions, number: number): string {
  const [before, transition] = [number - 1, number].map((each) => transitions.find((one) => one.number === each))
  if (transition === undefined) return ''
  const { state, step } = transition
  if (step === null || before?.state !== state) return WORDS[state]
  return state === 'reverting' ? `Step ${step + 1} reverted` : `Step ${step - 1} done`
}

const WORDS = {
  proposed: 'Proposed',
  approved: 'Approved',
  checked: 'Checked again',
  rehearsed: 'Dry run passed',
  'handed-over': 'Handed over',
  warned: 'Owner notified',
  applying: 'Started',
  applied: 'Applied',
  verified: 'Verified',
  kept: 'Kept',
  reverting: 'Reverting',
  reverted: 'Reverted',
  rejected: 'Rejected',
  expired: 'Expired',
  cancelled: 'Cancelled',
  failed: 'Failed',
} satisfies Record<ActionState, string>
