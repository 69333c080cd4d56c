import { GET_STARTED } from '../content/navigation.ts'
import { MISSING, PRICING, RUNNING_COSTS } from '../content/pricing.ts'
import { ButtonLink } from './ButtonLink.tsx'
import { Section } from './Section.tsx'

/** What it costs: nothing to have, something to run, and what one does not get. */
export function Pricing() {
  return (
    <Section id="pricing" labeledBy="pricing-title" ground="raised">
      <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[1fr_2fr]">
        <div className="flex flex-col items-start gap-5">
          <h2 id="pricing-title" className="text-28 font-semibold tracking-[-0.02em] text-balance md:text-40">
            {PRICING.title}
          </h2>
          <p className="text-64 font-semibold tracking-[-0.04em]">{PRICING.price}</p>
          <p className="max-w-xs text-16 text-pretty text-ink-soft">
            {PRICING.terms}{' '}
            <a href="/terms" className="text-ink underline underline-offset-4">
              The terms in plain words
            </a>
            .
          </p>
          <ButtonLink href={GET_STARTED.href} size="large">
            {GET_STARTED.label}
          </ButtonLink>
        </div>
        <div className="grid content-start gap-12">
          <RunningCosts />
          <div>
            <h3 className="text-20 font-semibold tracking-tight">{PRICING.missingTitle}</h3>
            <ul className="mt-4 grid gap-x-10 gap-y-2 text-14 text-ink-soft sm:grid-cols-2">
              {MISSING.map((line) => (
                <li key={line} className="flex gap-3 text-pretty">
                  <span aria-hidden className="mt-2 h-1.5 w-3 shrink-0 rounded-[2px] border border-line-strong" />
                  {line}
                </li>
              ))}
            </ul>
          </div>
        </div>
      </div>
    </Section>
  )
}

function RunningCosts() {
  return (
    <div>
      <h3 className="text-20 font-semibold tracking-tight">{PRICING.costsTitle}</h3>
      <p className="mt-2 max-w-2xl text-14 text-pretty text-ink-soft">{PRICING.costsLead}</p>
      <dl className="mt-5">
        {RUNNING_COSTS.map(({ what, value, note, href }) => (
          <div
            key={what}
            className="grid gap-x-6 gap-y-0.5 border-t border-line py-3.5 sm:grid-cols-[14rem_7rem_1fr] sm:items-baseline"
          >
            <dt className="text-14">{what}</dt>
            <dd className="sm:text-right">
              <a
                href={href}
                className="font-mono text-16 font-medium underline decoration-busy decoration-dotted underline-offset-4 hover:decoration-solid"
              >
                {value}
              </a>
            </dd>
            <dd className="text-13 text-pretty text-ink-quiet">{note}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
