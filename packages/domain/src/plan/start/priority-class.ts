import type { PriorityClass } from '../../cluster/scheduling.ts'
import { listed } from '../../words.ts'
import type { AskedPods } from './asked-job.ts'

/** The lowest priority whose pods these leave alone; undefined where they push nobody out. */
export function pushesBelow(
  classes: readonly PriorityClass[] | undefined,
  { priorityClass, preempts, scheduling }: AskedPods,
): number | undefined {
  if (!preempts) return undefined
  const found = [...(classes ?? []), ...BUILT_IN].find(({ name, isDefault }) =>
    priorityClass === undefined ? isDefault : name === priorityClass,
  )
  if (found !== undefined) return found.preempts ? found.priority : undefined
  return priorityClass === undefined ? scheduling.priority : Infinity
}

/** Every API server makes these two (`scheduling.k8s.io/v1`), whether or not they may be read. */
const BUILT_IN: readonly PriorityClass[] = [
  { name: 'system-cluster-critical', priority: 2_000_000_000, preempts: true },
  { name: 'system-node-critical', priority: 2_000_001_000, preempts: true },
]

/** Why the API server makes none of these pods, as no PriorityClass has the name that they give; undefined where it may. */
export function unknownClass(
  classes: readonly PriorityClass[] | undefined,
  { priorityClass }: AskedPods,
): string | undefined {
  if (priorityClass === undefined || classes === undefined) return undefined
  const names = new Set([...classes, ...BUILT_IN].map(({ name }) => name))
  return names.has(priorityClass)
    ? undefined
    : `there is no PriorityClass ${priorityClass}, so the API server refuses its pods; there are ${listed([...names])}`
}
