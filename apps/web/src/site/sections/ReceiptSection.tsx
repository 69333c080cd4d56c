import words from '../../../content/receipts.json'
import type { Receipt, ReceiptFigure } from '../receipts.ts'
import { FigureTable } from './FigureTable.tsx'
import { Mark } from './Mark.tsx'
import { figureText } from './figure-text.ts'

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

type BaselineBarsProps = {
  readonly figure: ReceiptFigure
  /** Whether the figure is a measurement of ours, or a published one. */
  readonly isOurs: boolean
}

/** A figure above what it stands beside, as bars from zero in one unit. */
function BaselineBars({ figure: { name, figure, unit, baseline }, isOurs }: BaselineBarsProps) {
  if (baseline === undefined) return undefined
  const end = Math.max(figure ?? 0, baseline.figure ?? 0)
  return (
    <li>
      <p className="text-13 text-pretty">{name}</p>
      <dl className="mt-2 grid gap-y-1.5 text-12">
        <Bar
          label={isOurs ? 'Septet' : 'as published'}
          value={figure}
          unit={unit}
          end={end}
          look={isOurs ? 'ours' : 'published'}
        />
        <Bar label={baseline.name} value={baseline.figure} unit={unit} end={end} look="beside" />
      </dl>
    </li>
  )
}

type BarProps = {
  readonly label: string
  readonly value: number | undefined
  readonly unit: string
  readonly end: number
  readonly look: keyof typeof LOOK
}

function Bar({ label, value, unit, end, look }: BarProps) {
  const share = value === undefined || end <= 0 ? 0 : Math.max(0, value / end)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3">
      <dt className="truncate text-ink-quiet" title={label}>
        {label}
      </dt>
      <dd className="font-mono">{figureText(value, unit)}</dd>
      <dd aria-hidden className="col-span-2 mt-0.5 h-2.5 border-l border-ink-quiet">
        {share > 0 && <div className={`h-full rounded-r-[3px] ${LOOK[look]}`} style={{ width: `${share * 100}%` }} />}
      </dd>
    </div>
  )
}

const LOOK = {
  ours: 'bg-busy',
  published: 'border border-l-0 border-busy bg-busy-soft',
  beside: 'border border-l-0 border-line-strong bg-sunken',
} as const
