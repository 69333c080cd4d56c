import { GET_STARTED } from '../content/navigation.ts'
import { PRICING, RUNNING_COSTS } from '../content/pricing.ts'
import { ButtonLink } from './ButtonLink.tsx'
import { Section } from './Section.tsx'

/** What it costs: nothing to have, something to run. */
export function Pricing() {
  const { title, price, terms, limits, costsTitle, costsLead } = PRICING
  return (
    <Section id="pricing" labeledBy="pricing-title" ground="raised">
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
        <div>
          <h2 id="pricing-title" className="text-28 font-semibold tracking-[-0.02em] text-balance md:text-40">
            {title}
          </h2>
          <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-3">
            <p className="text-64 leading-none font-semibold tracking-[-0.04em]">{price}</p>
            <ButtonLink href={GET_STARTED.href} size="large">
              {GET_STARTED.label}
            </ButtonLink>
          </div>
          <p className="mt-4 max-w-lg text-14 text-pretty text-ink-soft">
            {terms} {limits}{' '}
            <a href="/terms" className="text-ink underline underline-offset-4">
              Terms in plain words
            </a>
          </p>
        </div>
        <div>
          <h3 className="text-20 font-semibold tracking-tight">{costsTitle}</h3>
          <p className="mt-1 text-14 text-pretty text-ink-soft">{costsLead}</p>
          <dl className="mt-3">
            {RUNNING_COSTS.map(({ what, value, note, href }) => (
              <div
                key={what}
                className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-6 border-t border-line py-2"
              >
                <dt className="text-14">
                  {what} <span className="text-13 text-ink-quiet">{note}</span>
                </dt>
                <dd>
                  <a
                    href={href}
                    className="font-mono text-14 font-medium whitespace-nowrap underline decoration-busy decoration-dotted underline-offset-4 hover:decoration-solid"
                  >
                    {value}
                  </a>
                </dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </Section>
  )
}
