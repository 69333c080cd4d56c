import { FEATURES, type Feature } from '../content/features.ts'
import { EvidenceLink } from './EvidenceLink.tsx'
import { DRAWINGS } from './FeatureDrawings.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'

/** The six promises, each with what is true of it in this version. */
export function Features() {
  return (
    <Section id="features" labeledBy="features-title">
      <SectionHead
        id="features-title"
        title="Six promises, and where each stands"
        lead="What Septet is for, what this version does of it, and the evidence. The bars are drawings; the numbers have receipts."
      />
      <ul className="mt-8 grid gap-x-10 gap-y-10 md:mt-14 md:gap-y-14 md:grid-cols-2 lg:grid-cols-3">
        {FEATURES.map((feature) => (
          <FeatureCard key={feature.title} feature={feature} />
        ))}
      </ul>
    </Section>
  )
}

function FeatureCard({ feature: { icon, title, description, today, evidence } }: { readonly feature: Feature }) {
  return (
    <li className="grid content-start gap-3 border-t border-line-strong pt-6 md:row-span-4 md:grid-rows-subgrid">
      <div>
        {DRAWINGS[icon]}
        <h3 className="mt-5 text-20 md:mt-6 font-semibold tracking-tight">{title}</h3>
      </div>
      <p className="text-14 text-pretty text-ink-soft">{description}</p>
      <p className="border-l-2 border-line-strong pl-3 text-13 text-pretty text-ink-soft">
        <b className="font-medium text-ink">Today.</b> {today}
      </p>
      <p>
        <EvidenceLink href={evidence.href}>{evidence.text}</EvidenceLink>
      </p>
    </li>
  )
}
