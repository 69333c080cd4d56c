import type { ReactNode } from 'react'

import type { ReceiptKind } from '../content/receipts.ts'

/** How a claim stands, as a little scale with the claim as its mark. The word stands beside it. */
export function KindMark({ kind }: { readonly kind: ReceiptKind }) {
  return (
    <svg aria-hidden width="26" height="12" className="shrink-0">
      {MARKS[kind]}
      {/* The mark is what was claimed. */}
      <line x1="20" x2="20" y1="0" y2="12" stroke="var(--ink)" strokeWidth="2" />
    </svg>
  )
}

const MARKS = {
  measured: <rect y="2" width="25" height="8" rx="2" fill="var(--busy)" />,
  published: (
    <rect
      x="0.5"
      y="2.5"
      width="24"
      height="7"
      rx="2"
      fill="var(--busy-soft)"
      stroke="var(--busy)"
      strokeDasharray="3 2"
    />
  ),
  'not-reached': <rect x="0.5" y="2.5" width="12" height="7" rx="2" fill="var(--idle-soft)" stroke="var(--idle)" />,
  target: <rect x="0.5" y="2.5" width="24" height="7" rx="2" fill="none" stroke="var(--free)" strokeDasharray="2 2" />,
} satisfies Record<ReceiptKind, ReactNode>
