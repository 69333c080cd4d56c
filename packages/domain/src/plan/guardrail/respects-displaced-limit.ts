import { agree, plural } from '../../words.ts'
import { displacedBy } from './displaced-by.ts'
import { unless, type Guardrail } from './guardrail.ts'

/** One plan displaces no more pods than a person allowed. */
export const respectsDisplacedLimit: Guardrail = (action, state, { maxDisplaced }) => {
  const more = displacedBy(action, state).filter((id) => !state.displaced.has(id)).length
  const total = state.displaced.size + more
  return unless(
    'displaced-limit',
    more === 0 || total <= maxDisplaced
      ? undefined
      : `The plan would displace ${plural(total, 'pod')}; ${maxDisplaced} ${agree(maxDisplaced, 'is', 'are')} allowed. Raise the limit, or plan for fewer nodes at once.`,
  )
}
