import { measuredRange, measuredWords, monthlyWords, SAVING_STATE_WORDS } from '@septet/contract/saving-words'

import type { Report } from '../../operations/report/report.ts'
import { drawTable, type PaperColumn } from './draw-table.ts'
import { heading, note } from './heading.ts'
import type { Paper } from './paper.ts'

type ActionSaving = NonNullable<Report['savings']>['savings'][number]

const MOST = 8

/** What actions saved, measured; nothing where there is no action. */
export function savingsTable(paper: Paper, { savings }: Report): void {
  const all = savings?.savings ?? []
  if (all.length === 0) return
  heading(paper, 'What actions saved', `${Math.min(MOST, all.length)} of ${all.length}`)
  drawTable(paper, COLUMNS, all.slice(0, MOST))
  paper.y += 6
  note(
    paper,
    'Measured: what was held in the same hours of the week before, less what was held after, for up to four weeks. The range has the true value in it nine times in ten. Freed capacity does not lower the bill; only a removed node does. Estimates are for a month and are never added to what was measured.',
  )
}

const COLUMNS: readonly PaperColumn<ActionSaving>[] = [
  { name: '', text: ({ title }) => title, share: 30, lines: 2 },
  { name: 'State', text: ({ state, because }) => `${SAVING_STATE_WORDS[state]}. ${because}`, share: 30, lines: 2 },
  { name: 'Estimated', text: ({ estimate }) => monthlyWords(estimate), share: 14, right: true },
  { name: 'Measured', text: realisedWords, share: 26, right: true, lines: 2 },
]

function realisedWords({ realised, state, effect }: ActionSaving): string {
  if (realised === null || (state !== 'verified' && state !== 'partly-verified')) return 'none verified'
  const range = measuredRange(realised)
  const sure = range === undefined ? '' : ` (${range})`
  return `${measuredWords(realised)}${sure} ${effect === 'bill-reduced' ? 'off the bill' : 'of capacity freed'}`
}
