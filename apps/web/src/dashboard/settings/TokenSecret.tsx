import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ShownOnce } from './ShownOnce.tsx'

export type MadeToken = { readonly name: string; readonly secret: string }

/** A new token's secret, once. */
export function TokenSecret({ made, close }: { readonly made: MadeToken; readonly close: () => void }) {
  return (
    <ShownOnce label={`The secret of ${made.name}`}>
      <p>
        <span className="font-medium">Token {made.name} created.</span> Copy the secret now. It is shown only once;
        Septet stores a hash.
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="rounded-control bg-surface px-2.5 py-1.5 font-mono break-all">{made.secret}</code>
        <CopyButton label="Copy" text={() => made.secret} />
        <Button onClick={close}>I saved it</Button>
      </div>
      <p className="text-12 text-ink-soft">
        Send it as <code className="font-mono whitespace-nowrap">authorization: Bearer …</code>.
      </p>
    </ShownOnce>
  )
}
