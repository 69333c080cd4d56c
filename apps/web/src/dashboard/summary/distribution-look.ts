import type { Answer } from '../../api.ts'
import { LOOK } from '../../ui/Swatch.tsx'

type Kind = Answer<'summaryGet'>['distribution']['parts'][number]['kind']

/**
 * Fill and outline of each part. What worked is a solid shade of busy, what idled has the hatch of idle time, what nobody
 * held is an outline, so that no meaning hangs on color alone.
 */
export const PART_LOOK = {
  training: { fill: 'var(--busy-ink)', stroke: 'var(--busy-ink)' },
  inference: { fill: 'var(--busy)', stroke: 'var(--busy)' },
  analytics: { fill: 'var(--planned)', stroke: 'var(--busy)' },
  other: LOOK.others,
  idle: LOOK.idle,
  unallocated: LOOK.free,
} as const satisfies Record<Kind, { readonly fill: string; readonly stroke: string }>

/** Ink that can be read on each part; undefined where a texture needs a ground of its own. */
export const PART_INK = {
  training: 'var(--paper)',
  inference: 'var(--on-busy)',
  analytics: 'var(--ink)',
  other: 'var(--ink)',
  idle: undefined,
  unallocated: 'var(--ink-soft)',
} as const satisfies Record<Kind, string | undefined>
