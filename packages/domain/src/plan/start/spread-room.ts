import type { SpreadRule } from './asked-job.ts'
import type { Slots } from './open-fleet.ts'

/**
 * How many pods have room under rules that spread them. `sure` counts as if some node or zone that Septet does not keep
 * took none of them, so that no other may get far ahead of it; `most` as if there were none such.
 */
export function spreadRoom(
  slots: readonly Slots[],
  rules: readonly SpreadRule[],
): { readonly sure: number; readonly most: number } {
  const [rule, ...more] = rules
  const all = slots.reduce((sum, { count }) => sum + count, 0)
  if (rule === undefined) return { sure: all, most: all }
  // Nodes that the pods' own affinity rules out are no domains; those with taints are.
  const domains = domainsOf(
    slots.filter(({ because }) => because?.kind !== 'rules'),
    rule.topologyKey,
  )
  const { most } = rule
  if (domains === undefined || more.length > 0) return { sure: 0, most: all }
  if (most === 'apart') {
    const apart = domains.filter((count) => count > 0).length
    return { sure: apart, most: apart }
  }
  const least = Math.min(...domains, Infinity)
  const upTo = (limit: number): number => domains.reduce((sum, count) => sum + Math.min(count, limit), 0)
  return { sure: upTo(most), most: least === Infinity ? 0 : Math.max(upTo(most), upTo(least + most)) }
}

/** Places in each domain; undefined where the nodes' labels do not tell the domains. */
function domainsOf(slots: readonly Slots[], key: string): readonly number[] | undefined {
  if (key === 'kubernetes.io/hostname') return slots.map(({ count }) => count)
  const sums = new Map<string, number>()
  for (const { on, count } of slots) {
    const value = on.node.room.labels[key]
    if (value === undefined) {
      // A node without the label takes no such pod.
      if (count > 0) return undefined
      continue
    }
    sums.set(value, (sums.get(value) ?? 0) + count)
  }
  return [...sums.values()]
}
