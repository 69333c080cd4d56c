import { seconds } from '../units.ts'
import type { IdlePolicy } from './policy.ts'
import { SPAN_SECONDS, type UsageRow } from './usage.ts'

/**
 * Fills in how many seconds of each held row were idle-held: busy at most the threshold for the policy's minimum stretch
 * in a row. A bucket counts by its mean busy, because a peak would let one sample of a health check hide an idle day; its
 * measured seconds are what is idle. What is unknown breaks the stretch: a bucket that was measured for less than nine
 * tenths (single failed scrapes pass), or one that is missing or only partly there in the middle. A stretch that was long
 * enough before such a partial bucket survives a single one: when Septet starts, minutes of one bucket are nobody's, and
 * work that was idle for days must not count as busy for that.
 *
 * Give it the rows of the new bucket together with those of the buckets before that the minimum stretch reaches back to:
 * rows become idle afterwards, once the stretch is long enough, so write all of them back. A row that is marked already
 * tells that its stretch was long enough before the rows given begin. The rows come back in the order given.
 */
export function markIdle(rows: readonly UsageRow[], policy: IdlePolicy): UsageRow[] {
  const idle = new Map<UsageRow, number>()
  for (const history of historiesOf(rows)) {
    for (const stretch of stretchesOf(history, policy)) {
      const length = stretch.reduce((sum, { measured }) => sum + measured, 0)
      if (length < policy.minimum && stretch.every((row) => row.idle === 0)) continue
      for (const row of stretch) idle.set(row, row.measured)
    }
  }
  return rows.map((row) => {
    const marked = idle.get(row) ?? 0
    return row.idle === marked ? row : { ...row, idle: seconds(marked) }
  })
}

/**
 * Of rows that `markIdle` has marked, those that it needs beside the next bucket's to mark these and what came before as it
 * would with all of them: the stretches that reach the newest row. Of one that is idle already its last two rows tell all.
 */
export function openStretches(rows: readonly UsageRow[], policy: IdlePolicy): UsageRow[] {
  const newest = rows.reduce((latest, { at }) => Math.max(latest, at), 0)
  const kept: UsageRow[] = []
  for (const history of historiesOf(rows)) {
    const last = stretchesOf(history, policy).at(-1)
    if (last?.at(-1)?.at === newest) kept.push(...(last.some(({ idle }) => idle > 0) ? last.slice(-2) : last))
  }
  return kept
}

/** Held rows of each partition and holder, oldest first. */
function historiesOf(rows: readonly UsageRow[]): Iterable<readonly UsageRow[]> {
  const byPartition = new Map<string, UsageRow[]>()
  for (const row of rows) {
    if (row.kind !== 'held') continue
    const list = byPartition.get(row.partition)
    if (list === undefined) byPartition.set(row.partition, [row])
    else list.push(row)
  }
  return [...byPartition.values()].flatMap((list) => {
    list.sort((a, b) => a.at - b.at)
    // Nearly all partitions have one holder all along; only the others need a second look.
    return list.every(({ pod }) => pod === list[0]?.pod) ? [list] : [...Map.groupBy(list, ({ pod }) => pod).values()]
  })
}

/** Runs of neighboring buckets that were idle, each as long as it can be. */
function stretchesOf(history: readonly UsageRow[], policy: IdlePolicy): readonly UsageRow[][] {
  const stretches: UsageRow[][] = []
  let open: UsageRow[] = []
  for (const row of history) {
    if (!wasIdle(row, policy)) {
      open = []
      continue
    }
    if (!continues(open, row)) stretches.push((open = []))
    open.push(row)
  }
  return stretches
}

const wasIdle = ({ busy, measured, present }: UsageRow, { threshold }: IdlePolicy): boolean =>
  busy !== undefined && busy <= threshold && measured > 0 && measured >= MEASURED_ENOUGH * present

/**
 * A bucket in the middle must be there in full, or stand between one that was idle-held already and another; the first
 * may begin late, and the last may end early.
 */
function continues(stretch: readonly UsageRow[], row: UsageRow): boolean {
  const [before, last] = [stretch.at(-2), stretch.at(-1)]
  if (last === undefined) return false
  const isNext = row.at - last.at === SPAN_SECONDS[last.span] * 1000
  return isNext && (isFull(last) || before === undefined || (isFull(before) && before.idle > 0))
}

const isFull = ({ present, span }: UsageRow): boolean => present >= MEASURED_ENOUGH * SPAN_SECONDS[span]

const MEASURED_ENOUGH = 0.9
