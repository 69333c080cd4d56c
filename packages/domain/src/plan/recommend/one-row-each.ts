import type { UsageRow } from '../../analyze/usage.ts'
import { compareText, ratio, seconds } from '../../units.ts'

/**
 * One row for each holder of a partition in each bucket, oldest first: a store keeps several where what was known of it, or
 * its share, changed within the bucket, and taken for several they would look like as many short visits.
 */
export function oneRowEach(rows: readonly UsageRow[]): readonly UsageRow[] {
  const ordered = rows.toSorted(
    (a, b) =>
      a.at - b.at || compareText(a.partition, b.partition) || compareText(a.pod, b.pod) || a.present - b.present,
  )
  const merged: UsageRow[] = []
  for (const row of ordered) {
    const last = merged.at(-1)
    if (last !== undefined && isSame(last, row)) merged[merged.length - 1] = together(last, row)
    else merged.push(row)
  }
  return merged
}

const isSame = (a: UsageRow, b: UsageRow): boolean =>
  a.at === b.at &&
  a.span === b.span &&
  a.partition === b.partition &&
  a.pod === b.pod &&
  a.kind === b.kind &&
  a.model === b.model

const together = (a: UsageRow, b: UsageRow): UsageRow => ({
  ...(b.present > a.present ? b : a),
  present: seconds(a.present + b.present),
  measured: seconds(a.measured + b.measured),
  idle: seconds(a.idle + b.idle),
  busy: meanBusy(a, b),
  busyPeak: highest(a.busyPeak, b.busyPeak),
  memoryPeak: highest(a.memoryPeak, b.memoryPeak),
  reason: a.reason ?? b.reason,
})

function meanBusy(a: UsageRow, b: UsageRow): UsageRow['busy'] {
  if (a.busy === undefined || b.busy === undefined) return a.busy ?? b.busy
  return ratio((a.busy * a.measured + b.busy * b.measured) / Math.max(1, a.measured + b.measured))
}

const highest = <Value extends number>(a: Value | undefined, b: Value | undefined): Value | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a
