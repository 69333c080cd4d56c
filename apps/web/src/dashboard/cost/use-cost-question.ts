import { useUrlChoice, useUrlState } from '../address/url-state.ts'
import { CUTS } from './cost-words.ts'

/** What is asked of the cost: how it is cut, over which time, with which label. */
export function useCostQuestion() {
  const { cluster, range, zone } = useUrlState()
  const [chosenBy] = useUrlChoice('by')
  const [label] = useUrlChoice('label')
  const by = CUTS.find(({ value }) => value === chosenBy)?.value ?? 'namespace'
  return { cluster, range, zone, by, ...(by === 'label' && label !== undefined ? { label } : {}) }
}
