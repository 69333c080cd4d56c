import type { ReactNode } from 'react'

import type { Competitor, Cut } from '../content/comparison.ts'

/** How a product divides a GPU, as a slice bar: stands where its logo would, which is not ours to show. */
export function CutMark({ cut, color }: Pick<Competitor, 'cut' | 'color'>) {
  return (
    <svg
      aria-hidden
      width="100%"
      height="28"
      viewBox="0 0 200 40"
      preserveAspectRatio="none"
      style={{ color: `var(--${color})` }}
      className="block"
    >
      {MARKS[cut]}
    </svg>
  )
}

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, vectorEffect: 'non-scaling-stroke' } as const

const MARKS = {
  // One geometry for a node, whatever its work is.
  fixed: [0, 1, 2, 3, 4, 5, 6].map((slot) => (
    <rect key={slot} x={1 + slot * 28.4} y="8" width="27" height="24" {...line} />
  )),
  layers: [0, 1, 2, 3].map((layer) => (
    <rect
      key={layer}
      x="1"
      y={6 + layer * 7.5}
      width="198"
      height="5"
      fill="currentColor"
      opacity={0.95 - layer * 0.22}
    />
  )),
  fractions: (
    <>
      <rect x="1" y="8" width="99" height="24" fill="currentColor" />
      <rect x="101" y="8" width="49" height="24" fill="currentColor" opacity="0.5" />
      <rect x="151" y="8" width="48" height="24" {...line} strokeDasharray="4 3" />
    </>
  ),
  ruler: (
    <>
      <line x1="1" x2="199" y1="32" y2="32" {...line} />
      {Array.from({ length: 17 }, (_, tick) => (
        // oxlint-disable-next-line react/no-array-index-key -- a fixed drawing
        <line key={tick} x1={1 + tick * 12.375} x2={1 + tick * 12.375} y1={tick % 4 === 0 ? 8 : 20} y2="32" {...line} />
      ))}
    </>
  ),
} satisfies Record<Cut, ReactNode>
