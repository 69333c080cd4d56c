import {
  compareText,
  mib,
  ratio,
  seconds,
  watts,
  type Instant,
  type QualityReason,
  type Span,
  type UsageRow,
} from '@septet/domain'

import { ROLL_UP_FIELDS } from './columns.ts'
import { highest } from './totals-of.ts'

/** What the roll-up statement makes of the rows of one longer bucket, computed from rows. */
export function rollUpRows(rows: readonly UsageRow[], span: Span, at: Instant): UsageRow[] {
  const groups = Map.groupBy(rows, (row) =>
    [row.share, row.effective === undefined && row.measured > 0, ...ROLL_UP_FIELDS.map((field) => row[field])].join(
      '\u0001',
    ),
  )
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first === undefined ? [] : [{ ...first, ...combine(group), span, at }]
  })
}

type Combined = Omit<UsageRow, 'at' | 'span' | 'share' | (typeof ROLL_UP_FIELDS)[number]>

function combine(rows: readonly UsageRow[]): Combined {
  const sum = (value: (row: UsageRow) => number) => rows.reduce((whole, row) => whole + value(row), 0)
  const measured = sum((row) => row.measured)
  const meanOverMeasured = (value: (row: UsageRow) => number | undefined) =>
    measured > 0 && rows.some((row) => value(row) !== undefined)
      ? ratio(sum((row) => row.measured * (value(row) ?? 0)) / measured)
      : undefined
  return {
    present: seconds(sum((row) => row.present)),
    measured: seconds(measured),
    idle: seconds(sum((row) => row.idle)),
    busy: meanOverMeasured((row) => row.busy),
    busyPeak: highest(
      rows.map((row) => row.busyPeak),
      ratio,
    ),
    effective: meanOverMeasured((row) => row.effective),
    memoryUsed: meanOverPresent(rows, (row) => row.memoryUsed, mib),
    memoryPeak: highest(
      rows.map((row) => row.memoryPeak),
      mib,
    ),
    power: meanOverPresent(rows, (row) => row.power, watts),
    reason: costliestReason(rows),
  }
}

function meanOverPresent<Unit>(
  rows: readonly UsageRow[],
  value: (row: UsageRow) => number | undefined,
  unit: (value: number) => Unit,
): Unit | undefined {
  let [whole, weight] = [0, 0]
  for (const row of rows) {
    const known = value(row)
    if (known === undefined) continue
    whole += row.present * known
    weight += row.present
  }
  return weight > 0 ? unit(whole / weight) : undefined
}

/** The reason that left the most seconds unmeasured; of equals the first by name. */
function costliestReason(rows: readonly UsageRow[]): QualityReason | undefined {
  const lost = new Map<QualityReason, number>()
  for (const row of rows) {
    if (row.reason !== undefined) lost.set(row.reason, (lost.get(row.reason) ?? 0) + row.present - row.measured)
  }
  return [...lost].toSorted(([a, x], [b, y]) => y - x || compareText(a, b))[0]?.[0]
}
