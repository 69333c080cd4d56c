import { getStarted } from '../../../content/navigation.json'
import pricing from '../../../content/pricing.json'
import { filled } from '../content.ts'
import { ButtonLink } from './ButtonLink.tsx'
import { Section, SectionTitle } from './Section.tsx'

/** What it costs: nothing to have, something to run. */
export function Pricing() {
  const { id, title, price, terms, limits, costs } = filled(pricing)
  return (
    <Section head={{ id, title }} ground="raised">
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
        <div>
          <SectionTitle id={id} title={title} />
          <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-3">
            <p className="text-64 leading-none font-semibold tracking-[-0.04em]">{price}</p>
            <ButtonLink href={getStarted.href} size="large">
              {getStarted.label}
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
          <h3 className="text-20 font-semibold tracking-tight">{costs.title}</h3>
          <p className="mt-1 text-14 text-pretty text-ink-soft">{costs.lead}</p>
          <dl className="mt-3">
            {costs.rows.map(({ what, value, note, href }) => (
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
