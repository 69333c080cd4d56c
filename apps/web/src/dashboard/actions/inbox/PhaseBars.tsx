import type { ActionState } from '../../acting/action-words.ts'
import { phasesOf, type PhaseView } from './phases.ts'

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
