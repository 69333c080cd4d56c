import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'

type Props = {
  readonly path: string
  readonly more?: Readonly<Record<string, string>>
  readonly className?: string
  readonly children: ReactNode
}

/** To the screen that shows it in full, of the same cluster and range. */
export function To({ path, more = {}, className = QUIET, children }: Props) {
  const [search] = useSearchParams()
  const kept = new URLSearchParams([...search, ...Object.entries(more)])
  return (
    <Link to={{ pathname: path, search: String(kept) }} className={className}>
      {children}
    </Link>
  )
}

const QUIET =
  'underline decoration-line decoration-1 underline-offset-4 transition-colors hover:decoration-ink focus-visible:decoration-ink'
