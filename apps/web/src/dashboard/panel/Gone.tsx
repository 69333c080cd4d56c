import type { ReactNode } from 'react'

import { Button } from '../../ui/Button.tsx'

type Props = {
  readonly what: string
  /** Why that may be, and what to do. */
  readonly children: ReactNode
  readonly back: string
  readonly onClose: () => void
}

/** What a card says whose object the server does not know. */
export const Gone = ({ what, children, back, onClose }: Props) => (
  <div role="alert" className="grid justify-items-start gap-3 text-13">
    <p className="font-medium">{what} is not there</p>
    <p className="wrap-anywhere text-ink-soft">{children}</p>
    <Button onClick={onClose}>{back}</Button>
  </div>
)
