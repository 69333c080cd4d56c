import { FEATURES } from '../content/features.ts'
import type { Feature } from '../content/features.ts'
import { EvidenceLink } from './EvidenceLink.tsx'
import { DRAWINGS } from './FeatureDrawings.tsx'
import { SectionHead } from './SectionHead.tsx'

/** The six promises, each with what is true of it in this version. */
export function Features() {
  return (
    <section
      id="features"
      aria-labelledby="features-title"
      className="mx-auto max-w-7xl scroll-mt-16 px-6 py-20 md:py-28"
    >
      <SectionHead
        id="features-title"
        title="Six promises, and where each stands"
        lead="What Septet is for, what this version does of it, and the evidence. The bars are drawings; the numbers have receipts."
        shape="split"
      />
      <ul className="mt-12 grid gap-x-10 gap-y-14 md:mt-16 md:grid-cols-2 lg:grid-cols-3">
        {FEATURES.map((feature) => (
          <FeatureCard key={feature.title} feature={feature} />
        ))}
      </ul>
    </section>
  )
}

function FeatureCard({ feature: { icon, title, description, today, evidence } }: { readonly feature: Feature }) {
  return (
    <li className="grid content-start gap-3 border-t border-line-strong pt-6 md:row-span-4 md:grid-rows-subgrid">
      <div>
        {DRAWINGS[icon]}
        <h3 className="mt-6 text-20 font-semibold tracking-tight">{title}</h3>
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
