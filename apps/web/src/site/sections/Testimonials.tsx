import { TESTIMONIALS, TESTIMONIALS_HEAD, type Testimonial } from '../content/testimonials.ts'
import { EvidenceLink } from './EvidenceLink.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'
import { Tally } from './Tally.tsx'

/** What reruns say, one large and the others beside each other. */
export function Testimonials() {
  const [first, ...others] = TESTIMONIALS
  return (
    <Section labeledBy="testimonials-title" ground="raised">
      <SectionHead id="testimonials-title" title={TESTIMONIALS_HEAD.title} lead={TESTIMONIALS_HEAD.lead} />
      {first !== undefined && (
        <div className="mt-8 border-t-2 border-ink pt-6 md:pt-8 md:mt-14">
          <Card testimonial={first} isLarge />
          {first.tally !== undefined && <Tally tally={first.tally} />}
        </div>
      )}
      <div className="mt-10 grid gap-x-10 gap-y-9 md:mt-14 md:grid-cols-3">
        {others.map((testimonial) => (
          <div key={testimonial.author} className="border-t border-line-strong pt-6">
            <Card testimonial={testimonial} />
          </div>
        ))}
      </div>
    </Section>
  )
}

function Card({ testimonial, isLarge = false }: { readonly testimonial: Testimonial; readonly isLarge?: boolean }) {
  const { quote, author, company, evidence } = testimonial
  return (
    <figure className={isLarge ? 'grid gap-x-12 gap-y-6 lg:grid-cols-[3fr_1fr]' : 'flex h-full flex-col gap-5'}>
      <blockquote className={`text-pretty ${isLarge ? 'max-w-4xl text-20 md:text-28' : 'text-16'}`}>
        <p>{quote}</p>
      </blockquote>
      <figcaption className={`text-14 ${isLarge ? 'self-end' : 'mt-auto'}`}>
        <span className="block font-medium">{author}</span>
        <span className="mb-2 block text-ink-soft">{company}</span>
        <EvidenceLink href={evidence.href}>{evidence.text}</EvidenceLink>
      </figcaption>
    </figure>
  )
}
