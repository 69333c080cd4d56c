import type { ReactNode } from 'react'

import type { Verdict } from '../content/compare-table.ts'

/** A little slice bar: full, half, outlined, or not there. The word stands beside it. */
export function VerdictMark({ verdict }: { readonly verdict: Verdict }) {
  return (
    <svg aria-hidden width="22" height="10" className="shrink-0">
      {MARKS[verdict]}
    </svg>
  )
}

const MARKS = {
  yes: <rect width="22" height="10" rx="2.5" fill="var(--busy)" />,
  partly: (
    <>
      <rect x="0.5" y="0.5" width="21" height="9" rx="2.5" fill="var(--busy-soft)" stroke="var(--busy)" />
      <path d="M2.5 0H11v10H2.5A2.5 2.5 0 0 1 0 7.5v-5A2.5 2.5 0 0 1 2.5 0Z" fill="var(--busy)" />
    </>
  ),
  no: <rect x="0.5" y="0.5" width="21" height="9" rx="2.5" fill="none" stroke="var(--free)" />,
  outside: <line x1="0" x2="22" y1="5" y2="5" stroke="var(--line-strong)" />,
  unread: <rect x="0.5" y="0.5" width="21" height="9" rx="2.5" fill="url(#texture-unknown)" stroke="var(--unknown)" />,
} satisfies Record<Verdict, ReactNode>
