import type { Report } from '../../operations/report/report.ts'
import { drawTable, type PaperColumn } from './draw-table.ts'
import { heading, note } from './heading.ts'
import type { Paper } from './paper.ts'

type Action = NonNullable<Report['did']>['actions'][number]

const MOST = 8

/** What Septet did in the time of the report, and what it would have done by itself. */
export function didTable(paper: Paper, { did }: Report): void {
  if (did === null) return
  const { actions, says, would } = did
  heading(
    paper,
    'What Septet did',
    actions.length === 0 ? '' : `${Math.min(MOST, actions.length)} of ${actions.length}`,
  )
  note(paper, says)
  if (actions.length > 0) drawTable(paper, COLUMNS, actions.slice(0, MOST))
  if (would !== null) note(paper, `Had Reclaim idle been on auto: ${would}`)
}

const COLUMNS: readonly PaperColumn<Action>[] = [
  { name: '', text: ({ title }) => title, share: 34, lines: 2 },
  { name: 'Since', text: ({ since }) => since.slice(0, 16).replace('T', ' '), share: 16, mono: true },
  { name: 'State', text: ({ state, because }) => `${state}: ${because}`, share: 50, lines: 2 },
]
