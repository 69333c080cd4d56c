import {
  instant,
  measurements,
  seconds,
  SPAN_SECONDS,
  USAGE_GROUPS,
  peaksOf,
  type Measure,
  type QualityReason,
  type Span,
  type UsageGroup,
  type UsageRow,
  type UsageTotal,
} from '@septet/domain'

/** What is kept of batches that were written one after another: of rows with one key the last one. */
export const keptRows = (batches: readonly (readonly UsageRow[])[]): UsageRow[] => [
  ...new Map(batches.flat().map((row) => [nameOf([row.at, ...KEY.map((field) => row[field])]), row])).values(),
]
const KEY = ['partition', 'namespace', 'pod', 'kind'] as const

/** The totals of rows, added up one by one: by time, then by the other fields that they are grouped by. */
export function totalsOf(rows: readonly UsageRow[], by: readonly UsageGroup[]): UsageTotal[] {
  const groups = USAGE_GROUPS.filter((group) => by.includes(group))
  const keyOf = (row: UsageRow): string[] => groups.map((group) => String(row[group] ?? ''))
  return [...Map.groupBy(rows, (row) => nameOf(keyOf(row))).values()]
    .map((some) => ({
      ...sumsOf(some),
      key: Object.fromEntries(keyOf(one(some)).map((text, at) => [groups[at], text])),
    }))
    .toSorted((a, b) => {
      const differs = groups.find((group) => a.key[group] !== b.key[group])
      if (differs === undefined) return 0
      const [left = '', right = ''] = [a.key[differs], b.key[differs]]
      return (differs === 'at' ? Number(left) < Number(right) : left < right) ? -1 : 1
    })
}

function sumsOf(rows: readonly UsageRow[]): Omit<UsageTotal, 'key'> {
  const told = rows.filter(({ effective }) => effective !== undefined)
  return {
    gpuSeconds: sum(rows, (row) => row.share * row.present),
    measuredGpuSeconds: sum(rows, (row) => row.share * row.measured),
    busyGpuSeconds: sum(rows, (row) => row.share * row.measured * (row.busy ?? 0)),
    effectiveMeasuredGpuSeconds: sum(told, (row) => row.share * row.measured),
    effectiveGpuSeconds: sum(told, (row) => row.share * row.measured * (row.effective ?? 0)),
    idleGpuSeconds: sum(rows, (row) => row.share * row.idle),
    oversizedGpuSeconds: sum(rows, (row) => row.share * row.oversized),
    seconds: sum(rows, (row) => row.present),
    measuredSeconds: sum(rows, (row) => row.measured),
    ...peaksOf((peak) => highest(rows.map((row) => row[peak]))),
    rows: rows.length,
  }
}

/** What a roll-up makes of all rows of the shorter span. */
export function rolledUp(rows: readonly UsageRow[], span: Span): UsageRow[] {
  const length = SPAN_SECONDS[span] * 1000
  const bucketOf = (row: UsageRow): number => Math.floor(row.at / length) * length
  const groups = Map.groupBy(rows, (row) =>
    nameOf([bucketOf(row), row.share, isUntold(row), ...APART.map((field) => row[field])]),
  )
  return [...groups.values()].map((some) => ({
    ...one(some),
    span,
    at: instant(bucketOf(one(some))),
    present: seconds(sum(some, (row) => row.present)),
    measured: seconds(sum(some, (row) => row.measured)),
    idle: seconds(sum(some, (row) => row.idle)),
    oversized: seconds(sum(some, (row) => row.oversized)),
    ...measurements((measure) => folded(some, measure)),
    reason: costliestReason(some),
  }))
}
/** Everything that names a row, but the reason. */
const APART = ['node', 'pool', 'machine', 'gpu', 'profile', 'model', 'workload', 'workloadClass', ...KEY] as const

/** Measured, but not how effective: kept apart, because its seconds do not count for what is. */
const isUntold = (row: UsageRow): boolean => row.effective === undefined && row.measured > 0

function folded(rows: readonly UsageRow[], { name, fold, of }: Measure): number | undefined {
  const known = rows.filter((row) => row[name] !== undefined)
  if (fold === 'peak' || known.length === 0) return highest(known.map((row) => row[name]))
  const [weighed, time] = of === 'engine' ? ([rows, 'measured'] as const) : ([known, 'present'] as const)
  const weight = sum(weighed, (row) => row[time])
  return weight > 0 ? sum(weighed, (row) => row[time] * (row[name] ?? 0)) / weight : undefined
}

/** The reason that left the most seconds unmeasured; of equals the first by name. */
function costliestReason(rows: readonly UsageRow[]): QualityReason | undefined {
  const lost = [...new Set(rows.flatMap(({ reason }) => reason ?? []))].map((reason) => ({
    reason,
    seconds: sum(
      rows.filter((row) => row.reason === reason),
      (row) => row.present - row.measured,
    ),
  }))
  return lost.toSorted((a, b) => b.seconds - a.seconds || (a.reason < b.reason ? -1 : 1))[0]?.reason
}

function highest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

const sum = (rows: readonly UsageRow[], of: (row: UsageRow) => number): number =>
  rows.reduce((whole, row) => whole + of(row), 0)

const nameOf = (parts: readonly unknown[]): string => JSON.stringify(parts)

function one(rows: readonly UsageRow[]): UsageRow {
  const [first] = rows
  if (first === undefined) throw new Error('a group has a row')
  return first
}
