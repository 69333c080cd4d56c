import { TESTIMONIALS, TESTIMONIALS_HEAD, type Testimonial } from '../content/testimonials.ts'
import { EvidenceLink } from './EvidenceLink.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'
import { SWIPE_CARD, SWIPE_ROW } from './swipe-row.ts'
import { Tally } from './Tally.tsx'

/** What reruns say: one large with its bars, the others beside it. */
export function Testimonials() {
  const [first, ...others] = TESTIMONIALS
  return (
    <Section labeledBy="testimonials-title" ground="raised">
      <SectionHead id="testimonials-title" title={TESTIMONIALS_HEAD.title} lead={TESTIMONIALS_HEAD.lead} />
      <div className="mt-5 grid gap-x-14 gap-y-6 md:mt-6 lg:grid-cols-2">
        {first !== undefined && (
          <div className="border-t-2 border-ink pt-4">
            <Card testimonial={first} isLarge />
            {first.tally !== undefined && <Tally tally={first.tally} />}
          </div>
        )}
        <div className={SWIPE_ROW}>
          {others.map((testimonial) => (
            <div key={testimonial.author} className={`border-t border-line-strong pt-3 sm:pb-3 ${SWIPE_CARD}`}>
              <Card testimonial={testimonial} />
            </div>
          ))}
        </div>
      </div>
    </Section>
  )
}

function Card({ testimonial, isLarge = false }: { readonly testimonial: Testimonial; readonly isLarge?: boolean }) {
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
