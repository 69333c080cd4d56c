import { displacedBy } from './displaced-by.ts'
import { unless, type Guardrail } from './guardrail.ts'

/** Pods that say they must not be disrupted stay where they are. */
export const planKeepsUndisturbedPods: Guardrail = (action, state) => {
  const kept = displacedBy(action, state).find((id) => state.pods.get(id)?.scheduling.evictable === false)
  return unless(
    'do-not-disrupt',
    kept === undefined
      ? undefined
      : `${kept} is annotated as not disruptable. Wait for its end, or remove the annotation.`,
  )
}
