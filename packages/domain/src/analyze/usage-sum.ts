import { NO_PEAKS, type Peaks, PEAKS, recordOf } from './field-values.ts'
import { USAGE_KINDS, type UsageGroup, type UsageKind, type UsageRow, type UsageTotal } from './usage.ts'

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

/** The sums of each kind of usage; kinds that do not occur have zeros. Every total must be grouped by `kind`. */
export function sumByKind(totals: Iterable<UsageTotal>): Readonly<Record<UsageKind, UsageSum>> {
  const sums = recordOf(USAGE_KINDS, () => ({ ...NOTHING }))
  for (const total of totals) addTo(sums[kindOf(total)], total)
  return sums
}

/** What a total is of. Throws when it was not grouped by kind: held and free time must not be mixed up. */
export function kindOf({ key }: Pick<UsageTotal, 'key'>): UsageKind {
  const kind = USAGE_KINDS.find((known) => known === key.kind)
  if (kind === undefined) throw new Error(`usage totals must be grouped by kind, this one is ${JSON.stringify(key)}`)
  return kind
}

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
    addSums(total, sumOfRow(row))
    raisePeaks(total, row)
  }
  return [...totals.values()]
}

function sumOfRow(row: UsageRow): Sums {
  const measured = row.share * row.measured
  return {
    gpuSeconds: row.share * row.present,
    measuredGpuSeconds: measured,
    busyGpuSeconds: measured * (row.busy ?? 0),
    effectiveMeasuredGpuSeconds: row.effective === undefined ? 0 : measured,
    effectiveGpuSeconds: measured * (row.effective ?? 0),
    idleGpuSeconds: row.share * row.idle,
    oversizedGpuSeconds: row.share * row.oversized,
    seconds: row.present,
    measuredSeconds: row.measured,
    rows: 1,
  }
}

type Sums = Omit<UsageSum, keyof Peaks>
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

const NOTHING: UsageSum = {
  gpuSeconds: 0,
  measuredGpuSeconds: 0,
  busyGpuSeconds: 0,
  effectiveMeasuredGpuSeconds: 0,
  effectiveGpuSeconds: 0,
  idleGpuSeconds: 0,
  oversizedGpuSeconds: 0,
  seconds: 0,
  measuredSeconds: 0,
  ...NO_PEAKS,
  rows: 0,
}

function addTo(sum: Mutable<UsageSum>, more: UsageSum): void {
  addSums(sum, more)
  raisePeaks(sum, more)
}

function addSums(sum: Mutable<Sums>, more: Sums): void {
  sum.gpuSeconds += more.gpuSeconds
  sum.measuredGpuSeconds += more.measuredGpuSeconds
  sum.busyGpuSeconds += more.busyGpuSeconds
  sum.effectiveMeasuredGpuSeconds += more.effectiveMeasuredGpuSeconds
  sum.effectiveGpuSeconds += more.effectiveGpuSeconds
  sum.idleGpuSeconds += more.idleGpuSeconds
  sum.oversizedGpuSeconds += more.oversizedGpuSeconds
  sum.seconds += more.seconds
  sum.measuredSeconds += more.measuredSeconds
  sum.rows += more.rows
}

/** Raises peaks, in place, to higher ones; undefined is not a peak, not 0. */
function raisePeaks(sum: Mutable<Peaks>, more: Peaks): void
function raisePeaks(sum: Record<keyof Peaks, number | undefined>, more: Record<keyof Peaks, number | undefined>): void {
  for (const peak of PEAKS) {
    const value = more[peak]
    if (value !== undefined) sum[peak] = Math.max(sum[peak] ?? value, value)
  }
}
