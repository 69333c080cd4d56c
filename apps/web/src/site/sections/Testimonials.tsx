import testimonials from '../../../content/testimonials.json'
import { filled } from '../content.ts'
import { EvidenceLink } from './EvidenceLink.tsx'
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

/** Counts of one thing that the quote compares, smallest first; the last one is how many there are. One small bar for each thing there is: filled as far as the first count, light as far as the second, outlined beyond. */
function Tally({ tally: counts }: { readonly tally: NonNullable<Card['tally']> }) {
  const tally = counts.map(({ count, label }) => ({ count: Number(count), label }))
  const total = tally.at(-1)?.count ?? 0
  const width = 100 / total
  return (
    <div className="mt-5">
      <svg aria-hidden width="100%" height="48" className="block">
        {Array.from({ length: total }, (_, index) => (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- bars are alike but for their place
            key={index}
            x={`${index * width}%`}
            y="0.5"
            width={`${width * 0.66}%`}
            height="47"
            rx="1.5"
            {...LOOKS[Math.min(tally.filter(({ count }) => count <= index).length, LOOKS.length - 1)]}
          />
        ))}
      </svg>
      <ul className="mt-3 flex flex-wrap gap-x-8 gap-y-1 text-13 text-ink-soft">
        {tally.map(({ count, label }, index) => (
          <li key={label} className="flex items-center gap-2">
            <svg aria-hidden width="8" height="16">
              <rect x="0.5" y="0.5" width="7" height="15" rx="1.5" {...LOOKS[Math.min(index, LOOKS.length - 1)]} />
            </svg>
            <span>
              <span className="font-mono text-ink">{count}</span> {label}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const LOOKS = [
  { fill: 'var(--busy)', stroke: 'var(--busy)' },
  { fill: 'var(--busy-soft)', stroke: 'var(--busy)' },
  { fill: 'none', stroke: 'var(--line-strong)' },
] as const
