import { ADVANTAGES, COMPARISON, type Advantage } from '../content/comparison.ts'
import { AdvantageIcon } from './AdvantageIcon.tsx'
import { EvidenceLink } from './EvidenceLink.tsx'

/** Six differences, one on a line: what it is, and the one thing to remember of it. */
export function Advantages() {
  return (
    <div className="mt-14 grid gap-x-12 gap-y-6 md:mt-24 lg:grid-cols-[1fr_3fr]">
      <div>
        <h3 className="text-28 font-semibold tracking-[-0.02em]">{COMPARISON.advantagesTitle}</h3>
        <p className="mt-3 max-w-xs text-14 text-pretty text-ink-soft">{COMPARISON.advantagesLead}</p>
      </div>
      <ul>
        {ADVANTAGES.map((advantage) => (
          <AdvantageCard key={advantage.title} advantage={advantage} />
        ))}
      </ul>
    </div>
  )
}

function AdvantageCard({ advantage }: { readonly advantage: Advantage }) {
  const { icon, title, description, highlight, evidence } = advantage
  return (
    <li className="grid gap-x-8 gap-y-2.5 border-t border-line py-5 md:py-6 last:border-b md:grid-cols-[3fr_2fr]">
      <div className="flex gap-4">
        <AdvantageIcon name={icon} />
        <div>
          <h4 className="text-16 font-semibold">{title}</h4>
          <p className="mt-1 max-w-lg text-14 text-pretty text-ink-soft">{description}</p>
        </div>
      </div>
      <p className="pl-11 md:pl-0">
        <span className="block font-mono text-20 font-medium tracking-tight">{highlight}</span>
        <EvidenceLink href={evidence.href}>{evidence.text}</EvidenceLink>
      </p>
    </li>
  )
}
