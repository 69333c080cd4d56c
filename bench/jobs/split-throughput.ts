import type { JobMenu } from './job-menu.ts'

/** Jobs per second of a GPU cut into equal instances with one equal job on each, over one such job on the whole GPU. */
export type SplitThroughput = {
  readonly profile: string
  /** How many instances of the profile one GPU holds. */
  readonly instances: number
  /** Kinds of job that fit the profile; only they are counted. */
  readonly kinds: number
  readonly mean: number
  readonly least: number
  readonly most: number
}

/**
 * The aggregate throughput of splitting a GPU evenly, for each profile that one job of the table fits. Seven isolated
 * instances are seven workloads, not seven times the throughput: these figures say how much it is.
 */
export function splitThroughput(
  menu: JobMenu,
  byKind: ReadonlyMap<string, readonly number[]>,
): readonly SplitThroughput[] {
  return menu.profiles.flatMap((profile, at) => {
    const instances = Math.max(...menu.counts.map((counts) => counts[at] ?? 0))
    const sums = [...byKind.values()]
      .filter((speeds) => (speeds[at] ?? 0) > 0)
      .map((speeds) => instances * (speeds[at] ?? 0))
    if (sums.length === 0) return []
    const mean = sums.reduce((sum, value) => sum + value, 0) / sums.length
    return [{ profile, instances, kinds: sums.length, mean, least: Math.min(...sums), most: Math.max(...sums) }]
  })
}
