import words from '../../../content/receipts.json'
import type { Receipt, ReceiptFigure } from '../receipts.ts'
import { BaselineBars } from './BaselineBars.tsx'
import { FigureTable } from './FigureTable.tsx'
import { Mark } from './Mark.tsx'

type Props = { readonly receipt: Receipt }
type Claim = NonNullable<Receipt['claim']>

/** A measurement: what was measured on what, its figures, and how to run it again. Of a claim also how it stands and what it does not show. */
export function ReceiptSection({ receipt }: Props) {
  const { id, title, says, claim, figures } = receipt
  const [Title, look] = claim === undefined ? (['h3', OTHER] as const) : (['h2', CLAIMED] as const)
  return (
    <section aria-labelledby={id} className={`border-t border-line-strong ${look.section}`}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <Title id={id} className={`scroll-mt-24 font-semibold text-balance ${look.title}`}>
          <a href={`#${id}`} className="decoration-line-strong underline-offset-4 hover:underline">
            {title}
          </a>
          {claim === undefined && (
            <span className="ml-2 font-mono text-13 font-normal tracking-normal text-ink-quiet">{id}</span>
          )}
        </Title>
        {claim !== undefined && (
          <ClaimStanding kind={claim.kind} className={`text-14 font-medium ${INK[claim.kind]}`} />
        )}
      </div>
      <p className={`max-w-2xl text-pretty ${look.says}`}>{says}</p>
      {claim !== undefined && <Compared claim={claim} figures={figures} />}
      <FigureTable receipt={receipt} atOnce={look.atOnce} />
      {claim !== undefined && (
        <dl className="mt-6 grid gap-x-10 gap-y-4 text-13 sm:grid-cols-2">
          <Basis name="Input" text={claim.input} />
          <Basis name="Sources" text={claim.sources.join('; ')} />
        </dl>
      )}
      <Rerun receipt={receipt} />
    </section>
  )
}

const CLAIMED = { section: 'pt-6 pb-16', title: 'text-28 tracking-[-0.02em]', says: 'mt-4 text-16', atOnce: 5 }
const OTHER = {
  section: 'mt-10 pt-5',
  title: 'text-20 tracking-tight',
  says: 'mt-2 text-14 text-ink-soft',
  atOnce: 3,
}

const INK = {
  measured: 'text-busy-ink',
  published: 'text-accent-ink',
  'not-reached': 'text-idle-ink',
  target: 'text-ink-soft',
} satisfies Record<Claim['kind'], string>

/** How it stands with a claim. */
export const ClaimStanding = ({ kind, className }: { readonly kind: Claim['kind']; readonly className: string }) => (
  <span className={`flex items-center gap-2 ${className}`}>
    <Mark look={words.kinds[kind].mark} />
    {words.kinds[kind].words}
  </span>
)

function Compared({ claim, figures }: { readonly claim: Claim; readonly figures: readonly ReceiptFigure[] }) {
  const compared = figures.filter(({ baseline }) => baseline !== undefined)
  return (
    <>
      <p className="mt-4 max-w-2xl border-l-2 border-line-strong pl-4 text-14 text-pretty text-ink-soft">
        <strong className="block text-13 font-medium text-ink">What this doesn’t show</strong>
        {claim.saysNot}
      </p>
      {compared.length > 0 && (
        <ul className="mt-8 grid gap-x-10 gap-y-6 sm:grid-cols-2">
          {compared.map((figure) => (
            <BaselineBars key={figure.name} figure={figure} isOurs={claim.kind !== 'published'} />
          ))}
        </ul>
      )}
    </>
  )
}

const Basis = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <div>
    <dt className="text-ink-quiet">{name}</dt>
    <dd className="mt-0.5 text-pretty">{text}</dd>
  </div>
)

/** The command that makes a receipt again, where and when it was made, and its file. */
function Rerun({ receipt: { command, machine, date, json, title } }: Props) {
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 text-12 text-ink-quiet">
      <div data-code className="code code-line">
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls where it is longer than the screen is wide
          tabIndex={0}
        >
          <code>{command}</code>
        </pre>
      </div>
      <p className="text-pretty">
        <time dateTime={date}>{date}</time> · {machine} ·{' '}
        <a
          href={json}
          aria-label={`${title}: the receipt as JSON`}
          className="text-ink-soft underline decoration-line-strong underline-offset-3 hover:decoration-ink"
        >
          JSON
        </a>
      </p>
    </div>
  )
}
