import { SECONDS_PER_DAY } from '@septet/domain/units'
import type UPlot from 'uplot'

import { cssColor } from '../../ui/css-color.ts'
import { denseWords, type DenseSeries, type DenseUnit } from './dense-series.ts'

type Needs = {
  readonly series: readonly DenseSeries[]
  readonly unit: DenseUnit
  readonly top: number | undefined
  readonly lines: readonly { readonly name: string; readonly value: number }[]
  readonly width: number
  readonly height: number
}

const AXIS_FONT = '12px "Geist Mono", ui-monospace, monospace'

/** What uPlot needs to draw in the theme in force. The scale begins at zero; gaps are not bridged. */
export function denseOptions({ series, unit, top, lines, width, height }: Needs): UPlot.Options {
  const quiet = cssColor('--ink-quiet')
  const line = cssColor('--line')
  const highest = Math.max(0, ...lines.map(({ value }) => value))
  return {
    width,
    height,
    padding: [8, 20, 0, 0],
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    legend: { live: true, isolate: false },
    scales: { x: { time: true }, y: { range: (_plot, _low, high) => [0, top ?? roomAbove(Math.max(high, highest))] } },
    axes: [
      {
        stroke: quiet,
        font: AXIS_FONT,
        grid: { show: false },
        ticks: { show: false },
        values: clockTicks,
        // The first label is clear of the zero beside it.
        gap: 11,
        size: 34,
      },
      {
        stroke: quiet,
        font: AXIS_FONT,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        size: unit === 'ratio' ? 52 : 64,
        values: (_plot, ticks) => ticks.map((tick) => denseWords(tick, unit)),
      },
    ],
    series: [
      { label: 'At', value: (_plot, at) => (at === null ? 'newest' : moment(at)) },
      ...series.map((one, order) => seriesOptions(one, unit, order + 1)),
    ],
    hooks: { draw: [(plot) => drawLines(plot, lines, quiet)] },
  }
}

const TONES = {
  busy: '--busy',
  idle: '--idle',
  stranded: '--stranded',
  free: '--free',
  fault: '--fault',
  accent: '--accent',
  ink: '--ink-soft',
} as const satisfies Record<DenseSeries['tone'], string>

function seriesOptions({ name, tone, filled, dashed }: DenseSeries, unit: DenseUnit, line: number): UPlot.Series {
  const stroke = cssColor(TONES[tone])
  return {
    label: name,
    stroke,
    width: 1.5,
    spanGaps: false,
    points: { show: false },
    // Where nobody points at the chart the newest reading stands; a gap under the pointer is said.
    value: (plot, value: number | null) => {
      const shown = typeof plot.cursor.idx === 'number' ? value : newest(plot.data[line] ?? [])
      return shown === null ? 'not measured' : denseWords(shown, unit)
    },
    ...(filled === true ? { fill: cssColor('--busy-soft') } : {}),
    ...(dashed === true ? { dash: [4, 3] } : {}),
  }
}

const newest = (values: ArrayLike<number | null | undefined>): number | null =>
  Array.from(values).findLast((value) => value !== null && value !== undefined) ?? null

const roomAbove = (high: number): number => (high > 0 ? high * 1.1 : 1)

function clockTicks(_plot: UPlot, ticks: number[]): string[] {
  const step = (ticks[1] ?? 0) - (ticks[0] ?? 0)
  const format = new Intl.DateTimeFormat(
    'en-US',
    step >= SECONDS_PER_DAY
      ? { day: 'numeric', month: 'short' }
      : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  )
  return ticks.map((tick) => format.format(tick * 1000))
}

const MOMENT = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const moment = (at: number): string => MOMENT.format(at * 1000)

/** Levels to compare with: a dashed line and its name over its right end. */
function drawLines(plot: UPlot, lines: Needs['lines'], color: string): void {
  const { ctx, bbox } = plot
  const scale = devicePixelRatio
  ctx.save()
  ctx.strokeStyle = color
  ctx.fillStyle = color
  ctx.setLineDash([4 * scale, 3 * scale])
  ctx.lineWidth = scale
  ctx.font = `${12 * scale}px Geist, sans-serif`
  ctx.textAlign = 'right'
  ctx.textBaseline = 'alphabetic'
  for (const { name, value } of lines) {
    const y = plot.valToPos(value, 'y', true)
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    ctx.fillText(name, bbox.left + bbox.width, y - 4 * scale)
  }
  ctx.restore()
}
