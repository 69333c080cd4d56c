import { perMillionTokens, plural, short, dollars } from '@septet/domain/words'

import type { Report } from '../../operations/report/report.ts'
import type { PdfPiece } from './flow.ts'
import type { Paper } from './paper.ts'
import { caption, heading, space } from './solid-pieces.ts'
import { tablePiece, type PaperColumn } from './table-piece.ts'

type Group = Report['tokens']['groups'][number]

const orUnknown = (write: (amount: number) => string, amount: number | null): string =>
  amount === null ? 'unknown' : write(amount)

const COLUMNS: readonly PaperColumn<Group>[] = [
  { name: 'Workload', text: ({ key }) => key, small: ({ models }) => models.join(', '), share: 38 },
  { name: 'Tokens', text: ({ tokens }) => orUnknown(short, tokens.total), share: 12, as: 'figure' },
  { name: 'Cost', text: ({ allocated }) => orUnknown(dollars, allocated.usd), share: 13, as: 'figure' },
  { name: 'Held idle', text: ({ idle }) => orUnknown(dollars, idle.usd), share: 13, as: 'figure' },
  {
    name: '$/M, held',
    text: ({ usdPerMillion }) => orUnknown(perMillionTokens, usdPerMillion.allocated.total),
    share: 12,
    as: 'figure',
  },
  {
    name: '$/M, busy',
    text: ({ usdPerMillion }) => orUnknown(perMillionTokens, usdPerMillion.busy.total),
    share: 12,
    as: 'figure',
  },
]

/** What tokens cost, where any were counted. */
export function tokensPieces(paper: Paper, { tokens: { groups, total } }: Report): readonly PdfPiece[] {
  if (total === null) return []
  return [
    heading(paper, { title: 'What tokens cost', aside: plural(total.workloads, 'workload') }),
    tablePiece(paper, { columns: COLUMNS, rows: groups, least: 2 }),
    ...caption(
      paper,
      'Dollars for a million tokens, read and written, by all GPU time that the workload held and by the part that was busy.',
    ),
    space(14, 26),
  ]
}
