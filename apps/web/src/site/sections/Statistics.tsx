import { STATISTICS, STATISTICS_HEAD, type Statistic } from '../content/statistics.ts'
import { EvidenceLink } from './EvidenceLink.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'

/** The headline claims, each on a scale with what was found. */
export function Statistics() {
  return (
    <Section labeledBy="statistics-title">
      <SectionHead id="statistics-title" title={STATISTICS_HEAD.title} lead={STATISTICS_HEAD.lead} />
      <ul className="mt-5 grid gap-x-10 sm:grid-cols-2 md:mt-6 md:gap-y-2 lg:grid-cols-3">
        {STATISTICS.map((statistic) => (
          <StatisticCard key={statistic.href} statistic={statistic} />
        ))}
      </ul>
    </Section>
  )
}

function StatisticCard({ statistic }: { readonly statistic: Statistic }) {
  const { found, claim, caveat, kind, href } = statistic
  return (
    <li className="border-t border-line-strong py-3">
      <p className="flex items-baseline gap-3">
        <span className="text-28 font-semibold tracking-[-0.03em] whitespace-nowrap">{found}</span>
        <span className="text-13 text-pretty text-ink-soft">Claim: {claim}</span>
      </p>
      <div className="mt-2">
        <Scale statistic={statistic} />
      </div>
      <p className="mt-2 text-13 text-pretty text-ink-soft">
        <span className="max-sm:hidden">{caveat} </span>
        <EvidenceLink href={href}>{kind} · receipt</EvidenceLink>
      </p>
    </li>
  )
}

/** A bar as long as what was found, and a mark where the claim is. Decoration: both are written beside it. */
function Scale({ statistic: { kind, scale } }: { readonly statistic: Statistic }) {
  const share = (value: number): string => `${Math.min(100, (value / scale.end) * 100)}%`
  return (
    <svg aria-hidden width="100%" height="20" className="block overflow-visible">
      <rect
        x="0.5"
        y="3.5"
        height="13"
        rx="3"
        fill="none"
        stroke="var(--line-strong)"
        style={{ width: 'calc(100% - 1px)' }}
      />
      {scale.best !== undefined && (
        <rect
          x="0.5"
          y="3.5"
          width={share(scale.best)}
          height="13"
          rx="3"
          fill="var(--busy-soft)"
          stroke="var(--busy)"
        />
      )}
      <rect
        x="0.5"
        y="3.5"
        width={share(scale.found)}
        height="13"
        rx="3"
        fill={kind === 'published by others' ? 'var(--busy-soft)' : 'var(--busy)'}
        stroke="var(--busy)"
      />
      <line x1={share(scale.claimed)} x2={share(scale.claimed)} y1="0" y2="20" stroke="var(--paper)" strokeWidth="6" />
      <line x1={share(scale.claimed)} x2={share(scale.claimed)} y1="0" y2="20" stroke="var(--ink)" strokeWidth="2" />
    </svg>
  )
}
