import { ratio, seconds } from '../units.ts'
import { completeRow, type UsageRow } from './usage.ts'

/**
 * Joins rows of the same bucket, partition and holder into one: what a process that ended has written of a bucket, and
 * what its successor saw of the rest. Seconds add up, means are weighted by time, peaks are the highest.
 */
export function mergeUsage(rows: readonly UsageRow[]): UsageRow[] {
  const merged = new Map<string, UsageRow>()
  for (const row of rows) {
    const key = `${row.at} ${row.span} ${row.partition} ${row.pod} ${row.kind}`
    const before = merged.get(key)
    merged.set(key, before === undefined ? row : join(before, row))
  }
  return [...merged.values()]
}

function join(a: UsageRow, b: UsageRow): UsageRow {
  const present = a.present + b.present
  const row = {
    ...b,
    share: present > 0 ? ratio(b.share + (a.share - b.share) * (a.present / present)) : b.share,
    present: seconds(present),
    measured: seconds(a.measured + b.measured),
    idle: seconds(a.idle + b.idle),
    oversized: seconds(a.oversized + b.oversized),
    reason: b.reason ?? a.reason,
  }
  return completeRow(row, ({ name, fold, of }) => {
    const [x, y] = [a[name], b[name]]
    if (x === undefined || y === undefined) return x ?? y
    if (fold === 'peak') return Math.max(x, y)
    return of === 'engine' ? mean(x, y, [a.measured, b.measured]) : mean(x, y, [a.present, b.present])
  })
}

/** The mean over both times; of what held for no time at all it takes nothing. */
const mean = (a: number, b: number, [forA, forB]: readonly [number, number]): number =>
  forA === 0 ? b : forB === 0 ? a : (a * forA + b * forB) / (forA + forB)
