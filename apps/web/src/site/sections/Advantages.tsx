import { ADVANTAGES, COMPARISON, type Advantage } from '../content/comparison.ts'
import { AdvantageIcon } from './AdvantageIcon.tsx'
import { EvidenceLink } from './EvidenceLink.tsx'
import { SWIPE_CARD, SWIPE_ROW } from './swipe-row.ts'

/** Six differences: what each is, and the one thing to remember of it. */
export function Advantages() {
  return (
    <>
      <h3 className="mt-7 text-20 font-semibold tracking-[-0.02em]">{COMPARISON.advantagesTitle}</h3>
      <ul className={`mt-3 gap-x-10 sm:grid sm:grid-cols-2 lg:grid-cols-3 ${SWIPE_ROW}`}>
        {ADVANTAGES.map((advantage) => (
          <AdvantageCard key={advantage.title} advantage={advantage} />
        ))}
      </ul>
    </>
  )
}

function AdvantageCard({ advantage }: { readonly advantage: Advantage }) {
  const { icon, title, description, highlight, evidence } = advantage
  return (
    <li
      className={`grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3.5 border-t border-line pt-3 sm:pb-3 ${SWIPE_CARD}`}
    >
      <AdvantageIcon name={icon} />
      <div>
        <h4 className="text-16 font-semibold tracking-tight">{title}</h4>
        <p className="mt-0.5 text-14 text-pretty text-ink-soft">{description}</p>
        <p className="mt-1.5 flex flex-wrap items-baseline gap-x-2.5">
          <span className="font-mono text-16 font-medium tracking-tight">{highlight}</span>
          <EvidenceLink href={evidence.href}>{evidence.text}</EvidenceLink>
        </p>
      </div>
    </li>
  )
}
