import { type Mib, mib, type Ratio, ratio } from '../units.ts'
import type { UsageGroup, UsageKind, UsageRow, UsageTotal } from './usage.ts'

/** Sums of several usage totals: what every ratio is made from. */
export type UsageSum = Omit<UsageTotal, 'key'>

/** Adds totals up. The peaks are the highest of all. */
export function sumUsage(totals: Iterable<UsageSum>): UsageSum {
  const sum = { ...NOTHING }
  for (const total of totals) addTo(sum, total)
  return sum
}

/** Sums totals by the text that `keyOf` gives; totals without a key are left out. In order of first appearance. */
export function sumUsageBy(
  totals: Iterable<UsageTotal>,
  keyOf: (total: UsageTotal) => string | undefined,
): Map<string, UsageSum> {
  const sums = new Map<string, Mutable<UsageSum>>()
  for (const total of totals) {
    const key = keyOf(total)
    if (key === undefined) continue
    const sum = sums.get(key) ?? { ...NOTHING }
    sums.set(key, sum)
    addTo(sum, total)
  }
  return sums
}

/** The sums of each kind of usage; kinds that do not occur have zeros. Every total must be grouped by `kind`. */
export function sumByKind(totals: Iterable<UsageTotal>): Readonly<Record<UsageKind, UsageSum>> {
  const sums = { held: { ...NOTHING }, free: { ...NOTHING }, stranded: { ...NOTHING }, down: { ...NOTHING } }
  for (const total of totals) addTo(sums[kindOf(total)], total)
  return sums
}

/** What a total is of. Throws when it was not grouped by kind: held and free time must not be mixed up. */
export function kindOf({ key }: Pick<UsageTotal, 'key'>): UsageKind {
  const kind = KINDS.find((known) => known === key.kind)
  if (kind === undefined) throw new Error(`usage totals must be grouped by kind, this one is ${JSON.stringify(key)}`)
  return kind
}
const KINDS: readonly UsageKind[] = ['held', 'free', 'stranded', 'down']

/** Makes totals from rows, as a store does. In order of first appearance. */
export function totalsOf(rows: Iterable<UsageRow>, by: readonly UsageGroup[]): UsageTotal[] {
  const totals = new Map<string, { key: UsageTotal['key'] } & Mutable<UsageSum>>()
  for (const row of rows) {
    const values = by.map((group) => String(row[group] ?? ''))
    const id = values.join('\u0000')
    let total = totals.get(id)
    if (total === undefined) {
      total = { key: Object.fromEntries(by.map((group, index) => [group, values[index] ?? ''])), ...NOTHING }
      totals.set(id, total)
    }
    addTo(total, sumOfRow(row))
  }
  return [...totals.values()]
}

function sumOfRow(row: UsageRow): UsageSum {
  const measured = row.share * row.measured
  return {
    gpuSeconds: row.share * row.present,
    measuredGpuSeconds: measured,
    busyGpuSeconds: measured * (row.busy ?? 0),
    effectiveMeasuredGpuSeconds: row.effective === undefined ? 0 : measured,
    effectiveGpuSeconds: measured * (row.effective ?? 0),
    idleGpuSeconds: row.share * row.idle,
    seconds: row.present,
    measuredSeconds: row.measured,
    busyPeak: row.busyPeak,
    memoryPeak: row.memoryPeak,
    rows: 1,
  }
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

const NOTHING: UsageSum = {
  gpuSeconds: 0,
  measuredGpuSeconds: 0,
  busyGpuSeconds: 0,
  effectiveMeasuredGpuSeconds: 0,
  effectiveGpuSeconds: 0,
  idleGpuSeconds: 0,
  seconds: 0,
  measuredSeconds: 0,
  busyPeak: undefined,
  memoryPeak: undefined,
  rows: 0,
}

function addTo(sum: Mutable<UsageSum>, more: UsageSum): void {
  sum.gpuSeconds += more.gpuSeconds
  sum.measuredGpuSeconds += more.measuredGpuSeconds
  sum.busyGpuSeconds += more.busyGpuSeconds
  sum.effectiveMeasuredGpuSeconds += more.effectiveMeasuredGpuSeconds
  sum.effectiveGpuSeconds += more.effectiveGpuSeconds
  sum.idleGpuSeconds += more.idleGpuSeconds
  sum.seconds += more.seconds
  sum.measuredSeconds += more.measuredSeconds
  sum.busyPeak = highestRatio(sum.busyPeak, more.busyPeak)
  sum.memoryPeak = highestMib(sum.memoryPeak, more.memoryPeak)
  sum.rows += more.rows
}

/** The higher of two peaks; undefined is no peak, not 0. */
export const highestRatio = (a: Ratio | undefined, b: Ratio | undefined): Ratio | undefined =>
  a === undefined ? b : b === undefined ? a : ratio(Math.max(a, b))
export const highestMib = (a: Mib | undefined, b: Mib | undefined): Mib | undefined =>
  a === undefined ? b : b === undefined ? a : mib(Math.max(a, b))
