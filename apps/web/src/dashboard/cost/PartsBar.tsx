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
export function costPieces(parts: ShownAmounts) {
  const { used, unmeasured, oversized, idleHeld, unallocated, stranded, broken, capacity } = parts
  const all = [
    { name: 'used', amount: used - unmeasured, look: LOOK.busy },
    { name: 'not measured', amount: unmeasured, look: LOOK.unknown },
    { name: 'oversized', amount: oversized, look: LOOK.oversized },
    { name: 'idle-held', amount: idleHeld, look: LOOK.idle },
    { name: 'unallocated', amount: unallocated ?? 0, look: LOOK.free },
    { name: 'stranded', amount: stranded ?? 0, look: LOOK.stranded },
    { name: 'broken', amount: broken ?? 0, look: LOOK.broken },
  ]
  const shown = all.filter(({ amount }) => amount > 0 && capacity > 0)
  return shown.map(({ name, amount, look }, order) => ({
    name,
    look,
    amount,
    part: amount / capacity,
    /** Where it begins, as a share of the capacity. */
    from: shown.slice(0, order).reduce((sum, before) => sum + before.amount, 0) / capacity,
  }))
}
