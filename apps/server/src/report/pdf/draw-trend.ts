import { percent } from '@septet/domain/words'
import { INK, write, type Paper } from './paper.ts'
import type { TagBox } from './tags.ts'

export type TrendLine = {
  readonly name: string
  readonly color: string
  readonly dashed?: boolean
  /** Shares from 0 to 1; null was not measured and stays a gap. */
  readonly values: readonly (number | null)[]
}

/** Shares over time from 0 to 100 %, each line named at its end. */
export function drawTrend(
  paper: Paper,
  box: TagBox,
  chart: { readonly lines: readonly TrendLine[]; readonly labels: readonly string[] },
): void {
  const { document } = paper
  const plot = { x: box.x + 28, y: box.y + 4, width: box.width - 28 - 74, height: box.height - 20 }
  for (const level of [0, 0.25, 0.5, 0.75, 1]) {
    const y = plot.y + plot.height * (1 - level)
    document
      .moveTo(plot.x, y)
      .lineTo(plot.x + plot.width, y)
      .lineWidth(0.5)
      .strokeColor(INK.line)
      .stroke()
    write(paper, percent(level, 0), {
      x: box.x,
      y: y - 4,
      size: 7,
      color: INK.quiet,
      width: 24,
      align: 'right',
      lines: 1,
    })
  }
  for (const line of chart.lines) drawLine(paper, plot, line)
  nameLines(paper, plot, chart.lines)
  labelTimes(paper, plot, chart.labels)
}

/** The width of a label below the axis, points. */
const LABEL = 62

/** A label where it differs from the one before it, and where it does not touch another. */
function labelTimes(paper: Paper, plot: TagBox, labels: readonly string[]): void {
  const step = plot.width / Math.max(1, labels.length - 1)
  const under = {
    y: plot.y + plot.height + 5,
    width: LABEL,
    size: 7,
    color: INK.quiet,
    align: 'center',
    lines: 1,
  } as const
  let free = plot.x - LABEL / 2
  for (const [index, label] of labels.entries()) {
    const x = plot.x + index * step - LABEL / 2
    if (label === labels[index - 1] || x < free) continue
    write(paper, label, { x, ...under })
    free = x + LABEL
  }
}

function drawLine({ document }: Paper, plot: TagBox, { values, color, dashed = false }: TrendLine): void {
  const step = plot.width / Math.max(1, values.length - 1)
  document.save()
  if (dashed) document.dash(3, { space: 2 })
  let drawing = false
  for (const [index, value] of values.entries()) {
    if (value === null) {
      drawing = false
      continue
    }
    const [x, y] = [plot.x + index * step, plot.y + plot.height * (1 - value)]
    const alone = !drawing && (values[index + 1] ?? null) === null
    if (alone) document.circle(x, y, 0.6)
    else if (drawing) document.lineTo(x, y)
    else document.moveTo(x, y)
    drawing = true
  }
  document.lineWidth(1.2).lineJoin('round').strokeColor(color).stroke().undash().restore()
}

const APART = 10

/** Names at the lines' ends, moved apart where they would meet. */
function nameLines(paper: Paper, plot: TagBox, lines: readonly TrendLine[]): void {
  const ends = lines
    .flatMap(({ name, color, values }) => {
      const last = values.findLast((value) => value !== null)
      return last === undefined || last === null ? [] : { name, color, y: plot.y + plot.height * (1 - last) - 4 }
    })
    .toSorted((a, b) => a.y - b.y)
  let floor = Number.NEGATIVE_INFINITY
  for (const { name, color, y } of ends) {
    const at = Math.max(y, floor)
    floor = at + APART
    write(paper, name, { x: plot.x + plot.width + 6, y: at, size: 7.5, face: 'medium', color, width: 70, lines: 1 })
  }
}
