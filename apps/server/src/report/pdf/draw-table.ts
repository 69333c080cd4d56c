import { FACE, INK, needHeight, rule, write, type Paper } from './paper.ts'

export type PaperColumn<Row> = {
  readonly name: string
  readonly text: (row: Row) => string
  /** Share of the width. */
  readonly share: number
  readonly right?: boolean
  readonly mono?: boolean
  /** Lines at most in a cell; one when left out. */
  readonly lines?: number
}

const PAD = 4

/** A table under hairlines; goes on, with its headings, on the next page. */
export function drawTable<Row>(paper: Paper, columns: readonly PaperColumn<Row>[], rows: readonly Row[]): void {
  drawHead(paper, columns)
  for (const row of rows) {
    const height = rowHeight(paper, columns, row)
    const page = paper.document.bufferedPageRange().count
    needHeight(paper, height)
    if (paper.document.bufferedPageRange().count !== page) drawHead(paper, columns)
    const { y } = paper
    eachCell(paper, columns, (column, place) => {
      write(paper, column.text(row), { x: place.x, y: y + PAD, ...look(column), width: place.width })
    })
    paper.y = y + height
    rule(paper, paper.y)
  }
}

function drawHead<Row>(paper: Paper, columns: readonly PaperColumn<Row>[]): void {
  needHeight(paper, 40)
  const { y } = paper
  eachCell(paper, columns, ({ name, right = false }, { x, width }) => {
    write(paper, name, { x, y, size: 7.5, color: INK.quiet, width, align: right ? 'right' : 'left', lines: 1 })
  })
  paper.y = y + 13
  rule(paper, paper.y, INK.lineStrong)
}

const look = <Row>({ right = false, mono = false, lines = 1 }: PaperColumn<Row>) =>
  ({ size: 8.5, face: mono ? FACE.mono : FACE.text, align: right ? 'right' : 'left', lines }) as const

function rowHeight<Row>({ document, width }: Paper, columns: readonly PaperColumn<Row>[], row: Row): number {
  const total = columns.reduce((sum, { share }) => sum + share, 0)
  const heights = columns.map((column) => {
    const { size, face, lines } = look(column)
    document.font(face).fontSize(size)
    const one = document.currentLineHeight(true)
    if (lines === 1) return one
    const room = (width * column.share) / total - 8
    return Math.min(lines * one, document.heightOfString(column.text(row), { width: room }))
  })
  return Math.max(...heights) + 2 * PAD
}

type Place = { readonly x: number; readonly width: number }

function eachCell<Row>(
  { left, width }: Paper,
  columns: readonly PaperColumn<Row>[],
  draw: (column: PaperColumn<Row>, place: Place) => void,
): void {
  const total = columns.reduce((sum, { share }) => sum + share, 0)
  let x = left
  for (const [index, column] of columns.entries()) {
    const room = (width * column.share) / total
    draw(column, { x, width: room - (index === columns.length - 1 ? 0 : 8) })
    x += room
  }
}
