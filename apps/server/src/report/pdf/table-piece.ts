import type { PdfPiece, FlowUnit } from './flow.ts'
import { FACE, heightOf, INK, write, type Paper } from './paper.ts'
import { drawLook, type LookName } from './looks.ts'
import { decoration, rule, tag, type TagBox } from './tags.ts'

export type PaperColumn<Row> = {
  readonly name: string
  readonly text: (row: Row) => string
  /** A second text under the first, in small print. */
  readonly small?: (row: Row) => string
  /** What is drawn instead of a text that says the same. */
  readonly draw?: (paper: Paper, row: Row, box: TagBox) => void
  /** The meaning whose color and texture stand before the text. */
  readonly mark?: (row: Row) => LookName | undefined
  /** Share of the width. */
  readonly share: number
  /** A figure is set at the right, and as all that is mono in the face for it. */
  readonly as?: 'figure' | 'mono'
  /** Lines at most of each text of a cell; one when left out. */
  readonly lines?: number
}

type Table<Row> = {
  readonly columns: readonly PaperColumn<Row>[]
  readonly rows: readonly Row[]
  /** Rows that are shown at least, where there are so many. */
  readonly least: number
  /** Rows that are shown at most, where there is room. */
  readonly most?: number
  /** What of the rows is not shown, as a row. */
  readonly others?: (rows: readonly Row[]) => Row
  /** The last row, which is always there. */
  readonly total?: Row
}

const PAD = 4.5
/** A swatch and the space behind it. */
const MARK = { size: 8, room: 14 } as const
const BETWEEN = 10
const SIZE = 8.5
const SMALL = 7.5

/** A table under hairlines. The first column names the row; on a further page the headings are shown again. */
export function tablePiece<Row>(paper: Paper, { columns, rows, least, most, others, total }: Table<Row>): PdfPiece {
  const shownAtMost = Math.min(rows.length, most ?? rows.length)
  // Measuring a text takes longer than all else: it is done once, and only for rows that there may be room for.
  const unitOf = once((index: number) =>
    rows.slice(index, index + 1).map((row) => rowUnit(paper, columns, { row, face: 'text' })),
  )
  const rest = once((shown: number): FlowUnit[] =>
    others === undefined || shown >= rows.length
      ? []
      : [rowUnit(paper, columns, { row: others(rows.slice(shown)), face: 'text' })],
  )
  const last = total === undefined ? [] : [rowUnit(paper, columns, { row: total, face: 'medium' })]
  const head = headUnit(paper, columns)
  return {
    least: Math.min(least, shownAtMost),
    most: shownAtMost,
    units: (shown) => [...Array.from({ length: shown }, (_, index) => unitOf(index)).flat(), ...rest(shown), ...last],
    head,
    again: { ...head, draw: (sheet, y) => decoration(sheet, (inside) => head.draw(inside, y), 'Pagination') },
    tag: 'Table',
  }
}

/** Remembers what a function gave for each number. */
function once<Value>(make: (of: number) => Value): (of: number) => Value {
  const made = new Map<number, Value>()
  return (of) => {
    const value = made.get(of) ?? make(of)
    made.set(of, value)
    return value
  }
}

function headUnit<Row>(paper: Paper, columns: readonly PaperColumn<Row>[]): FlowUnit {
  const names = columns.map(({ name, as }) => ({ text: name, align: alignOf(as) }))
  const room = placesOf(paper, columns)
  const heights = names.map(({ text }, index) => heightOf(paper, text, { size: SMALL, width: room[index]?.width ?? 0 }))
  const high = Math.max(...heights)
  return {
    height: high + 6,
    draw: (sheet, y) => {
      tag(sheet, 'TR', (row) => {
        for (const [index, { text, align }] of names.entries()) {
          const { x = 0, width = 0 } = room[index] ?? {}
          const at = { x, y: y + high - (heights[index] ?? 0), size: SMALL, color: INK.quiet, width, align }
          tag(row, { type: 'TH', scope: 'Column' }, (cell) => void write(cell, text, at))
        }
      })
      rule(sheet, y + high + 4, INK.lineStrong)
    },
  }
}

const alignOf = (as: PaperColumn<never>['as']): 'left' | 'right' => (as === 'figure' ? 'right' : 'left')

type Drawn<Row> = { readonly row: Row; readonly face: 'text' | 'medium' }

function rowUnit<Row>(paper: Paper, columns: readonly PaperColumn<Row>[], { row, face }: Drawn<Row>): FlowUnit {
  const room = placesOf(paper, columns)
  const cells = columns.map((column, index) =>
    cellOf(paper, column, { row, face, ...(room[index] ?? { x: 0, width: 0 }) }),
  )
  const high = Math.max(...cells.map(({ height }) => height))
  return {
    height: high + 2 * PAD,
    draw: (sheet, y) => {
      tag(sheet, 'TR', (inside) => {
        for (const [index, { draw }] of cells.entries()) {
          const within = (cell: Paper): void => draw(cell, { y: y + PAD, height: high })
          tag(inside, index === 0 ? { type: 'TH', scope: 'Row' } : 'TD', within)
        }
      })
      rule(sheet, y + high + 2 * PAD)
    },
  }
}

type Cell = {
  readonly height: number
  readonly draw: (paper: Paper, at: { readonly y: number; readonly height: number }) => void
}
type Room<Row> = Drawn<Row> & Place

function cellOf<Row>(paper: Paper, column: PaperColumn<Row>, { row, face, ...place }: Room<Row>): Cell {
  const { as, lines = 1, mark } = column
  const beside = mark === undefined ? 0 : MARK.room
  const [x, width] = [place.x + beside, place.width - beside]
  const align = alignOf(as)
  const text = column.text(row)
  const small = column.small?.(row) ?? ''
  const first = { face: as === undefined ? face : FACE.mono, size: SIZE, width, lines }
  const second = { size: SMALL, width, lines }
  const top = heightOf(paper, text, first)
  return {
    height: top + (small === '' ? 0 : 1 + heightOf(paper, small, second)),
    draw: (sheet, { y, height }) => {
      const look = mark?.(row)
      const swatch = { x: place.x, y: y + 1.5, width: MARK.size, height: MARK.size }
      if (look !== undefined) decoration(sheet, (inside) => drawLook(inside, look, swatch))
      const picture = column.draw
      if (picture !== undefined) decoration(sheet, (inside) => picture(inside, row, { x, y, width, height }))
      else write(sheet, text, { x, y, align, ...first, color: toneOf(text) })
      if (small !== '') write(sheet, small, { x, y: y + top + 1, align, ...second, color: INK.soft })
    },
  }
}

/** What is not known is there to be read, and stands back. */
const toneOf = (text: string): string => (QUIET.has(text) ? INK.quiet : INK.ink)
const QUIET = new Set(['not measured', 'no price', 'unknown', '–'])

type Place = { readonly x: number; readonly width: number }

function placesOf<Row>({ left, width }: Paper, columns: readonly PaperColumn<Row>[]): readonly Place[] {
  const total = columns.reduce((sum, { share }) => sum + share, 0)
  let x = left
  return columns.map(({ share }, index) => {
    const room = (width * share) / total
    const place = { x, width: room - (index === columns.length - 1 ? 0 : BETWEEN) }
    x += room
    return place
  })
}
