import { grouped, percent, plural, wholePercent } from '@septet/domain/words'
import type { FigureView } from '@septet/contract'
import { intervalWords } from '@septet/contract/figure-words'

import type { Report } from '../../operations/report/report.ts'
import type { PdfPiece } from './flow.ts'
import { heightOf, INK, write, type Paper } from './paper.ts'
import { solid } from './solid-pieces.ts'
import { amountWords, spendOf, type Spend } from './spend.ts'
import { decoration, tag } from './tags.ts'
import { sayFigure } from './words.ts'

type KeyFigure = {
  readonly name: string
  readonly words: string
  readonly isKnown: boolean
  readonly small: readonly string[]
}

/** The figures that lead a page, beside each other: at most four. */
export function keyFigures(paper: Paper, report: Report): PdfPiece {
  return row(paper, report.source.kind === 'sample' ? sampleFigures(report) : [...spending(report), ...savings(report)])
}

/** How busy the fleet was, how much runs, and how its GPUs are cut: the cards of the Summary. */
export const fleetFigures = (paper: Paper, { summary }: Report): PdfPiece => row(paper, cardsOf(summary))

function spending(report: Report): readonly KeyFigure[] {
  const spend = spendOf(report)
  if (spend === undefined) return NOTHING_SPENT
  const { capacity } = report.summary
  const fleet = `${plural(capacity.gpus, 'GPU')} on ${plural(capacity.nodes, 'node')}`
  return [
    {
      name: spend.isOfNamespaces ? 'Held' : spend.isPriced ? 'Spent' : 'GPU time',
      words: amountWords(spend.whole, spend),
      isKnown: true,
      small: [spend.isOfNamespaces ? 'by these namespaces' : fleet],
    },
    wastedFigure(spend),
  ]
}

const NOTHING_SPENT: readonly KeyFigure[] = [
  { name: 'Spent', words: 'Not measured', isKnown: false, small: ['no GPU time in this period'] },
  { name: 'Wasted', words: 'Not measured', isKnown: false, small: [] },
]

function wastedFigure(spend: Spend): KeyFigure {
  const { whole, wasted, isIdleKnown, isPriced } = spend
  if (!isIdleKnown && wasted <= 0)
    return { name: 'Wasted', words: 'Not measured', isKnown: false, small: ['no metrics of what was held'] }
  const share = `${isIdleKnown ? '' : 'at least '}${wholePercent(wasted / whole)} of ${isPriced ? 'spend' : 'GPU time'}`
  return { name: 'Wasted', words: amountWords(wasted, spend), isKnown: true, small: [share] }
}

/** What could be saved and what was: estimated and verified stand apart, and so do the bill and the capacity. */
function savings({ summary: { savings: of } }: Report): readonly KeyFigure[] {
  const { verified, freed, bill, capacity } = of
  return [
    {
      name: 'Can come off the bill',
      words: sayFigure(bill),
      isKnown: bill.value !== null,
      small:
        bill.value === null ? ['no estimate yet'] : ['estimated', ...beside(capacity, 'of capacity could be freed')],
    },
    {
      name: 'Saved, verified',
      words: verified.value === null ? 'None yet' : sayFigure(verified),
      isKnown: verified.value !== null,
      small: [
        ...(verified.value === null
          ? ['nothing off the bill so far']
          : ['off the bill', intervalWords(verified) ?? '']),
        ...beside(freed, 'of capacity freed, verified'),
      ],
    },
  ]
}

const beside = (figure: FigureView, words: string): readonly string[] =>
  figure.value === null ? [] : [`${sayFigure(figure)} ${words}`]

const sampleFigures = ({ summary }: Report): readonly KeyFigure[] => [
  {
    name: 'Total Cost Savings',
    words: sayFigure(summary.savings.verified),
    isKnown: summary.savings.verified.value !== null,
    small: ['sample figure', summary.savings.change ?? ''],
  },
  ...cardsOf(summary),
]

const cardsOf = ({ utilization, workloads, mig }: Report['summary']): readonly KeyFigure[] => [
  {
    name: 'GPU Utilization',
    words: sayFigure(utilization.busy),
    isKnown: utilization.busy.value !== null,
    small: [`Target ${percent(utilization.target, 0)}`, utilization.note],
  },
  {
    name: 'Active Workloads',
    words: grouped(workloads.active),
    isKnown: true,
    small: [`${grouped(workloads.running)} running`, `${grouped(workloads.queued)} queued`],
  },
  { name: 'MIG Efficiency', words: sayFigure(mig.headline), isKnown: mig.headline.value !== null, small: [mig.note] },
]

const BETWEEN = 18
const SMALL = 8

function row(paper: Paper, figures: readonly KeyFigure[]): PdfPiece {
  const width = (paper.width - (figures.length - 1) * BETWEEN) / figures.length
  const told = figures.map((one) => ({ ...one, small: one.small.filter((text) => text !== '') }))
  const below = told.map(({ small }) =>
    small.reduce((sum, text) => sum + heightOf(paper, text, { size: SMALL, width }), 0),
  )
  const height = 38 + Math.max(...below)
  return solid({
    height,
    draw: (sheet, y) =>
      tag(sheet, 'L', (list) => {
        for (const [index, one] of told.entries()) {
          const x = sheet.left + index * (width + BETWEEN)
          decoration(sheet, ({ document }) => {
            document.rect(x, y, width, 2).fill(index === 0 ? INK.ink : INK.lineStrong)
          })
          tag(list, 'LI', (item) => tag(item, 'LBody', (body) => drawFigure(body, one, { x, y, width })))
        }
      }),
  })
}

type At = { readonly x: number; readonly y: number; readonly width: number }

function drawFigure(paper: Paper, { name, words, isKnown, small }: KeyFigure, { x, y, width }: At): void {
  write(paper, name, { x, y: y + 8, size: 8.5, color: INK.soft, width, lines: 1 })
  const look = isKnown
    ? ({ face: 'bold', size: 19 } as const)
    : ({ face: 'medium', size: 13, color: INK.quiet } as const)
  write(paper, words, { x, y: isKnown ? y + 19 : y + 23, width, lines: 1, ...look })
  let at = y + 42
  for (const text of small) at += write(paper, text, { x, y: at, size: SMALL, color: INK.soft, width })
}
