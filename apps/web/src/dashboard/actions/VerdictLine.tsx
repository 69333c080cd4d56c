import type { ScenarioResult } from '@septet/domain'
import { useEffect, useRef } from 'react'

/** What comes of it, before any table, as the server says it. It comes below the fold, so it takes the focus. */
export function VerdictLine({ result: { says, reasons, heldOut } }: { readonly result: ScenarioResult }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <div className="grid gap-1.5 rounded-card border border-line bg-surface px-5 py-4">
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-20 text-16 font-medium outline-none">
        {says}
      </h2>
      {reasons.map((sentence) => (
        <p key={sentence} className="text-13 text-ink-soft">
          {sentence}
        </p>
      ))}
      <p className="text-12 text-ink-quiet">{heldOut}</p>
    </div>
  )
}
