import { duration } from '@septet/domain/words'
import { dayTime } from '../../ui/time-words.ts'
import type { Recommendation } from './recommendation-words.ts'
import { Part } from '../panel/Part.tsx'

type Plan = NonNullable<Recommendation['plan']>

/** The exact change, step by step, how long each takes, how good it is, what the guardrails refuse, and the way back. */
export function PlanSteps({ plan }: { readonly plan: Omit<Plan, 'byHand'> }) {
  const { steps, bound, refused } = plan
  const undo = steps.toReversed().flatMap((step) => step.undo)
  return (
    <>
      {steps.length > 0 && (
        <Part title="Steps" aside={<span className="text-12 text-ink-quiet">may stop after any</span>}>
          <ol className="grid gap-3">
            {steps.map((step) => (
              <StepItem key={step.number} step={step} />
            ))}
          </ol>
        </Part>
      )}
      {refused.length > 0 && (
        <Part title="Blocked by a guardrail">
          <ul className="grid gap-1.5 text-13">
            {refused.map(({ object, message }) => (
              <li key={`${object} ${message}`} className="rounded-control bg-idle-soft px-3 py-2 wrap-anywhere">
                {message} <span className="block text-12 text-ink-soft">{object}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {bound !== null && (
        <Part title="How close to optimal">
          <p className="text-13 wrap-anywhere">{bound}</p>
        </Part>
      )}
      <Part title="Rollback">
        {undo.length === 0 ? (
          <p className="text-13 text-ink-soft">Nothing to undo.</p>
        ) : (
          <ol className="grid list-decimal gap-1 pl-5 text-13">
            {undo.map((line, index) => (
              // The same sentence can stand twice, and the order is what counts.
              // oxlint-disable-next-line react/no-array-index-key -- the list is replaced as a whole
              <li key={index} className="wrap-anywhere">
                {line}
              </li>
            ))}
          </ol>
        )}
      </Part>
    </>
  )
}

type Step = Plan['steps'][number]

const StepItem = ({ step: { number, title, notBefore, effect, displaced, seconds } }: { readonly step: Step }) => (
  <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] text-13">
    <span className="font-mono text-ink-quiet">{number}</span>
    <div className="grid gap-0.5 wrap-anywhere">
      <p>{title}</p>
      {notBefore !== undefined && (
        <p className="text-12 font-medium">
          Due <time dateTime={notBefore}>{dayTime(notBefore)}</time>
        </p>
      )}
      <p className="text-12 text-ink-soft">{effect}</p>
      <p className="text-12 text-ink-quiet">
        {duration(seconds.low)} to {duration(seconds.high)}, {seconds.source}
        {displaced.length > 0 && `; stops ${displaced.join(', ')}`}
      </p>
    </div>
  </li>
)
