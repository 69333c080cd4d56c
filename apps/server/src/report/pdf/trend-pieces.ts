import { DAY_MS } from '@septet/domain'
import { percent } from '@septet/domain/words'

import type { Report } from '../../operations/report/report.ts'
import { drawTrend, type TrendLine } from './draw-trend.ts'
import type { PdfPiece } from './flow.ts'
import { INK, type Paper } from './paper.ts'
import { caption, heading, note, space, STRETCH } from './solid-pieces.ts'
import { figureTag } from './tags.ts'
import { shortMoment } from './words.ts'

/** Utilization over time; what was not measured stays a gap. */
export function trendPieces(paper: Paper, { trend: { points, step }, scope, window }: Report): readonly PdfPiece[] {
  const lines = linesOf({ points, step })
  const title = heading(paper, { title: 'GPU Utilization Trend' })
  if (lines.length === 0) return [title, note(paper, 'No utilization was measured in this period.', { below: 16 })]
  const gaps = points.filter(({ busy, busyOfAllocated }) => busy === null && busyOfAllocated === null).length
  const isLong = window === null || Date.parse(window.to) - Date.parse(window.from) > 2 * DAY_MS
  const labels = points.map(({ at }) => (step === 0 ? at : shortMoment(at, isLong)))
  const whole = scope.namespaces === null ? 'ready GPU time' : 'what these namespaces held'
  const missing = gaps === 0 ? '' : ` ${gaps} of ${points.length} points were not measured and stay gaps.`
  const alt = `Lines over time from ${labels[0]} to ${labels.at(-1)}, shares of GPU time: ${lines.map(lineWords).join('; ')}.${missing}`
  return [
    title,
    {
      least: 13,
      most: 24,
      units: (steps) => [
        {
          height: steps * STRETCH + 6,
          draw: (sheet, y) => {
            const box = { x: sheet.left, y, width: sheet.width, height: steps * STRETCH }
            figureTag(sheet, { alt, box }, (inside) => drawTrend(inside, box, { lines, labels }))
          },
        },
      ],
    },
    ...caption(paper, `Share of ${whole}.${missing}`),
    space(16, 24),
  ]
}

function linesOf({ points, step }: Pick<Report['trend'], 'points' | 'step'>): readonly TrendLine[] {
  const isOfHeld = points.every(
    ({ busy, busyOfAllocated, allocated }) => allocated === null && busy === busyOfAllocated,
  )
  return [
    { name: step === 0 ? 'Utilization' : 'Busy', color: INK.busy, values: points.map(({ busy }) => busy) },
    ...(isOfHeld
      ? []
      : [
          {
            name: step === 0 ? 'Efficiency' : 'Busy of held',
            color: INK.soft,
            dashed: true,
            values: points.map(({ busyOfAllocated }) => busyOfAllocated),
          },
        ]),
    { name: 'Held', color: INK.free, values: points.map(({ allocated }) => allocated) },
  ].filter(({ values }) => values.some((value) => value !== null))
}

function lineWords({ name, values }: TrendLine): string {
  const known = values.filter((value) => value !== null)
  return `${name} between ${percent(Math.min(...known), 0)} and ${percent(Math.max(...known), 0)}, last ${percent(known.at(-1) ?? 0, 0)}`
}
