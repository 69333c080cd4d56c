import { textOf } from '@septet/contract/says'
import { plural } from '@septet/domain/words'
import type { FigureView, RecommendationView } from '@septet/contract'

import type { Report } from '../../operations/report/report.ts'
import type { PdfPiece, FlowUnit } from './flow.ts'
import { heightOf, INK, write, type Paper } from './paper.ts'
import { heading, note, solid, space } from './solid-pieces.ts'
import { rule, tag } from './tags.ts'
import { sayFigure } from './words.ts'

type Step = {
  /** What it does, in the words of whoever pays. */
  readonly aim: string
  /** What all changes of its kind would bring together; undefined where that is not an amount. */
  readonly total: FigureView | undefined
  readonly unit: string
  /** The best of them, and how many there are. */
  readonly first: RecommendationView
  readonly count: number
}

/** What to do first: the best change of each kind. What falls from the bill and what is only freed stand apart. */
export function firstSteps(paper: Paper, report: Report): readonly PdfPiece[] {
  if (report.source.kind === 'sample') return []
  const steps = stepsOf(report)
  if (steps.length === 0) {
    const words = textOf(report.recommendations.says)
    return [heading(paper, { title: 'What to do first' }), note(paper, words), space(16, 26)]
  }
  return [
    heading(paper, {
      title: 'What to do first',
      aside: 'Monthly estimates; bill and capacity are never added together',
    }),
    solid({ height: 0.1, draw: (sheet, y) => rule(sheet, y, INK.lineStrong) }, { keep: true }),
    { least: steps.length, most: steps.length, units: () => steps.map((step) => stepUnit(paper, step)), tag: 'L' },
    space(16, 26),
  ]
}

function stepsOf({ recommendations: { recommendations }, summary: { savings } }: Report): readonly Step[] {
  const of = (effect: 'bill-reduced' | 'capacity-freed') =>
    recommendations.filter(({ saving }) => saving.kind === 'estimated' && saving.effect === effect)
  const kinds = [
    { aim: 'Cut the bill', total: savings.bill, unit: 'off the bill', changes: of('bill-reduced') },
    {
      aim: 'Free GPUs for other work',
      total: savings.capacity,
      unit: 'of capacity; the bill stays',
      changes: of('capacity-freed'),
    },
    {
      aim: 'Start work that waits',
      total: undefined,
      unit: 'no amount can be defended',
      changes: recommendations.filter(({ saving }) => saving.kind === 'none'),
    },
  ]
  return kinds.flatMap(({ changes: [first, ...others], ...kind }) =>
    first === undefined ? [] : [{ ...kind, first, count: others.length + 1 }],
  )
}

const SIDE = 150
const PAD = 7

function stepUnit(paper: Paper, step: Step): FlowUnit {
  const { aim, value, brings, name, message, others } = wordsOf(step)
  const width = paper.width - SIDE
  const look = { size: 8, width, lines: 2 } as const
  const title = heightOf(paper, name, { face: 'medium', size: 9.5, width })
  const text = heightOf(paper, message, look)
  const more = others === '' ? 0 : heightOf(paper, others, look)
  const height = Math.max(44, title + text + more + 3) + 2 * PAD
  return {
    height,
    draw: (sheet, y) => {
      tag(sheet, 'LI', (item) =>
        tag(item, 'LBody', (body) => {
          const at = { x: sheet.left, width: SIDE - 16 }
          write(body, aim, { ...at, y: y + PAD, size: 8.5, color: INK.soft, lines: 1 })
          write(body, value, { ...at, y: y + PAD + 11, face: 'bold', size: 14, lines: 1 })
          write(body, brings, { ...at, y: y + PAD + 30, size: 8, color: INK.soft })
          const x = sheet.left + SIDE
          write(body, name, { x, y: y + PAD, face: 'medium', size: 9.5, width })
          write(body, message, { x, y: y + PAD + title + 1, color: INK.soft, ...look })
          write(body, others, { x, y: y + PAD + title + text + 3, color: INK.quiet, ...look })
        }),
      )
      rule(sheet, y + height)
    },
  }
}

/** What is said of a kind of change and of the best one of it. */
function wordsOf({ aim, total, unit, first, count }: Step) {
  const changes = plural(count, 'change')
  return {
    aim,
    value: total === undefined || total.value === null ? changes : sayFigure(total),
    brings: first.saving.kind === 'none' ? first.saving.brings : unit,
    name: first.title,
    message: first.message,
    others: count > 1 ? `${plural(count - 1, 'more change')} of this kind.` : '',
  }
}
