import { displacedBy } from './displaced-by.ts'
import { unless, type Guardrail } from './guardrail.ts'

/** A pod without a controller is gone for good once it is evicted, so that takes a person's word for that very pod. */
export const keepsUnmanagedPods: Guardrail = (action, state, { evictUnmanaged }) => {
  const lost = displacedBy(action, state).find(
    (id) => state.pods.get(id)?.scheduling.managed === false && !evictUnmanaged.includes(id),
  )
  return unless(
    'unmanaged-pod',
    lost === undefined
      ? undefined
      : `${lost} has no controller: once stopped, it is not recreated. Stop it yourself, or list it among the pods that may be lost.`,
  )
}
