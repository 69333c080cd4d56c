import type { ReactNode } from 'react'

import words from '../../../content/receipts.json'
import type { Receipt, ReceiptKind } from '../receipts.ts'
import { BaselineBars } from './BaselineBars.tsx'
import { FigureTable } from './FigureTable.tsx'

/** One claim: how it stands, the sentence, what was compared, what it does not say, and how to run it again. */
export function ClaimReceipt({ receipt }: { readonly receipt: Receipt }) {
  const { id, title, says, claim, figures } = receipt
  if (claim === undefined) return undefined
  const compared = figures.filter(({ baseline }) => baseline !== undefined)
  return (
    <section aria-labelledby={id} className="border-t border-line-strong pt-6 pb-16 not-first:mt-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id={id} className="scroll-mt-24 text-28 font-semibold tracking-[-0.02em] text-balance">
          <a href={`#${id}`} className="decoration-line-strong underline-offset-4 hover:underline">
            {title}
          </a>
        </h2>
        <p className={`flex items-center gap-2 text-14 font-medium ${INK[claim.kind]}`}>
          <KindMark kind={claim.kind} />
          {words.kinds[claim.kind]}
        </p>
      </div>
      <p className="mt-4 max-w-2xl text-16 text-pretty">{says}</p>
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
      <FigureTable receipt={receipt} atOnce={5} />
      <dl className="mt-6 grid gap-x-10 gap-y-4 text-13 sm:grid-cols-2">
        <div>
          <dt className="text-ink-quiet">Input</dt>
          <dd className="mt-0.5 text-pretty">{claim.input}</dd>
        </div>
        <div>
          <dt className="text-ink-quiet">Sources</dt>
          <dd className="mt-0.5 text-pretty">{claim.sources.join('; ')}</dd>
        </div>
      </dl>
      <Rerun receipt={receipt} />
    </section>
  )
}

const INK = {
  measured: 'text-busy-ink',
  published: 'text-accent-ink',
  'not-reached': 'text-idle-ink',
  target: 'text-ink-soft',
} satisfies Record<ReceiptKind, string>

/** A measurement that the site makes no claim of: what was measured on what, its figures, and how to run it again. */
export function PlainReceipt({ receipt }: { readonly receipt: Receipt }) {
  const { id, title, says } = receipt
  return (
    <section aria-labelledby={id} className="mt-10 border-t border-line-strong pt-5">
      <h3 id={id} className="scroll-mt-24 text-20 font-semibold tracking-tight text-balance">
        <a href={`#${id}`} className="decoration-line-strong underline-offset-4 hover:underline">
          {title}
        </a>{' '}
        <span className="font-mono text-13 font-normal tracking-normal text-ink-quiet">{id}</span>
      </h3>
      <p className="mt-2 max-w-2xl text-14 text-pretty text-ink-soft">{says}</p>
      <FigureTable receipt={receipt} atOnce={3} />
      <Rerun receipt={receipt} />
    </section>
  )
}

/** The command that makes a receipt again, where and when it was made, and its file. */
function Rerun({ receipt: { command, machine, date, json, title } }: { readonly receipt: Receipt }) {
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

/** How a claim stands, as a little scale with the claim as its mark. The word stands beside it. */
export function KindMark({ kind }: { readonly kind: ReceiptKind }) {
  return (
    <svg aria-hidden width="26" height="12" className="shrink-0">
      {MARKS[kind]}
      {/* The mark is what was claimed. */}
      <line x1="20" x2="20" y1="0" y2="12" stroke="var(--ink)" strokeWidth="2" />
    </svg>
  )
}

const MARKS = {
  measured: <rect y="2" width="25" height="8" rx="2" fill="var(--busy)" />,
  published: (
    <rect
      x="0.5"
      y="2.5"
      width="24"
      height="7"
      rx="2"
      fill="var(--busy-soft)"
      stroke="var(--busy)"
      strokeDasharray="3 2"
    />
  ),
  'not-reached': <rect x="0.5" y="2.5" width="12" height="7" rx="2" fill="var(--idle-soft)" stroke="var(--idle)" />,
  target: <rect x="0.5" y="2.5" width="24" height="7" rx="2" fill="none" stroke="var(--free)" strokeDasharray="2 2" />,
} satisfies Record<ReceiptKind, ReactNode>
