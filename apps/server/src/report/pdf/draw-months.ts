import { INK, write, type Paper } from './paper.ts'
import type { TagBox } from './tags.ts'

export type MonthBars = {
  readonly name: string
  readonly note: string
  /** In dollars; null is not known and leaves a gap with its word. */
  readonly bars: readonly {
    readonly is: string
    readonly amount: number | null
    readonly words: string
    readonly color: string
    /** What is only supposed has a broken outline. */
    readonly isDashed?: boolean
  }[]
}

/** What a month takes where there are few of them, points. */
export const MONTH_WIDTH = 150

/** Bars side by side for each month, from zero; names and notes lie below the box. */
export function drawMonths(paper: Paper, months: readonly MonthBars[], box: TagBox): void {
  const highest = Math.max(1, ...months.flatMap(({ bars }) => bars.map(({ amount }) => amount ?? 0)))
  const base = box.y + box.height
  const room = Math.min(MONTH_WIDTH, box.width / Math.max(1, months.length))
  paper.document
    .moveTo(box.x, base)
    .lineTo(box.x + box.width, base)
    .lineWidth(0.6)
    .strokeColor(INK.lineStrong)
    .stroke()
  for (const [index, { name, note, bars }] of months.entries()) {
    const x = box.x + index * room
    const wide = Math.min(44, (room - 14) / Math.max(1, bars.length))
    for (const [place, bar] of bars.entries()) {
      const height = ((bar.amount ?? 0) / highest) * (box.height - 14)
      drawBar(paper, bar, { x: x + place * wide, y: base - height, width: wide - 4, height })
    }
    write(paper, name, { x, y: base + 4, size: 8, face: 'medium', width: room - 6, lines: 1 })
    write(paper, note, { x, y: base + 15, size: 7, color: INK.quiet, width: room - 6, lines: 1 })
  }
}

function drawBar(
  paper: Paper,
  { amount, words, color, isDashed = false }: MonthBars['bars'][number],
  box: TagBox,
): void {
  const { document } = paper
  if (amount !== null && box.height > 0) {
    document.rect(box.x, box.y, box.width, box.height).fill(color)
    if (isDashed) {
      document
        .rect(box.x + 0.35, box.y + 0.35, box.width - 0.7, Math.max(0.1, box.height - 0.7))
        .dash(2, { space: 1.5 })
      document.lineWidth(0.7).strokeColor(INK.busy).stroke().undash()
    }
  }
  const about = { x: box.x - 6, y: box.y - 10, width: box.width + 12, align: 'center', lines: 1 } as const
  write(paper, words, { ...about, size: 6.5, face: 'mono', color: INK.soft })
}
