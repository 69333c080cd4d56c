import type { ActionState } from '../../acting/action-words.ts'

/** What a change goes through once it is approved. */
const PHASES = ['Approved', 'Checked', 'Dry run', 'Applied', 'Verified', 'Monitored', 'Kept'] as const

/** How many phases lie behind a state; undefined where it is on no such way. */
const BEHIND: Partial<Record<ActionState, number>> = {
  proposed: 0,
  approved: 1,
  checked: 2,
  rehearsed: 3,
  'handed-over': 3,
  warned: 3,
  applying: 3,
  applied: 4,
  verified: 5,
  kept: 7,
  reverting: 3,
}

export type PhaseView = { readonly name: string; readonly state: 'done' | 'now' | 'back' | 'ahead' }

/** The phases of an action as they stand; undefined where it has left the way. */
export function phasesOf(state: ActionState): readonly PhaseView[] | undefined {
  const behind = BEHIND[state]
  if (behind === undefined) return undefined
  return PHASES.map((name, index) => ({ name, state: phaseState({ index, behind, state }) }))
}

type At = { readonly index: number; readonly behind: number; readonly state: ActionState }

function phaseState({ index, behind, state }: At): PhaseView['state'] {
  if (index < behind) return 'done'
  if (index > behind || state === 'proposed') return 'ahead'
  return state === 'reverting' ? 'back' : 'now'
}
