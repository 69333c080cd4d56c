import { FEATURES, FEATURES_HEAD, type Feature } from '../content/features.ts'
import { EvidenceLink } from './EvidenceLink.tsx'
import { DRAWINGS } from './FeatureDrawings.tsx'
import { SWIPE_CARD, SWIPE_ROW } from './swipe-row.ts'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'

/** The six promises, each with its evidence. */
export function Features() {
  return (
    <Section id="features" labeledBy="features-title">
      <SectionHead id="features-title" title={FEATURES_HEAD.title} lead={FEATURES_HEAD.lead} />
      <ul className={`mt-5 gap-x-10 sm:grid sm:grid-cols-2 sm:gap-y-8 md:mt-6 lg:grid-cols-3 ${SWIPE_ROW}`}>
        {FEATURES.map((feature) => (
          <FeatureCard key={feature.title} feature={feature} />
        ))}
      </ul>
    </Section>
  )
}

function FeatureCard({ feature: { icon, title, description, evidence } }: { readonly feature: Feature }) {
  return (
    <li
      className={`content-start gap-1.5 max-sm:flex max-sm:flex-col sm:row-span-3 sm:grid sm:grid-rows-subgrid ${SWIPE_CARD}`}
    >
      <div>
        {DRAWINGS[icon]}
        <h3 className="mt-1.5 text-16 font-semibold tracking-tight md:text-20">{title}</h3>
      </div>
      <p className="text-14 text-pretty text-ink-soft">{description}</p>
      <p>
        <EvidenceLink href={evidence.href}>{evidence.text}</EvidenceLink>
      </p>
    </li>
  )
}
