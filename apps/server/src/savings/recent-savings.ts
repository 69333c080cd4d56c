import type { ActionStore } from '@septet/domain'

import { clusterSavings, type MeasuredRun } from './cluster-savings.ts'

/** What the actions of a cluster saved. */
export type RecentSavings = (cluster: string) => Promise<readonly MeasuredRun[]>

/** What is measured changes by the hour, and screens ask all the time. */
const MAX_AGE_MS = 60_000

/** The same as `clusterSavings`, at most a minute old. */
export function recentSavings(actions: Pick<ActionStore, 'list' | 'measured'>, now: () => number): RecentSavings {
  const kept = new Map<string, { readonly at: number; readonly savings: Promise<readonly MeasuredRun[]> }>()
  return (cluster) => {
    const known = kept.get(cluster)
    if (known !== undefined && now() - known.at < MAX_AGE_MS) return known.savings
    const savings = clusterSavings(actions, cluster)
    kept.set(cluster, { at: now(), savings })
    // A failure must not be kept: it is thrown to anyone who asked, and forgotten.
    savings.catch(() => kept.delete(cluster))
    return savings
  }
}
