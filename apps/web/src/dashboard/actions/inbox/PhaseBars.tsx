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

type PhaseView = { readonly name: string; readonly state: 'done' | 'now' | 'back' | 'ahead' }

/** The phases of an action as they stand; undefined where it has left the way. */
function phasesOf(state: ActionState): readonly PhaseView[] | undefined {
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

type Props = { readonly state: ActionState; readonly labels?: boolean }

/** Seven bars, one for each phase of a change. The words beside them say the same. */
export function PhaseBars({ state, labels = false }: Props) {
  const phases = phasesOf(state)
  if (phases === undefined) return undefined
  return (
    <ol aria-label="Progress" className="grid grid-cols-7 gap-1">
      {phases.map((phase) => (
        <li key={phase.name} className="grid gap-1">
          <span aria-hidden className={`block h-1.5 rounded-full ${LOOK[phase.state]}`} />
          <span className={labels ? `text-12 max-sm:sr-only ${INK[phase.state]}` : 'sr-only'}>
            {phase.name}
            <span className="sr-only">: {SAID[phase.state]}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}

const LOOK = {
  done: 'bg-busy',
  now: 'waits bg-idle',
  back: 'hatch-idle',
  ahead: 'border border-line-strong',
} satisfies Record<PhaseView['state'], string>

const INK = {
  done: 'text-ink-soft',
  now: 'font-medium text-ink',
  back: 'font-medium text-ink',
  ahead: 'text-ink-quiet',
} satisfies typeof LOOK

const SAID = { done: 'done', now: 'now', back: 'reverting', ahead: 'ahead' } satisfies typeof LOOK
