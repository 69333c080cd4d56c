import { textOf } from '@septet/contract/says'
import { grouped, plural } from '@septet/domain/words'
import { amountWords, monthlyWords } from '@septet/contract/estimate-words'
import { measuredRange, measuredWords, SAVING_STATE_WORDS } from '@septet/contract/saving-words'
import type { RecommendationView } from '@septet/contract'

import type { Report } from '../../operations/report/report.ts'
import type { PdfPiece } from './flow.ts'
import { fleetFigures } from './key-figures.ts'
import type { Paper } from './paper.ts'
import { caption, heading, note, space } from './solid-pieces.ts'
import { tablePiece, type PaperColumn } from './table-piece.ts'
import { trendPieces } from './trend-pieces.ts'
import { sayFigure } from './words.ts'

/** How busy the fleet was, what to change and what each change would bring, and what changes that were made brought. */
export const changeChapter = (paper: Paper, report: Report): readonly PdfPiece[] => [
  ...(report.source.kind === 'sample' ? [] : [fleetFigures(paper, report), space(14, 22)]),
  ...trendPieces(paper, report),
  ...recommendations(paper, report),
  ...verified(paper, report),
  ...did(paper, report),
]

const TIP_COLUMNS: readonly PaperColumn<Tip>[] = [
  { name: 'Change, best first', text: ({ title }) => title, small: ({ message }) => message, share: 62, lines: 2 },
  { name: 'Risk', text: ({ risk }) => risk, share: 10 },
  { name: 'Bill falls by', text: ({ bill }) => bill, share: 13, as: 'figure', lines: 2 },
  { name: 'Capacity freed', text: ({ capacity }) => capacity, share: 15, as: 'figure', lines: 2 },
]

type Tip = Pick<RecommendationView, 'title' | 'message'> & {
  readonly risk: string
  readonly bill: string
  readonly capacity: string
}

function recommendations(paper: Paper, report: Report): readonly PdfPiece[] {
  const { recommendations: all, total, says } = report.recommendations
  const title = heading(paper, {
    title: 'AI Optimization Recommendations',
    aside: all.length === 0 ? '' : 'monthly estimates',
  })
  if (all.length === 0) {
    return [title, note(paper, textOf(says), { below: 16 })]
  }
  const { bill, capacity } = report.summary.savings
  const sums = {
    title: `All ${grouped(total)}`,
    message: '',
    risk: '',
    bill: sayFigure(bill),
    capacity: sayFigure(capacity),
  }
  return [
    title,
    tablePiece(paper, {
      columns: TIP_COLUMNS,
      rows: all.map(tipOf),
      least: 6,
      others: (rest) => othersOf(rest.length + total - all.length),
      ...(report.source.kind === 'sample' ? {} : { total: sums }),
    }),
    ...caption(
      paper,
      'Estimated from past use at the prices in force. Only a change that gives a node back lowers the bill; the others free capacity for other work, so the two sums are never added. Nothing here counts as saved until the change was made and measured.',
    ),
    space(16, 28),
  ]
}

const othersOf = (count: number): Tip => ({
  title: `${plural(count, 'other change')} in the CSV file`,
  message: '',
  risk: '',
  bill: '',
  capacity: '',
})

const RISK_WORDS = { low: 'low', medium: 'medium', high: 'high', 'mode-change': 'MIG mode' } as const

function tipOf({ title, message, saving, risk }: RecommendationView): Tip {
  const isBill = saving.kind === 'estimated' && saving.effect === 'bill-reduced'
  const words = amountWords(saving)
  return {
    title,
    message,
    risk: risk === null ? '–' : RISK_WORDS[risk.level],
    bill: isBill ? words : '–',
    capacity: isBill ? '–' : words,
  }
}

type ActionSaving = NonNullable<Report['savings']>['savings'][number]

const SAVING_COLUMNS: readonly PaperColumn<ActionSaving>[] = [
  { name: 'Change that was made', text: ({ title }) => title, small: ({ because }) => because, share: 42, lines: 2 },
  { name: 'State', text: ({ state }) => SAVING_STATE_WORDS[state], share: 16 },
  { name: 'Estimated', text: ({ estimate }) => monthlyWords(estimate), share: 15, as: 'figure' },
  { name: 'Measured', text: realizedWords, small: realizedSmall, share: 27, as: 'figure', lines: 2 },
]

const isVerified = ({ realized, state }: ActionSaving): boolean =>
  realized !== null && (state === 'verified' || state === 'partly-verified')

function realizedWords(saving: ActionSaving): string {
  return saving.realized === null || !isVerified(saving) ? 'none verified' : measuredWords(saving.realized)
}

function realizedSmall(saving: ActionSaving): string {
  if (saving.realized === null || !isVerified(saving)) return ''
  const range = measuredRange(saving.realized)
  const what = saving.effect === 'bill-reduced' ? 'off the bill' : 'of capacity freed'
  return range === undefined ? what : `${what}, ${range}`
}

function verified(paper: Paper, { savings, source }: Report): readonly PdfPiece[] {
  if (savings === null || source.kind === 'sample') return []
  const all = savings.savings
  const title = heading(paper, { title: 'Verified savings' })
  if (all.length === 0) {
    const words =
      'None yet: Septet has not changed this cluster. Approve one under Actions; what it saved is measured for up to four weeks.'
    return [title, note(paper, words), space(16, 28)]
  }
  return [
    title,
    tablePiece(paper, { columns: SAVING_COLUMNS, rows: all, least: 3 }),
    ...caption(
      paper,
      'Measured: what was held in the same hours of the week before, less what was held after, for up to four weeks. The true amount is in the range nine times in ten. Estimates are never added to what was measured.',
    ),
    space(16, 28),
  ]
}

type Action = NonNullable<Report['did']>['actions'][number]

const ACTION_COLUMNS: readonly PaperColumn<Action>[] = [
  { name: 'Action, newest first', text: ({ title }) => title, share: 40, lines: 2 },
  { name: 'Since (UTC)', text: ({ since }) => since.slice(0, 16).replace('T', ' '), share: 17, as: 'mono' },
  { name: 'State', text: ({ state, because }) => `${state}: ${because}`, share: 43, lines: 2 },
]

/** What Septet did in the time of the report, and what it would have done by itself. */
function did(paper: Paper, { did: done }: Report): readonly PdfPiece[] {
  if (done === null) return []
  const { actions, says, would } = done
  const table =
    actions.length === 0 ? [] : [tablePiece(paper, { columns: ACTION_COLUMNS, rows: actions, least: 3 }), space(6)]
  return [
    heading(paper, { title: 'What Septet did' }),
    note(paper, says, { size: 8.5, below: 6, keep: table.length > 0 }),
    ...table,
    ...(would === null ? [] : [note(paper, `With automatic reclaim of idle GPUs on: ${would}`, { size: 8.5 })]),
    space(16),
  ]
}
