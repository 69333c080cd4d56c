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
      <ul className="mt-8 grid gap-y-8 sm:grid-cols-2 sm:gap-y-12 md:mt-14 lg:grid-cols-4">
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
  const { name, logo, cut, cutWords, weaknesses, better, color } = competitor
  return (
    <li className="grid content-start gap-4 border-line sm:row-span-4 sm:grid-rows-subgrid sm:pr-6 sm:max-lg:even:border-l sm:max-lg:even:pl-6 lg:not-first:border-l lg:not-first:pl-6 lg:last:pr-0">
      <div>
        <CutMark cut={cut} color={color} />
        <p className="mt-2 font-mono text-12 text-ink-quiet">
          <span className="block text-ink">{logo}</span>
          {cutWords}
        </p>
      </div>
      <h3 className="text-20 font-semibold tracking-tight text-balance">{name}</h3>
      <Fold title="Its limits, and where it is ahead">
        <Facts title="Limits" facts={weaknesses} />
        <Facts title="Better than Septet at" facts={better} isPraise />
      </Fold>
    </li>
  )
}

type FactsProps = { readonly title: string; readonly facts: readonly Sourced[]; readonly isPraise?: boolean }

function Facts({ title, facts, isPraise = false }: FactsProps) {
  return (
    <div className={isPraise ? 'border-line max-sm:pt-5 sm:border-t sm:pt-4' : 'max-sm:pt-4'}>
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
    <div className="mt-12 flex flex-wrap items-center justify-between gap-x-10 gap-y-6 rounded-card border border-line-strong bg-surface p-6 md:mt-20 md:p-10">
      <div>
        <h3 className="text-28 font-semibold tracking-[-0.02em]">{COMPARISON.callTitle}</h3>
        <p className="mt-2 max-w-xl text-16 text-balance text-ink-soft">{COMPARISON.call}</p>
      </div>
      <div className="flex flex-wrap gap-3">
        <ButtonLink href={GET_STARTED.href} size="large">
          {GET_STARTED.label}
        </ButtonLink>
        <ButtonLink href={COMPARE.href} look="outline" size="large">
          {COMPARE.label}
        </ButtonLink>
      </div>
    </div>
  )
}
