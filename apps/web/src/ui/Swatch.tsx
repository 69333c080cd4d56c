import type { Meaning } from './slice-words.ts'

/** A small square in the color and texture of a meaning. */
export function Swatch({
  meaning,
  size = 10,
}: {
  readonly meaning: Meaning | 'oversized' | 'broken'
  readonly size?: number
}) {
  const { dash, ...look } = { dash: undefined, ...LOOK[meaning] }
  return (
    <svg aria-hidden width={size} height={size} className="shrink-0">
      <rect x="0.5" y="0.5" width={size - 1} height={size - 1} rx="2" {...look} strokeDasharray={dash} />
    </svg>
  )
}

/** The broken outline of memory from which an instance can be cut; that of an instance which nobody holds is whole. */
export const UNCUT_DASH = '3 2'

/** Fill and outline of each meaning where it is drawn as a plain area; `oversized` is busy space cut too large, `broken` what cannot be used. */
export const LOOK = {
  busy: { fill: 'var(--busy)', stroke: 'var(--busy)' },
  idle: { fill: 'url(#texture-idle)', stroke: 'var(--idle)' },
  free: { fill: 'var(--surface)', stroke: 'var(--free)' },
  uncut: { fill: 'none', stroke: 'var(--free)', dash: UNCUT_DASH },
  stranded: { fill: 'url(#texture-stranded)', stroke: 'var(--stranded)' },
  unknown: { fill: 'url(#texture-unknown)', stroke: 'var(--unknown)' },
  others: { fill: 'var(--line)', stroke: 'var(--unknown)' },
  oversized: { fill: 'var(--busy-soft)', stroke: 'var(--busy)' },
  broken: { fill: 'var(--fault)', stroke: 'var(--fault)' },
} satisfies Record<Meaning | 'oversized' | 'broken', { fill: string; stroke: string; dash?: string }>
