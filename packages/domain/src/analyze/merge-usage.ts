import { type Mib, mib, type Ratio, ratio, seconds, type Watts, watts } from '../units.ts'
import type { UsageRow } from './usage.ts'
import { highestMib, highestRatio } from './usage-sum.ts'

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
  const measured = { a: a.measured, b: b.measured }
  return {
    ...b,
    share: present > 0 ? ratio((a.share * a.present + b.share * b.present) / present) : b.share,
    present: seconds(present),
    measured: seconds(a.measured + b.measured),
    idle: seconds(a.idle + b.idle),
    busy: mean(a.busy, b.busy, { weight: measured, unit: ratio }),
    busyPeak: highestRatio(a.busyPeak, b.busyPeak),
    effective: mean(a.effective, b.effective, { weight: measured, unit: ratio }),
    memoryUsed: mean<Mib>(a.memoryUsed, b.memoryUsed, { weight: { a: a.present, b: b.present }, unit: mib }),
    memoryPeak: highestMib(a.memoryPeak, b.memoryPeak),
    power: mean<Watts>(a.power, b.power, { weight: { a: a.present, b: b.present }, unit: watts }),
    reason: b.reason ?? a.reason,
  }
}

function mean<Unit extends number = Ratio>(
  a: Unit | undefined,
  b: Unit | undefined,
  { weight, unit }: { weight: { a: number; b: number }; unit: (value: number) => Unit },
): Unit | undefined {
  if (a === undefined || weight.a === 0) return b ?? a
  if (b === undefined || weight.b === 0) return a
  return unit((a * weight.a + b * weight.b) / (weight.a + weight.b))
}
