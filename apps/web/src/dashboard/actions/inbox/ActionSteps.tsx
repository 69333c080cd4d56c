import { STEP_WORDS } from '@septet/contract/state-words'
import { duration } from '@septet/domain/words'

import { dayTime } from '../../../ui/time-words.ts'
import type { ActionDetail } from '../../acting/action-words.ts'
import { Part } from '../../panel/Part.tsx'

type Step = ActionDetail['steps'][number]

/** The exact steps, how far each is, and what reverts each. */
export const ActionSteps = ({ steps }: { readonly steps: readonly Step[] }) => (
  <Part title="Steps and rollback">
    <ol className="grid gap-3.5">
      {steps.map((step) => (
        <StepItem key={step.number} step={step} />
      ))}
    </ol>
  </Part>
)

const StepItem = ({
  step: { number, title, notBefore, effect, displaced, seconds, undo, state },
}: {
  readonly step: Step
}) => (
  <li id={`step-${number}`} className="grid grid-cols-[1.5rem_minmax(0,1fr)] text-13">
    <StepMark state={state} />
    <div className="grid gap-0.5 wrap-anywhere">
      <p className="flex items-baseline justify-between gap-x-3">
        <span className="min-w-0">
          <span className="font-mono text-ink-quiet">{number}</span> {title}
        </span>
        <span className={`shrink-0 text-12 ${state === 'to-do' ? 'text-ink-quiet' : 'font-medium text-ink'}`}>
          {STEP_WORDS[state]}
        </span>
      </p>
      {effect !== '' && <p className="text-12 text-ink-soft">{effect}</p>}
      {notBefore !== undefined && (
        <p className="text-12 font-medium">
          Due <time dateTime={notBefore}>{dayTime(notBefore)}</time>
        </p>
      )}
      <p className="text-12 text-ink-quiet">
        {duration(seconds.low)} to {duration(seconds.high)}, {seconds.source}
        {displaced.length > 0 && `; stops ${displaced.join(', ')}`}
      </p>
      <p className="text-12 text-ink-soft">
        <span className="text-ink-quiet">Rollback:</span> {undo.length === 0 ? 'none' : undo.join('; ')}
      </p>
    </div>
  </li>
)

/** Beside the words: hollow, pulsing, ticked, turned back or struck. */
const StepMark = ({ state }: { readonly state: Step['state'] }) => (
  <svg
    aria-hidden
    width="14"
    height="14"
    viewBox="0 0 14 14"
    fill="none"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    className={`mt-[3px] ${state === 'doing' || state === 'taking-back' ? 'waits' : ''}`}
  >
    {MARKS[state]}
  </svg>
)

const BACK = 'M4.4 8.6 2.6 6.8l1.8-1.8M2.8 6.8h5.6a2.4 2.4 0 0 1 0 4.8H7'
const MARKS = {
  'to-do': <circle cx="7" cy="7" r="5" stroke="var(--free)" />,
  doing: <circle cx="7" cy="7" r="5" stroke="var(--idle)" fill="var(--idle)" />,
  done: (
    <>
      <circle cx="7" cy="7" r="5.75" fill="var(--busy)" />
      <path d="m4.4 7.2 1.8 1.8 3.4-4" stroke="var(--on-busy)" />
    </>
  ),
  'taking-back': <path d={BACK} stroke="var(--idle)" />,
  'taken-back': <path d={BACK} stroke="var(--ink-quiet)" />,
  'not-done': <path d="M3.5 7h7" stroke="var(--ink-quiet)" />,
} satisfies Record<Step['state'], unknown>
