import type { ReactNode } from 'react'

import type { AdvantageIcon as Name } from '../content/comparison.ts'

/** A line drawing of 28 pixels; decoration, the title says it. */
export function AdvantageIcon({ name }: { readonly name: Name }) {
  return (
    <svg
      aria-hidden
      width="28"
      height="28"
      viewBox="0 0 28 28"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0 text-ink-soft"
    >
      {DRAWINGS[name]}
    </svg>
  )
}

const DRAWINGS = {
  // Bars above a floor that none can go below.
  bound: <path d="M3 23h22M6 19v-9M11 19v-6M16 19v-4M21 19v-2" />,
  // One bar moves, the rest stay.
  displaced: <path d="M4 6v16M9 6v16M14 6v16M24 6v16M17 14h4m-2-2 2 2-2 2" />,
  // Four, two and one, and the slot that nothing reaches.
  placement: (
    <path d="M2.5 9h10v10h-10zM15 9h4.5v10H15zM22 9h1.5v10H22zM26.5 9v.1M26.5 12.3v.1M26.5 15.6v.1M26.5 19v.1" />
  ),
  // A gap in a line stays a gap.
  unknown: <path d="M3 19l5-7 4 3M19 10l6-4M14.5 14.2v0M16.700 12.3v0" />,
  // An arrow that goes one way.
  role: <path d="M8 3.5h12v21H8zM16 14v.1M3 14h2M23 14h2" />,
  speed: <path d="M5 20a10 10 0 1 1 18 0M14 16l5-6" />,
} satisfies Record<Name, ReactNode>
