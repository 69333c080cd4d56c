import { useEffect, useRef, type ReactNode } from 'react'

import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'

type Props = {
  readonly label: string
  /** Where nothing around it says it more fully. */
  readonly secret?: string
  readonly close: () => void
  readonly children: ReactNode
  /** What is done with it. */
  readonly use?: ReactNode
}

/** What will not be seen again; so it takes the focus. */
export function ShownOnce({ label, secret, close, children, use }: Props) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [])
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={label}
      className="enters grid gap-3 rounded-card border border-transparent bg-busy-soft px-4 py-4 text-13 outline-none sm:px-5"
    >
      {children}
      <div className="flex flex-wrap items-center gap-2">
        {secret !== undefined && (
          <>
            <code className="rounded-control bg-surface px-2.5 py-1.5 font-mono break-all">{secret}</code>
            <CopyButton label="Copy" text={() => secret} />
          </>
        )}
        <Button onClick={close}>I saved it</Button>
      </div>
      {use !== undefined && <p className="text-12 text-ink-soft">{use}</p>}
    </section>
  )
}

export type MadeToken = { readonly name: string; readonly secret: string }

/** A new token's secret, once. */
export const TokenSecret = ({ made, close }: { readonly made: MadeToken; readonly close: () => void }) => (
  <ShownOnce
    label={`The secret of ${made.name}`}
    secret={made.secret}
    close={close}
    use={
      <>
        Send it as <code className="font-mono whitespace-nowrap">authorization: Bearer …</code>.
      </>
    }
  >
    <p>
      <span className="font-medium">Token {made.name} created.</span> Copy the secret now. It is shown only once; Septet
      stores a hash.
    </p>
  </ShownOnce>
)
