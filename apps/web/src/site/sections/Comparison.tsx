import { COMPARISON, COMPETITORS, type Competitor, type Sourced } from '../content/comparison.ts'
import { footnote, SOURCES, sourceDay } from '../content/comparison-sources.ts'
import { COMPARE, GET_STARTED } from '../content/navigation.ts'
import { Advantages } from './Advantages.tsx'
import { ButtonLink } from './ButtonLink.tsx'
import { CutMark } from './CutMark.tsx'
import { Fold } from './Fold.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'

/** Four alternatives with their limits and what each does better, six differences, and the two ways on. */
export function Comparison() {
  return (
    <Section id="comparison" labeledBy="comparison-title">
      <SectionHead id="comparison-title" title={COMPARISON.title} lead={COMPARISON.lead} />
      <ul className="mt-5 grid gap-x-8 gap-y-3 sm:grid-cols-2 md:mt-6 lg:grid-cols-4">
        {COMPETITORS.map((competitor) => (
          <CompetitorCard key={competitor.name} competitor={competitor} />
        ))}
      </ul>
      <Advantages />
      <ClosingCall />
    </Section>
  )
}

function CompetitorCard({ competitor }: { readonly competitor: Competitor }) {
  const { name, cut, cutWords, weaknesses, better, color } = competitor
  return (
    <li>
      <div className="max-sm:hidden">
        <CutMark cut={cut} color={color} />
      </div>
      <h3 className="text-16 font-semibold tracking-tight sm:mt-2 md:text-20">{name}</h3>
      <p className="mb-2 text-14 text-ink-soft">{cutWords}</p>
      <Fold title={COMPARISON.fold}>
        <Facts title={COMPARISON.limits} facts={weaknesses} />
        <Facts title={COMPARISON.better} facts={better} />
      </Fold>
    </li>
  )
}

type FactsProps = { readonly title: string; readonly facts: readonly Sourced[] }

function Facts({ title, facts }: FactsProps) {
  return (
    <div className="pt-4">
      <h4 className="text-13 font-medium">{title}</h4>
      <ul className="mt-2 flex flex-col gap-2.5">
        {facts.map(({ text, source }) => (
          <li key={text} className="text-14 text-pretty text-ink-soft">
            {text}{' '}
            <a
              href={`/compare#source-${footnote(source)}`}
              aria-label={`Source: ${SOURCES[source].title}, ${sourceDay(SOURCES[source])}`}
              title={`${SOURCES[source].title}, ${sourceDay(SOURCES[source])}`}
              className="font-mono text-12 whitespace-nowrap text-ink-quiet underline decoration-dotted underline-offset-4 hover:text-ink"
            >
              {SOURCES[source].date}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

function ClosingCall() {
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-x-10 gap-y-4 rounded-card border border-line-strong bg-surface p-4 md:px-6 md:py-4">
      <div>
        <h3 className="text-20 font-semibold tracking-[-0.02em]">{COMPARISON.callTitle}</h3>
        <p className="mt-1 text-14 text-balance text-ink-soft">{COMPARISON.call}</p>
      </div>
      <div className="flex flex-wrap gap-2 sm:gap-3">
        <ButtonLink href={GET_STARTED.href}>{GET_STARTED.label}</ButtonLink>
        <ButtonLink href={COMPARE.href} look="outline">
          {COMPARE.label}
        </ButtonLink>
      </div>
    </div>
  )
}
