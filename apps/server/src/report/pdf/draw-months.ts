import { INK, write, type Paper } from './paper.ts'

export type MonthBars = {
  readonly name: string
  readonly note: string
  /** In dollars; null is not known and leaves a gap with its word. */
  readonly bars: readonly { readonly amount: number | null; readonly words: string; readonly color: string }[]
}

const HEIGHT = 110

/** Bars side by side for each month, from zero. */
export function drawMonths(paper: Paper, months: readonly MonthBars[]): void {
  const { document, left, width } = paper
  const highest = Math.max(1, ...months.flatMap(({ bars }) => bars.map(({ amount }) => amount ?? 0)))
  const base = paper.y + HEIGHT
  const room = Math.min(130, width / Math.max(1, months.length))
  document
    .moveTo(left, base)
    .lineTo(left + width, base)
    .lineWidth(0.6)
    .strokeColor(INK.lineStrong)
    .stroke()
  for (const [index, { name, note, bars }] of months.entries()) {
    const x = left + index * room
    const bar = Math.min(30, (room - 14) / Math.max(1, bars.length))
    for (const [place, { amount, words, color }] of bars.entries()) {
      const high = ((amount ?? 0) / highest) * (HEIGHT - 16)
      const at = x + place * bar
      if (amount !== null && high > 0) document.rect(at, base - high, bar - 3, high).fill(color)
      write(paper, words, {
        x: at - 6,
        y: base - high - 9,
        size: 6,
        face: 'mono',
        color: INK.soft,
        width: bar + 9,
        align: 'center',
        lines: 1,
      })
    }
    write(paper, name, { x, y: base + 4, size: 8, face: 'medium', width: room - 6, lines: 1 })
    write(paper, note, { x, y: base + 14, size: 7, color: INK.quiet, width: room - 6, lines: 1 })
  }
  paper.y = base + 28
}
