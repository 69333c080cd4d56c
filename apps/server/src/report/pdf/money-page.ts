import { partOfMonth } from '@septet/contract/partial'
import { dollars, short } from '@septet/domain/words'
import { isIdleKnown } from '@septet/domain'

import type { Report } from '../../operations/report/report.ts'
import { didTable } from './did-table.ts'
import { drawMonths } from './draw-months.ts'
import { drawTable, type PaperColumn } from './draw-table.ts'
import { heading, note } from './heading.ts'
import { INK, type Paper } from './paper.ts'
import { savingsTable } from './savings-table.ts'
import { say } from './words.ts'

type Group = Report['cost']['namespace']['groups'][number]

const MOST = 8

/** What was spent: month by month, and by namespace and model; by pool in the CSV file. */
export function moneyPage(paper: Paper, report: Report): void {
  months(paper, report)
  didTable(paper, report)
  savingsTable(paper, report)
  if (report.source.kind === 'sample') return
  groups(paper, { title: 'Cost by namespace', nobody: 'nobody' }, report.cost.namespace.groups)
  groups(paper, { title: 'Cost by model', nobody: 'unknown board' }, report.cost.model.groups)
}

function months(paper: Paper, { months: { months: all, note: words } }: Report): void {
  heading(paper, 'Monthly Cost Optimization Impact', 'baseline · optimized · savings')
  if (all.length === 0) note(paper, 'No month has data yet.')
  const shown = all.slice(-4)
  if (shown.length > 0)
    drawMonths(
      paper,
      shown.map(({ month, baseline, optimized, savings, ...seen }) => ({
        name: month,
        note: partOfMonth(seen) ?? '',
        bars: [
          { amount: baseline.value, words: say(baseline), color: INK.lineStrong },
          { amount: optimized.value, words: say(optimized), color: INK.busy },
          // Verified and estimated are never one bar.
          ...(savings.verified.value === null
            ? [{ amount: savings.estimated.value, words: say(savings.estimated), color: INK.idle }]
            : [{ amount: savings.verified.value, words: say(savings.verified), color: INK.busyInk }]),
        ],
      })),
    )
  note(paper, words)
}

const COLUMNS: readonly PaperColumn<Group>[] = [
  { name: '', text: ({ key }) => key, share: 30 },
  {
    name: 'Cost',
    text: ({ usd }) => (usd === null ? 'no price' : dollars(usd.capacity)),
    share: 14,
    right: true,
    mono: true,
  },
  { name: 'GPU-h', text: ({ gpuHours }) => short(gpuHours.capacity), share: 13, right: true, mono: true },
  { name: 'Used', text: (group) => part(group, 'used'), share: 13, right: true, mono: true },
  { name: 'Idle-held', text: (group) => part(group, 'idleHeld'), share: 13, right: true, mono: true },
  { name: 'Oversized', text: (group) => part(group, 'oversized'), share: 13, right: true, mono: true },
]

/** Where nothing of what was held was measured, idle and oversized time are unknown, and not 0. */
function part({ usd, gpuHours }: Group, key: 'used' | 'idleHeld' | 'oversized'): string {
  if (key !== 'used' && !isIdleKnown(gpuHours)) return 'not measured'
  return usd === null ? `${short(gpuHours[key])} GPU-h` : dollars(usd[key])
}

type Cut = { readonly title: string; readonly nobody: string }

function groups(paper: Paper, { title, nobody }: Cut, all: readonly Group[]): void {
  heading(paper, title)
  if (all.length === 0) {
    note(paper, 'There is nothing to show in this window.')
    return
  }
  const sorted = all.toSorted((a, b) => b.gpuHours.capacity - a.gpuHours.capacity)
  const named = sorted.slice(0, MOST).map((group) => (group.key === '' ? { ...group, key: `(${nobody})` } : group))
  drawTable(paper, COLUMNS, named)
  paper.y += 6
  if (sorted.length > MOST) note(paper, `${sorted.length - MOST} more are in the CSV file.`)
}
