import { wholePercent } from '@septet/domain/words'
import type { ReactNode } from 'react'

import { ROUTES } from '@septet/contract/routes'

import { DownloadButton } from '../panel/DownloadButton.tsx'
import { type Recommendation, riskWords } from '../recommendation/recommendation-words.ts'

/** Steps that a person can read through before the rest is worth a screen of its own. */
const STEPS_SHOWN = 6

/** Everything behind a recommendation: evidence, steps, risk, bound, way back, and the files to apply by hand. */
export function RecommendationReview({ recommendation }: { readonly recommendation: Recommendation }) {
  const { plan, risk, evidence, rule, id } = recommendation
  if (plan === null) return undefined
  return (
    <details className="group w-full text-13">
      <summary className="inline-flex min-h-7 cursor-pointer list-none items-center gap-1 rounded-control border border-line px-2.5 text-13 hover:border-line-strong [&::-webkit-details-marker]:hidden">
        <span className="group-open:hidden">Review</span>
        <span className="hidden group-open:inline">Close</span>
      </summary>
      <dl className="mt-3 grid gap-2.5 text-12">
        <Fact name="Steps">
          <ol className="grid list-decimal gap-1 pl-4">
            {plan.steps.slice(0, STEPS_SHOWN).map(({ number, title }) => (
              <li key={number}>{title}</li>
            ))}
          </ol>
          {plan.steps.length > STEPS_SHOWN && <p className="mt-1">and {plan.steps.length - STEPS_SHOWN} more</p>}
        </Fact>
        <Fact name="Rollback">{wayBack(recommendation)}</Fact>
        {risk !== null && <Fact name="Risk">{riskWords(risk)}</Fact>}
        {plan.bound !== null && <Fact name="Bound">{plan.bound}</Fact>}
        <Fact name="Evidence">
          <ul className="grid gap-0.5">
            {Object.entries(evidence.figures).map(([name, value]) => (
              <li key={name} className="flex justify-between gap-3">
                <span className="min-w-2/5">{name}</span>
                <span className="text-right font-mono text-ink wrap-anywhere">{value}</span>
              </li>
            ))}
          </ul>
          <p className="mt-1">
            Rule {rule.name}, version {rule.version}
            {evidence.coverage === null ? '' : `; ${wholePercent(evidence.coverage)} of the window measured`}.
          </p>
        </Fact>
      </dl>
      <div className="mt-2.5">
        <DownloadButton
          path={`${ROUTES.recommendationsList.path}/${encodeURIComponent(id)}`}
          file={`septet-${id}.json`}
          label="Files to apply by hand (JSON)"
        />
      </div>
    </details>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt className="text-ink-quiet">{name}</dt>
    <dd className="text-ink-soft wrap-anywhere">{children}</dd>
  </div>
)

const wayBack = ({ plan }: Recommendation): string => {
  const undo = plan?.steps.toReversed().flatMap((step) => step.undo) ?? []
  return undo.length === 0 ? 'Nothing to undo.' : `${undo.join('; ')}.`
}
