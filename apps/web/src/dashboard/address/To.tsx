import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'

import { ChevronRightIcon } from '../../ui/icons.tsx'

type Props = {
  readonly path: string
  /** What the address says besides: what the screen opens or looks for. */
  readonly more?: Readonly<Record<string, string>>
  readonly look?: keyof typeof LOOK
  readonly className?: string
  readonly children: ReactNode
}

/** To another screen, of the same cluster and range. */
export function To({ path, more = {}, look = 'quiet', className = '', children }: Props) {
  const [search] = useSearchParams()
  return (
    <Link to={{ pathname: path, search: keptWith(search, more) }} className={`${LOOK[look]} ${className}`}>
      {children}
      {look === 'tool' && <ChevronRightIcon />}
    </Link>
  )
}

const LOOK = {
  quiet:
    'underline decoration-line decoration-1 underline-offset-4 transition-colors hover:decoration-ink focus-visible:decoration-ink',
  plain: 'rounded-control hover:underline underline-offset-4',
  accent: 'rounded-control text-accent-ink underline-offset-2 hover:underline',
  underlined: 'rounded-control text-accent-ink underline underline-offset-2',
  /** At the right of a panel's title. */
  tool: '-mr-1 inline-flex min-h-7 items-center gap-1 rounded-control px-1.5 text-12 text-ink-soft hover:bg-sunken hover:text-ink',
  /** In the head of a screen. */
  button:
    'inline-flex min-h-8 items-center rounded-control border border-line bg-surface px-3 text-13 hover:border-line-strong',
} as const

/** The cluster and the range that are chosen, for an address that says the rest itself. */
export function keptOf(search: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams()
  for (const choice of KEPT) {
    const value = search.get(choice)
    if (value !== null) kept.set(choice, value)
  }
  return kept
}

const KEPT = ['cluster', 'range', 'from', 'to', 'zone'] as const

/** The same and what else the address says, which comes before what was chosen. */
export function keptWith(search: URLSearchParams, more: Readonly<Record<string, string>>): string {
  const kept = keptOf(search)
  for (const [name, value] of Object.entries(more)) kept.set(name, value)
  return String(kept)
}
