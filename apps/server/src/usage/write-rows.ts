import type { Instant, UsageRow, UsageStore } from '@septet/domain'

/** In one transaction: of 100,000 GPUs all rows of a bucket would be in memory twice, and others wait a minute for them. */
const ROWS_AT_ONCE = 10_000

type Written = {
  readonly usage: Pick<UsageStore, 'write'>
  readonly cluster: string
  /** Up to which reading of an agent they go: told with the last of them. */
  readonly worked?: Instant | undefined
  readonly signal?: AbortSignal
}

/**
 * Writes rows portion by portion, each all or nothing; others have their turn in between. Writing is idempotent: after a
 * failure write all of them again.
 */
export async function writeRows(rows: readonly UsageRow[], { usage, cluster, worked, signal }: Written): Promise<void> {
  let start = 0
  do {
    if (signal?.aborted === true) return
    const end = start + ROWS_AT_ONCE
    await usage.write(cluster, rows.slice(start, end), end < rows.length ? undefined : worked)
    start = end
  } while (start < rows.length)
}
