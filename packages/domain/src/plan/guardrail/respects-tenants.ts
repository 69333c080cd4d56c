import type { GpuNode } from '../../cluster/node.ts'
import { podsOn, type Fleet } from '../../fleet/fleet.ts'
import { unless, type Guardrail } from './guardrail.ts'

/**
 * Time-slicing and MPS share a GPU inside one namespace only: replicas see one another's memory and faults under
 * time-slicing, and faults under MPS. MIG devices are isolated in hardware, so they may serve several.
 */
export const respectsTenants: Guardrail = (action, state) => {
  if (action.kind !== 'share' || action.to.kind === 'none') return unless('tenant-isolation', undefined)
  if (action.tenant === '') {
    return unless('tenant-isolation', `Sharing the GPUs of ${action.node} needs the one namespace that they are for.`)
  }
  const others = otherTenants(state, action.node, action.tenant)
  return unless(
    'tenant-isolation',
    others.length === 0
      ? undefined
      : `${action.node} also runs pods of ${others.join(', ')}. Without hardware isolation a GPU is shared inside one namespace only: move those pods first, or use MIG.`,
  )
}

/** Whether the GPUs of a shared node are held by another namespace than this one. */
export const isSharedWithOthers = (state: Fleet, { name, sharing }: GpuNode, namespace: string): boolean =>
  sharing.kind !== 'none' && otherTenants(state, name, namespace).length > 0

const otherTenants = (state: Fleet, node: string, tenant: string): readonly string[] =>
  [...new Set(podsOn(state, node).map(({ namespace }) => namespace))].filter((name) => name !== tenant).toSorted()
