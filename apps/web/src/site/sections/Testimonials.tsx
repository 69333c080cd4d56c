import testimonials from '../../../content/testimonials.json'
import { filled } from '../content.ts'
import { EvidenceLink } from './EvidenceLink.tsx'
import { LOOKS, Mark } from './Mark.tsx'
import { Section } from './Section.tsx'
import { SWIPE_CARD, SWIPE_ROW } from './swipe-row.ts'

const content = filled(testimonials)

/** A quote, who says it, and for whom. Real people's words go there once they are given; until then reruns speak. */
type Card = (typeof content.cards)[number]

/** What reruns say: one large with its bars, the others beside it. */
export function Testimonials() {
  const [first, ...others] = content.cards
  return (
    <Section head={content} ground="raised">
      <div className="mt-5 grid gap-x-14 gap-y-6 md:mt-6 lg:grid-cols-2">
        {first !== undefined && (
          <div className="border-t-2 border-ink pt-4">
            <Quote testimonial={first} isLarge />
            {first.tally !== undefined && <Tally tally={first.tally} />}
          </div>
        )}
        <div className={SWIPE_ROW}>
          {others.map((testimonial) => (
            <div key={testimonial.author} className={`border-t border-line-strong pt-3 sm:pb-3 ${SWIPE_CARD}`}>
              <Quote testimonial={testimonial} />
            </div>
          ))}
        </div>
      </div>
    </Section>
  )
}

function Quote({ testimonial, isLarge = false }: { readonly testimonial: Card; readonly isLarge?: boolean }) {
  const { quote, author, company, evidence } = testimonial
  return (
    <figure>
      <blockquote className={`text-pretty ${isLarge ? 'text-16 sm:text-20' : 'text-14 sm:text-16'}`}>
        <p>{quote}</p>
      </blockquote>
      <figcaption className="mt-1.5 flex flex-wrap gap-x-3 text-13 text-ink-soft">
        <span className="font-medium text-ink">{author}</span>
        <span>{company}</span>
        <EvidenceLink href={evidence.href}>{evidence.text}</EvidenceLink>
      </figcaption>
    </figure>
  )
}

/**
 * Counts of one thing that the quote compares, smallest first; the last one is how many there are. One small bar for each:
 * filled as far as the first count, light as far as the second, outlined beyond.
 */
function Tally({ tally: counts }: { readonly tally: NonNullable<Card['tally']> }) {
  const tally = counts.map(({ count, label }, index) => ({
    count: Number(count),
    label,
    look: TALLY[index] ?? 'empty',
  }))
  const bars = tally.flatMap(({ count, look }, index) =>
    Array.from({ length: count - (tally[index - 1]?.count ?? 0) }, () => look),
  )
  return (
    <div className="mt-5">
      <div aria-hidden className="flex h-12 gap-px sm:gap-0.5">
        {bars.map((look, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- bars are alike but for their place
          <span key={index} className={`grow rounded-[2px] border ${LOOKS[look]}`} />
        ))}
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-8 gap-y-1 text-13 text-ink-soft">
        {tally.map(({ count, label, look }) => (
          <li key={label} className="flex items-center gap-2">
            <Mark look={look} />
            <span>
              <span className="font-mono text-ink">{count}</span> {label}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const TALLY = ['full', 'light', 'empty'] as const
