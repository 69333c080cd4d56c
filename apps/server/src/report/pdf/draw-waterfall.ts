import { INK, write, type Paper } from './paper.ts'

export type WaterfallStep = {
  readonly name: string
  readonly amount: number
  readonly words: string
  readonly share: string
  readonly color: string
}

const ROW = 19

/** From the whole down to what was used, a bar for each part; the bars are to scale and add up to the whole. */
export function drawWaterfall(paper: Paper, whole: WaterfallStep, parts: readonly WaterfallStep[]): void {
  const [label, figures] = [110, 130]
  const room = paper.width - label - figures
  const scale = whole.amount > 0 ? room / whole.amount : 0
  drawStep(paper, whole, { x: paper.left + label, width: whole.amount * scale, figures })
  let at = 0
  for (const part of parts) {
    drawStep(paper, part, { x: paper.left + label + at * scale, width: part.amount * scale, figures })
    at += part.amount
  }
}

type Place = { readonly x: number; readonly width: number; readonly figures: number }

function drawStep(paper: Paper, { name, words, share, color }: WaterfallStep, { x, width, figures }: Place): void {
  const { document, left, y } = paper
  write(paper, name, { x: left, y: y + 4, size: 8.5, width: 104, lines: 1 })
  if (width > 0) document.rect(x, y + 2, Math.max(0.8, width), ROW - 6).fill(color)
  const right = left + paper.width
  write(paper, words, {
    x: right - figures,
    y: y + 4,
    size: 8.5,
    face: 'mono',
    width: figures - 42,
    align: 'right',
    lines: 1,
  })
  write(paper, share, { x: right - 40, y: y + 4, size: 8, color: INK.soft, width: 40, align: 'right', lines: 1 })
  paper.y = y + ROW
}
