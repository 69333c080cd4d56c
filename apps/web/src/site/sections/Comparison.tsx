import comparison from '../../../content/comparison.json'
import navigation from '../../../content/navigation.json'
import { sourceOf } from '../comparison.ts'
import { filled } from '../content.ts'
import { ButtonLink } from './ButtonLink.tsx'
import { EvidenceCards } from './EvidenceCards.tsx'
import { SiteFold } from './Fold.tsx'
import { Section } from './Section.tsx'

const content = filled(comparison)

/** Four alternatives with their limits and what each does better, six differences, and the two ways on. */
export function Comparison() {
  return (
    <Section head={content}>
      <ul className="mt-5 grid gap-x-8 gap-y-3 sm:grid-cols-2 md:mt-6 lg:grid-cols-4">
        {content.competitors.map((competitor) => (
          <CompetitorCard key={competitor.name} competitor={competitor} />
        ))}
      </ul>
      <h3 className="mt-7 mb-3 text-20 font-semibold tracking-[-0.02em]">{content.advantages.title}</h3>
      <EvidenceCards cards={content.advantages.cards} title="h4" />
      <ClosingCall />
    </Section>
  )
}

type Competitor = (typeof content.competitors)[number]

function CompetitorCard({ competitor }: { readonly competitor: Competitor }) {
  const { name, cutWords, weaknesses, better, color } = competitor
  return (
    <li className="border-t-4 pt-2.5" style={{ borderColor: `var(--${color})` }}>
      <h3 className="text-16 font-semibold tracking-tight md:text-20">{name}</h3>
      <p className="mb-2 text-14 text-ink-soft">{cutWords}</p>
      <SiteFold title={content.fold}>
        <Facts title={content.limits} facts={weaknesses} />
        <Facts title={content.better} facts={better} />
      </SiteFold>
    </li>
  )
}

type FactsProps = { readonly title: string; readonly facts: Competitor['better'] }

function Facts({ title, facts }: FactsProps) {
  return (
    <div className="pt-4">
      <h4 className="text-13 font-medium">{title}</h4>
      <ul className="mt-2 flex flex-col gap-2.5">
        {facts.map(({ text, source }) => {
          const { number, name, date } = sourceOf(source)
          return (
            <li key={text} className="text-14 text-pretty text-ink-soft">
              {text}{' '}
              <a
                href={`/compare#source-${number}`}
                aria-label={`Source: ${name}`}
                title={name}
                className="font-mono text-12 whitespace-nowrap text-ink-quiet underline decoration-dotted underline-offset-4 hover:text-ink"
              >
                {date}
              </a>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function ClosingCall() {
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-x-10 gap-y-4 rounded-card border border-line-strong bg-surface p-4 md:px-6 md:py-4">
      <div>
        <h3 className="text-20 font-semibold tracking-[-0.02em]">{content.call.title}</h3>
        <p className="mt-1 text-14 text-balance text-ink-soft">{content.call.text}</p>
      </div>
      <div className="flex flex-wrap gap-2 sm:gap-3">
        <ButtonLink href={navigation.getStarted.href}>{navigation.getStarted.label}</ButtonLink>
        <ButtonLink href={navigation.compare.href} look="outline">
          {navigation.compare.label}
        </ButtonLink>
      </div>
    </div>
  )
}
