import { KIND_WORDS, type Receipt, type ReceiptKind } from '../content/receipts.ts'
import { BaselineBars } from './BaselineBars.tsx'
import { FigureTable } from './FigureTable.tsx'
import { KindMark } from './KindMark.tsx'
import { Rerun } from './Rerun.tsx'

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
          {KIND_WORDS[claim.kind]}
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
