import { STATISTICS, STATISTICS_HEAD, type Statistic } from '../content/statistics.ts'
import { EvidenceLink } from './EvidenceLink.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'

/** The headline claims, each on a scale with what was found. */
export function Statistics() {
  return (
    <Section labeledBy="statistics-title">
      <SectionHead id="statistics-title" title={STATISTICS_HEAD.title} lead={STATISTICS_HEAD.lead} />
      <ul className="mt-8 grid gap-x-12 md:mt-14 lg:grid-cols-2">
        {STATISTICS.map((statistic) => (
          <StatisticCard key={statistic.href} statistic={statistic} />
        ))}
      </ul>
    </Section>
  )
}

function StatisticCard({ statistic }: { readonly statistic: Statistic }) {
  const { value, label, kind, found, href } = statistic
  const isReached = kind !== 'not reached'
  return (
    <li className="grid content-start gap-x-6 gap-y-3 border-t border-line-strong py-5 md:py-7 sm:grid-cols-[13rem_1fr]">
      <p>
        <span
          className={`block text-40 font-semibold tracking-[-0.03em] whitespace-nowrap ${isReached ? '' : 'text-ink-quiet line-through decoration-2'}`}
        >
          {value}
        </span>
        <span className="block text-14 text-ink-soft">{label}</span>
      </p>
      <div className="sm:pt-3">
        <Scale statistic={statistic} />
        <p className="mt-3 text-14 text-pretty text-ink-soft">{found}</p>
        <p className="mt-1.5">
          <EvidenceLink href={href}>{kind} · receipt</EvidenceLink>
        </p>
      </div>
    </li>
  )
}

/** A bar as long as what was found, and a mark where the claim is. Decoration: both are written beside it. */
function Scale({ statistic: { kind, scale } }: { readonly statistic: Statistic }) {
  const share = (value: number): string => `${Math.min(100, (value / scale.end) * 100)}%`
  return (
    <svg aria-hidden width="100%" height="26" className="block overflow-visible">
      <rect
        x="0.5"
        y="5.5"
        height="15"
        rx="3"
        fill="none"
        stroke="var(--line-strong)"
        style={{ width: 'calc(100% - 1px)' }}
      />
      {scale.best !== undefined && (
        <rect
          x="0.5"
          y="5.5"
          width={share(scale.best)}
          height="15"
          rx="3"
          fill="var(--busy-soft)"
          stroke="var(--busy)"
        />
      )}
      <rect
        x="0.5"
        y="5.5"
        width={share(scale.found)}
        height="15"
        rx="3"
        fill={kind === 'published by others' ? 'var(--busy-soft)' : 'var(--busy)'}
        stroke="var(--busy)"
      />
      <line x1={share(scale.claimed)} x2={share(scale.claimed)} y1="0" y2="26" stroke="var(--paper)" strokeWidth="6" />
      <line x1={share(scale.claimed)} x2={share(scale.claimed)} y1="0" y2="26" stroke="var(--ink)" strokeWidth="2" />
    </svg>
  )
}
