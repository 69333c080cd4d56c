import type { Receipt } from '../content/receipts.ts'
import { FigureTable } from './FigureTable.tsx'
import { Rerun } from './Rerun.tsx'

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
