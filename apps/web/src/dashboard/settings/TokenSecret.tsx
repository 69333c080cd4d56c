import { useEffect, useRef } from 'react'

import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'

export type MadeToken = { readonly name: string; readonly secret: string }

/** A new token's secret, once. It takes the focus, for it will not be seen again. */
export function TokenSecret({ made, close }: { readonly made: MadeToken; readonly close: () => void }) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [])
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={`The secret of ${made.name}`}
      className="enters grid gap-3 rounded-card border border-transparent bg-busy-soft px-4 py-4 text-13 outline-none sm:px-5"
    >
      <p>
        <span className="font-medium">{made.name} is made.</span> Copy its secret now: it is shown this once, and Septet
        keeps only a hash of it.
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="rounded-control bg-surface px-2.5 py-1.5 font-mono break-all">{made.secret}</code>
        <CopyButton label="Copy" text={() => made.secret} />
        <Button onClick={close}>I have kept it</Button>
      </div>
      <p className="text-12 text-ink-soft">
        Programs send it as <code className="font-mono whitespace-nowrap">authorization: Bearer …</code>.
      </p>
    </section>
  )
}
