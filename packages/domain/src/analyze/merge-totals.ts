import type { UsageGroup, UsageTotal } from './usage.ts'
import { sumUsageBy } from './usage-sum.ts'

/** Adds totals of the same groups together, key by key: of several spans, of several batches. In order of first appearance. */
export function mergeTotals(totals: Iterable<UsageTotal>, by: readonly UsageGroup[]): UsageTotal[] {
  const keys = new Map<string, UsageTotal['key']>()
  const sums = sumUsageBy(totals, ({ key }) => {
    const id = by.map((group) => key[group] ?? '').join('\u0000')
    if (!keys.has(id)) keys.set(id, key)
    return id
  })
  return [...sums].map(([id, sum]) => ({ key: keys.get(id) ?? {}, ...sum }))
}
