import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Plan } from '../../plan/words/action.ts'
import type { Instant } from '../../units.ts'
import { unverified } from './unverified.ts'

/**
 * What got worse on what a plan has touched, in one sentence; undefined while nothing did. A node that restarts or a GPU
 * that reports a fault after a change is taken for its consequence.
 */
export function regression(plan: Plan, snapshot: ClusterSnapshot, appliedAt: Instant): string | undefined {
  const touched = new Set(plan.steps.flatMap(({ action }) => ('node' in action ? [action.node] : [])))
  for (const node of snapshot.nodes) {
    if (!touched.has(node.name)) continue
    if (!node.ready) return `${node.name} is not ready since the change.`
    const broken = node.gpus.find(({ fault }) => fault !== undefined)
    if (broken?.fault !== undefined) return broken.fault.message
  }
  return unverified(plan, snapshot, appliedAt)
}
