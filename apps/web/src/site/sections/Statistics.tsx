import claims from '../../../content/claims.json'
import words from '../../../content/receipts.json'
import { filled } from '../content.ts'
import { RECEIPTS } from '../receipts.ts'
import { EvidenceLink } from './EvidenceLink.tsx'
import { LOOKS } from './Mark.tsx'
import { Section } from './Section.tsx'

const content = filled(claims)

type Claim = (typeof content.claims)[number]

/** How it stands with a claim, read from its receipt when the site is built, so that no page can say more. */
export function statisticKind(id: string): string {
  const kind = RECEIPTS.find((receipt) => receipt.id === id)?.claim?.kind
  if (kind === undefined) throw new Error(`There is no docs/receipts/claim-${id}.json`)
  return words.kinds[kind].words
}

/** Six measured figures in one line, each with the way to its receipt. */
export function ClaimStrip() {
  return (
    <section aria-label="What was measured" className="mx-auto max-w-7xl px-6">
      <ul className="grid grid-cols-2 border-t border-l border-line sm:grid-cols-3 lg:grid-cols-6 lg:border-l-0">
        {content.claims.map(({ id, found, label }) => (
          <li
            key={id}
            className="flex flex-col border-r border-b border-line px-3 py-2 sm:px-4 sm:py-4 lg:border-b-0 lg:nth-[6n]:border-r-0 lg:nth-[6n+1]:pl-0"
          >
            <span className="text-20 font-semibold tracking-tight">{found}</span>
            <span className="text-13 text-pretty text-ink-soft">{label}</span>
            <a
              href={`/receipts#${id}`}
              className="mt-auto inline-flex min-h-6 items-end self-start pt-1 text-12 text-busy-ink underline decoration-dotted underline-offset-3 hover:decoration-solid"
            >
              {statisticKind(id).replace(words.kinds['not-reached'].words, words.kinds.measured.words)} · receipt
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The headline claims, each on a scale with what was found. */
export function Statistics() {
  return (
    <Section head={content}>
      <ul className="mt-5 grid gap-x-10 sm:grid-cols-2 md:mt-6 md:gap-y-2 lg:grid-cols-3">
        {content.claims.map((claim) => (
          <StatisticCard key={claim.id} statistic={claim} />
        ))}
      </ul>
    </Section>
  )
}

function StatisticCard({ statistic }: { readonly statistic: Claim }) {
  const { id, found, claim, caveat, scale } = statistic
  const kind = statisticKind(id)
  return (
    <li className="border-t border-line-strong py-3">
      <p className="flex items-baseline gap-3">
        <span className="text-28 font-semibold tracking-[-0.03em] whitespace-nowrap">{found}</span>
        <span className="text-13 text-pretty text-ink-soft">Claim: {claim}</span>
      </p>
      <div className="mt-2">
        <Scale scale={scale} isOurs={kind !== words.kinds.published.words} />
      </div>
      <p className="mt-2 text-13 text-pretty text-ink-soft">
        <span className="max-sm:hidden">{caveat} </span>
        <EvidenceLink href={`/receipts#${id}`}>{kind} · receipt</EvidenceLink>
      </p>
    </li>
  )
}

/** A bar as long as what was found, and a mark where the claim is. Decoration: both are written beside it. */
function Scale({ scale: { claimed, found, best, end }, isOurs }: ScaleProps) {
  const share = (value: number | string): string => `${Math.min(100, (Number(value) / end) * 100)}%`
  return (
    <div aria-hidden className="relative my-1 h-3 rounded-[3px] border border-line-strong">
      {best !== undefined && <div className={`${BAR} ${LOOKS.light}`} style={{ width: share(best) }} />}
      <div className={`${BAR} ${isOurs ? LOOKS.full : LOOKS.light}`} style={{ width: share(found) }} />
      <div
        className="absolute -inset-y-1 w-0.5 -translate-x-1/2 bg-ink ring-2 ring-paper"
        style={{ left: share(claimed) }}
      />
    </div>
  )
}

type ScaleProps = { readonly scale: Claim['scale']; readonly isOurs: boolean }

const BAR = 'absolute -inset-y-px -left-px rounded-[3px] border'
