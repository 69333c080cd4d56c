import {
  compareText,
  measurements,
  seconds,
  type Instant,
  type Measure,
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
  return {
    present: seconds(sum((row) => row.present)),
    measured: seconds(sum((row) => row.measured)),
    idle: seconds(sum((row) => row.idle)),
    ...measurements(({ name, fold, of }) => {
      const known = rows.filter((row) => row[name] !== undefined)
      if (fold === 'peak' || known.length === 0) return highest(known.map((row) => row[name]))
      return of === 'engine' ? mean(rows, name, 'measured') : mean(known, name, 'present')
    }),
    reason: costliestReason(rows),
  }
}

function mean(rows: readonly UsageRow[], name: Measure['name'], time: 'measured' | 'present'): number | undefined {
  const weight = rows.reduce((sum, row) => sum + row[time], 0)
  return weight > 0 ? rows.reduce((sum, row) => sum + row[time] * (row[name] ?? 0), 0) / weight : undefined
}

/** The reason that left the most seconds unmeasured; of equals the first by name. */
function costliestReason(rows: readonly UsageRow[]): QualityReason | undefined {
  const lost = new Map<QualityReason, number>()
  for (const row of rows) {
    if (row.reason !== undefined) lost.set(row.reason, (lost.get(row.reason) ?? 0) + row.present - row.measured)
  }
  return [...lost].toSorted(([a, x], [b, y]) => y - x || compareText(a, b))[0]?.[0]
}
