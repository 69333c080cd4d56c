import { compareText } from '../../units.ts'
import type { Gpu, GpuNode } from '../../cluster/node.ts'
import type { Action } from '../words/action.ts'
import { isChanged } from './apply-to-gpus.ts'
import { resourceOf } from '../state/gpu-state.ts'
import { geometryOf } from '../../gpu/layout.ts'
import type { PlanUnit } from './plan-unit.ts'
import type { PlanState } from '../state/plan-state.ts'

/**
 * Nodes to cordon before a unit evicts pods: those that the plan changes later and that offer, on GPUs still to be
 * changed, what the evicted pods ask for. Else their successors could start there, and be displaced a second time.
 */
export function cordonsAhead(
  units: readonly PlanUnit[],
): (unit: PlanUnit, actions: readonly Action[], state: PlanState) => readonly Action[] {
  const position = new Map(units.map((unit, index) => [unit, index]))
  const offers = new Map<PlanUnit, ReadonlySet<string>>()
  return (unit, actions, state) => {
    const wanted = new Set(actions.flatMap((action) => (action.kind === 'evict' ? requested(action.pod, state) : [])))
    if (wanted.size === 0) return []
    return units
      .slice((position.get(unit) ?? 0) + 1)
      .flatMap((later) => nodeOf(later, state) ?? [])
      .filter(({ node, unit: later }) => {
        if (!node.schedulable || actions.some((action) => 'node' in action && action.node === node.name)) return false
        const offer = offers.get(later) ?? offered(later, node, state)
        offers.set(later, offer)
        return [...wanted].some((resource) => offer.has(resource))
      })
      .map(({ node }) => node.name)
      .filter((name, index, names) => names.indexOf(name) === index)
      .toSorted(compareText)
      .map((node): Action => ({ kind: 'cordon', node }))
  }
}

const requested = (pod: string, state: PlanState): readonly string[] =>
  (state.pods.get(pod)?.requests ?? []).map(({ resource }) => resource)

function nodeOf(unit: PlanUnit, state: PlanState): { readonly unit: PlanUnit; readonly node: GpuNode } | undefined {
  if (unit.kind === 'workload') return undefined
  // Under DRA neighbors are not disturbed, and what is free is not an instance yet.
  if (unit.kind === 'layout' && unit.actuator === 'dra') return undefined
  const node = state.nodes.get(unit.kind === 'share' ? unit.wish.node : unit.node)
  return node === undefined ? undefined : { unit, node }
}

const offered = (unit: PlanUnit, node: GpuNode, state: PlanState): ReadonlySet<string> =>
  new Set(
    changedGpus(unit, node).flatMap(({ partitions }) =>
      partitions
        .filter(({ id }) => (state.holders.get(id) ?? []).length === 0)
        .map((partition) => resourceOf(node, partition)),
    ),
  )

function changedGpus(unit: PlanUnit, node: GpuNode): readonly Gpu[] {
  if (unit.kind !== 'layout') return node.gpus
  return node.gpus.filter(({ id }) => {
    const target = unit.targets.find(({ gpu }) => gpu === id)
    if (target === undefined) return false
    return isChanged(node, { gpu: id, to: { migEnabled: target.migEnabled, geometry: geometryOf(target.layout) } })
  })
}
