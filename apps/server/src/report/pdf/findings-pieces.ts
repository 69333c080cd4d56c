import { dollars, short } from '@septet/domain/words'

import type { Report } from '../../operations/report/report.ts'
import type { Piece } from './flow.ts'
import type { Paper } from './paper.ts'
import { caption, heading } from './solid-pieces.ts'
import { tablePiece, type PaperColumn } from './table-piece.ts'

type Finding = Report['findings']['findings'][number]

/** On what the most was wasted, the largest first. */
export function findingsPieces(paper: Paper, { findings: { findings } }: Report): readonly Piece[] {
  if (findings.length === 0) return []
  return [
    heading(paper, { title: 'Largest findings', aside: 'at the rate of this period' }),
    tablePiece(paper, { columns: COLUMNS, rows: findings, least: 2 }),
    ...caption(
      paper,
      'All findings are in the CSV file. A finding is waste as it was measured, not a saving; the recommendations say what to change.',
    ),
  ]
}

const COLUMNS: readonly PaperColumn<Finding>[] = [
  { name: 'Waste', text: ({ kind }) => kind, share: 13 },
  { name: 'Where and why', text: ({ message }) => message, share: 73, lines: 2 },
  {
    name: 'A month',
    text: ({ usdPerMonth, gpuHours }) =>
      usdPerMonth === null ? (gpuHours === null ? 'unknown' : `${short(gpuHours)} GPU-h`) : dollars(usdPerMonth),
    share: 14,
    right: true,
    mono: true,
  },
]
