import { seconds } from '../units.ts'
import type { IdlePolicy } from './policy.ts'
import { SPAN_SECONDS, type UsageRow } from './usage.ts'

/**
 * Fills in how many seconds of each held row were idle-held: busy at most the threshold for the policy's minimum stretch
 * in a row, from five-minute rows. A bucket counts by its mean busy, because a peak would let one sample of a health check
 * hide an idle day; its measured seconds are what is idle. One bucket that is missing, or of which less than half was
 * measured, does not end a stretch, and is not idle itself; two in a row end it.
 *
 * Give it the rows of the new bucket together with those of the buckets before that the minimum stretch reaches back to:
 * rows become idle afterwards, once the stretch is long enough, so write all of them back. A row that is marked already
 * tells that its stretch was long enough before the rows given begin. The rows come back in the order given.
 */
export function markIdle(rows: readonly UsageRow[], policy: IdlePolicy): UsageRow[] {
  const idle = new Map<UsageRow, number>()
  for (const history of historiesOf(rows)) {
    for (const stretch of stretchesOf(history, policy).all) {
      if (lengthOf(stretch) < policy.minimum && stretch.every((row) => row.idle === 0)) continue
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
 * would with all of them: the stretches that reach the newest row or the one before. Of one that is idle already its last
 * two rows tell all.
 */
export function openStretches(rows: readonly UsageRow[], policy: IdlePolicy): UsageRow[] {
  const newest = rows.reduce((latest, { at }) => Math.max(latest, at), 0)
  const kept: UsageRow[] = []
  for (const history of historiesOf(rows)) {
    const { open } = stretchesOf(history, policy)
    if (newest - (open.at(-1)?.at ?? -Infinity) > BUCKET_MS) continue
    kept.push(...(open.some(({ idle }) => idle > 0) ? open.slice(-2) : open))
  }
  return kept
}

/** Partitions that are idle-held in the bucket that begins at `at`, or were just before and are unknown in it. */
export function idleNow(rows: readonly UsageRow[], at: number): ReadonlySet<string> {
  const wasIdle = new Set(rows.flatMap((row) => (row.at === at - BUCKET_MS && row.idle > 0 ? [nameOf(row)] : [])))
  return new Set(
    rows.flatMap((row) =>
      row.at === at && (row.idle > 0 || (!isMeasured(row) && wasIdle.has(nameOf(row)))) ? [row.partition] : [],
    ),
  )
}

const nameOf = ({ partition, pod }: UsageRow): string => `${partition} ${pod}`

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

/** Runs of idle buckets, each as long as it can be, with at most one bucket between two of them that tells nothing. */
function stretchesOf(history: readonly UsageRow[], { threshold }: IdlePolicy): Stretches {
  const all: UsageRow[][] = []
  let open: UsageRow[] = []
  for (const row of history) {
    if (row.busy !== undefined && row.busy > threshold) open = []
    else if (!isMeasured(row)) continue
    else if (row.at - (open.at(-1)?.at ?? -Infinity) <= 2 * BUCKET_MS) open.push(row)
    else all.push((open = [row]))
  }
  return { all, open }
}

/** `open` is the one that no busy bucket has ended. */
type Stretches = { readonly all: readonly UsageRow[][]; readonly open: readonly UsageRow[] }

const isMeasured = ({ busy, measured, present }: UsageRow): boolean =>
  busy !== undefined && measured > 0 && measured >= MEASURED_ENOUGH * present

/** Seconds from the beginning of a stretch, which may be late in its first bucket, to its end. */
function lengthOf(stretch: readonly UsageRow[]): number {
  const [first, last] = [stretch[0], stretch.at(-1)]
  if (first === undefined || last === undefined) return 0
  return first === last ? first.present : first.present + (last.at - first.at - BUCKET_MS) / 1000 + last.present
}

const BUCKET_MS = SPAN_SECONDS['5m'] * 1000
const MEASURED_ENOUGH = 0.5
