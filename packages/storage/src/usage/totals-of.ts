import {
  peaksOf,
  USAGE_GROUPS,
  type TotalsQuery,
  type UsageGroup,
  type UsageQuery,
  type UsageRow,
  type UsageTotal,
} from '@septet/domain'

import { byKey } from './totals-sql.ts'

/** What `readTotals` asks the database for, computed from rows. */
export function totalsOf(rows: readonly UsageRow[], query: TotalsQuery): readonly UsageTotal[] {
  const by = USAGE_GROUPS.filter((group) => query.by.includes(group))
  const asked = rows.filter(
    (row) =>
      row.at >= query.window.from &&
      row.at < query.window.to &&
      isAsked(row, query) &&
      (query.kinds === undefined || query.kinds.includes(row.kind)),
  )
  const groups = Map.groupBy(asked, (row) => by.map((group) => textOf(row, group)).join('\u0001'))
  return [...groups.values()].map((group) => total(group, by)).toSorted(byKey)
}

/** Whether the row is held by one of the workloads and in one of the namespaces, and is of one of the GPUs, asked for. */
export const isAsked = (row: UsageRow, { workloads, namespaces, gpus }: UsageQuery): boolean =>
  (workloads === undefined || workloads.includes(row.workload)) &&
  (namespaces === undefined || (row.namespace !== '' && namespaces.includes(row.namespace))) &&
  (gpus === undefined || gpus.includes(row.gpu))

const textOf = (row: UsageRow, group: UsageGroup): string => String(row[group] ?? '')

function total(rows: readonly UsageRow[], by: readonly UsageGroup[]): UsageTotal {
  const sum = (value: (row: UsageRow) => number) => rows.reduce((whole, row) => whole + value(row), 0)
  const [first] = rows
  return {
    key: first === undefined ? {} : Object.fromEntries(by.map((group) => [group, textOf(first, group)])),
    gpuSeconds: sum((row) => row.share * row.present),
    measuredGpuSeconds: sum((row) => row.share * row.measured),
    busyGpuSeconds: sum((row) => row.share * row.measured * (row.busy ?? 0)),
    effectiveMeasuredGpuSeconds: sum((row) => (row.effective === undefined ? 0 : row.share * row.measured)),
    effectiveGpuSeconds: sum((row) => row.share * row.measured * (row.effective ?? 0)),
    idleGpuSeconds: sum((row) => row.share * row.idle),
    seconds: sum((row) => row.present),
    measuredSeconds: sum((row) => row.measured),
    ...peaksOf((peak) => highest(rows.map((row) => row[peak]))),
    rows: rows.length,
  }
}

/** The greatest of the known values; undefined when none is known. */
export function highest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : known.reduce((most, value) => Math.max(most, value), -Infinity)
}
