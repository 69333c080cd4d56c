import { useState } from 'react'

import { Button } from '../../ui/Button.tsx'
import { Confirm } from './Confirm.tsx'

type Props = {
  /** What it does, by a word. */
  readonly verb: string
  /** The same with what it does it to, as the row does not say it to those who hear the button alone. */
  readonly label: string
  /** What comes of a yes. */
  readonly consequence: string
  readonly busy: boolean
  readonly send: () => void
}

/** A button whose first press asks, and whose second acts: for what others notice at once and nothing takes back. */
export function AskedButton({ verb, label, consequence, busy, send }: Props) {
  const [asked, setAsked] = useState(false)
  const close = (): void => setAsked(false)
  return (
    <>
      <Button disabled={busy} aria-label={label} aria-haspopup="dialog" onClick={() => setAsked(true)}>
        {verb}
      </Button>
      {asked && (
        <Confirm title={`${label}?`} onClose={close}>
          <p className="text-ink-soft">{consequence}</p>
          <div className="flex flex-wrap gap-2">
            <Button
              look="strong"
              className="h-10 px-4"
              onClick={() => {
                close()
                send()
              }}
            >
              {verb}
            </Button>
            <Button className="h-10" onClick={close}>
              Cancel
            </Button>
          </div>
        </Confirm>
      )}
    </>
  )
}
