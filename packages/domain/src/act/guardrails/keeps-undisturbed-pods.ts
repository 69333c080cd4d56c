import { type ActRule, refusing } from './act-context.ts'

/** Pods that say they must not be disrupted, or that would come back to the same node, are neither stopped nor put at risk. */
export const keepsUndisturbedPods: ActRule = ({ touched, state }) => {
  const kept = touched.pods.find((id) => state.pods.get(id)?.scheduling.evictable === false)
  return refusing(
    'do-not-disrupt',
    kept === undefined
      ? undefined
      : `${kept} is marked as not disruptable (karpenter.sh/do-not-disrupt, safe-to-evict or a daemon's pod). Wait for its end, or remove the annotation.`,
  )
}
