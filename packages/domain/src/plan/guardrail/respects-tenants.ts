import type { GpuNode } from '../../cluster/node.ts'
import { podsOn, type Fleet } from '../../fleet/fleet.ts'
import type { StepRule } from './guardrail.ts'

/**
 * Time-slicing and MPS share a GPU inside one namespace only: replicas see one another's memory and faults under
 * time-slicing, and faults under MPS. MIG devices are isolated in hardware, so they may serve several.
 */
export const whyOtherTenant: StepRule = ({ action, state }) => {
  if (action.kind !== 'share' || action.to.kind === 'none') return undefined
  if (action.tenant === '') {
    return `Sharing the GPUs of ${action.node} needs the one namespace that they are for.`
  }
  const others = otherTenants(state, action.node, action.tenant)
  return others.length === 0
    ? undefined
    : `${action.node} also runs pods of ${others.join(', ')}. Without hardware isolation a GPU is shared inside one namespace only: move those pods first, or use MIG.`
}

/** Whether the GPUs of a shared node are held by another namespace than this one. */
export const isSharedWithOthers = (state: Fleet, { name, sharing }: GpuNode, namespace: string): boolean =>
  sharing.kind !== 'none' && otherTenants(state, name, namespace).length > 0

const otherTenants = (state: Fleet, node: string, tenant: string): readonly string[] =>
  [...new Set(podsOn(state, node).map(({ namespace }) => namespace))].filter((name) => name !== tenant).toSorted()
