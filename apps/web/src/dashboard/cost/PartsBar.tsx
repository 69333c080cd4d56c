import { percent } from '@septet/domain/words'
import { LOOK } from '../../ui/Swatch.tsx'
import type { ShownAmounts } from './cost-words.ts'

type Props = {
  readonly parts: ShownAmounts
  /** How much of the width is filled, 0 to 1. */
  readonly share: number
}

/** A group's amount, divided by what it went to, to scale. */
export function CostPartsBar({ parts, share }: Props) {
  const pieces = costPieces(parts)
  const words = pieces.map(({ name, part }) => `${name} ${percent(part)}`).join(', ')
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn inline, so that it follows the theme
    <svg role="img" aria-label={words} width="100%" height="16" className="block min-w-24">
      <rect y="7" width="100%" height="2" fill="var(--line)" />
      {pieces.map(({ name, part, from, look }) => (
        <rect
          key={name}
          x={`${from * share * 100}%`}
          y="0.5"
          width={`${Math.max(0.2, part * share * 100)}%`}
          height="15"
          fill={look.fill}
          stroke={look.stroke}
          strokeWidth="0.75"
        />
      ))}
    </svg>
  )
}

/** The parts in the order of every bar; what was not measured stands apart from the rest of what was used. */
export const COST_PARTS = [
  { name: 'used', meaning: 'busy', of: ({ used, unmeasured }: ShownAmounts) => used - unmeasured },
  { name: 'not measured', meaning: 'unknown', of: ({ unmeasured }: ShownAmounts) => unmeasured },
  { name: 'oversized', meaning: 'oversized', of: ({ oversized }: ShownAmounts) => oversized },
  { name: 'idle-held', meaning: 'idle', of: ({ idleHeld }: ShownAmounts) => idleHeld },
  { name: 'unallocated', meaning: 'free', of: ({ unallocated }: ShownAmounts) => unallocated ?? 0 },
  { name: 'stranded', meaning: 'stranded', of: ({ stranded }: ShownAmounts) => stranded ?? 0 },
  { name: 'broken', meaning: 'broken', of: ({ broken }: ShownAmounts) => broken ?? 0 },
  { name: 'used without a request', meaning: 'others', of: ({ unrequested }: ShownAmounts) => unrequested ?? 0 },
  { name: 'not observed', meaning: 'unknown', of: ({ unobserved }: ShownAmounts) => unobserved ?? 0 },
] as const

/** Those that there are, to scale. */
export function costPieces(parts: ShownAmounts) {
  const { capacity } = parts
  const shown = COST_PARTS.map(({ of, ...part }) => ({ ...part, amount: of(parts) })).filter(
    ({ amount }) => amount > 0 && capacity > 0,
  )
  return shown.map(({ name, meaning, amount }, order) => ({
    name,
    look: LOOK[meaning],
    amount,
    part: amount / capacity,
    /** Where it begins, as a share of the capacity. */
    from: shown.slice(0, order).reduce((sum, before) => sum + before.amount, 0) / capacity,
  }))
}
