import type { ReactNode } from 'react'

import type { PlatformMark } from '../content/platforms.ts'

/** One line drawing of 20 pixels for each kind of thing on the wall; decoration, the name says it. */
export const PLATFORM_MARKS = {
  metrics: drawn(<path d="M2.5 2.5v15h15M5.5 13.5l3.5-4.5 3 2.5 5-6.5" />),
  database: drawn(
    <>
      <ellipse cx="10" cy="4.5" rx="6.5" ry="2.5" />
      <path d="M3.5 4.5v11c0 1.4 2.9 2.5 6.5 2.5s6.5-1.1 6.5-2.5v-11M3.5 10c0 1.4 2.9 2.5 6.5 2.5s6.5-1.1 6.5-2.5" />
    </>,
  ),
  terminal: drawn(<path d="M2 3.5h16v13H2zM5 7.5l2.8 2.5L5 12.5M9.5 12.5h4.5" />),
  api: drawn(<path d="M7 3 2.5 10 7 17M13 3l4.5 7-4.5 7" />),
  gpu: drawn(<path d="M2 5h16v10H2zM5 5v10M8 5v10M11 5v10M14.5 5v10" />),
  queue: drawn(<path d="M2.5 4h10M2.5 8h10M2.5 12h10M2.5 16h10M15 7l2.5 3-2.5 3" />),
  nodes: drawn(<path d="M2.5 2.5h6v6h-6zM11.5 11.5h6v6h-6zM14.5 2.5v6M11.5 5.5h6M2.5 14.5h6" />),
  cloud: drawn(<path d="M5.5 16a3.5 3.5 0 0 1-.4-7A5 5 0 0 1 14.7 8a4 4 0 0 1-.7 8z" />),
} satisfies Record<PlatformMark, ReactNode>

function drawn(shape: ReactNode) {
  return (
    <svg
      aria-hidden
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="block"
    >
      {shape}
    </svg>
  )
}
