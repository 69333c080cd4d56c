import { useState, type ReactNode } from 'react'

import { Button } from '../../ui/Button.tsx'

type Props = {
  readonly verb: string
  readonly className?: string
  /** What stands beside the button that opens it. */
  readonly beside?: ReactNode
  readonly children: (close: () => void) => ReactNode
}

/** A form that is not there until it is asked for. */
export function Opened({ verb, className = '', beside, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return children(() => setOpen(false))
  return (
    <div className={`flex flex-wrap gap-3 ${className}`}>
      <Button onClick={() => setOpen(true)}>{verb}</Button>
      {beside}
    </div>
  )
}
