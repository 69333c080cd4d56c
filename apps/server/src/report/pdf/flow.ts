import { PAPER, type Paper } from './paper.ts'
import { openTag, type TagType } from './tags.ts'

/** Something of a known height, which is never cut in two. */
export type FlowUnit = { readonly height: number; readonly draw: (paper: Paper, y: number) => void }

/** Units that lie below each other; where the page ends between two of them, the head is drawn again. */
export type PdfPiece = {
  /** Least and most that it can be of: rows of a table, points of a chart. What is left of a page is filled with more. */
  readonly least: number
  readonly most: number
  readonly units: (size: number) => readonly FlowUnit[]
  readonly head?: FlowUnit
  /** The head at the top of a further page. */
  readonly again?: FlowUnit
  /** Stays on one page with what follows. */
  readonly keep?: boolean
  /** Stays on one page with the end of what is before it. */
  readonly tail?: boolean
  /** The element around its units. */
  readonly tag?: TagType
}

type Place = { readonly page: number; readonly y: number }

/** Below this share of its height a page goes on with the next chapter. */
const FULL = 0.85
/** Between two chapters on one page, points. */
const BETWEEN = 22

type Chapter = readonly PdfPiece[]

/** Draws chapters page by page. Each begins on a page of its own, unless much of the last one is left. */
export function drawChapters(paper: Paper, chapters: readonly Chapter[]): void {
  const all = chapters.filter((chapter) => chapter.length > 0)
  let place = START
  for (const [index, pieces] of all.entries()) {
    const start = nextStart(place)
    if (start.page !== place.page) paper.document.addPage()
    place = flow(pieces, { sizes: grow(all.slice(index), start), start, paper })
  }
}

const START: Place = { page: 1, y: PAPER.top }

/** Where a chapter begins after one that ends at a place. */
function nextStart({ page, y }: Place): Place {
  if (y === PAPER.top) return { page, y }
  const isFull = y > PAPER.top + (PAPER.bottom - PAPER.top) * FULL
  return isFull ? { page: page + 1, y: PAPER.top } : { page, y: y + BETWEEN }
}

const leastOf = (pieces: Chapter): number[] => pieces.map(({ least }) => least)

/** How large each piece of the first of some chapters may be, so that neither it nor all of them need a further page. */
function grow([pieces = [], ...others]: readonly Chapter[], start: Place): readonly number[] {
  const pagesFor = (sizes: readonly number[]): { readonly own: number; readonly all: number } => {
    const end = flow(pieces, { sizes, start })
    const after = (place: Place, chapter: Chapter): Place =>
      flow(chapter, { sizes: leastOf(chapter), start: nextStart(place) })
    return { own: end.page, all: others.reduce(after, end).page }
  }
  const sizes = leastOf(pieces)
  const least = pagesFor(sizes)
  const fits = (larger: readonly number[]): boolean => {
    const pages = pagesFor(larger)
    return pages.own <= least.own && pages.all <= least.all
  }
  let open = pieces.flatMap((piece, index) => (piece.most > piece.least ? [index] : []))
  while (open.length > 0) {
    open = open.filter((index) => {
      const larger = sizes.with(index, (sizes[index] ?? 0) + 1)
      if ((pieces[index]?.most ?? 0) < (larger[index] ?? 0) || !fits(larger)) return false
      sizes[index] = larger[index] ?? 0
      return true
    })
  }
  return sizes
}

type Flow = {
  readonly sizes: readonly number[]
  readonly start: Place
  /** Where it is drawn; nowhere where only its end is asked for. */
  readonly paper?: Paper
}

/** Where pieces end. */
function flow(pieces: Chapter, { sizes, start, paper }: Flow): Place {
  const sized = pieces.map((piece, index) => ({ piece, units: piece.units(sizes[index] ?? piece.least) }))
  return sized.reduce((place, { piece }, index) => {
    const begun = turn(place, beginning(sized, index), paper)
    const inside = paper !== undefined && piece.tag !== undefined ? openTag(paper, piece.tag) : paper
    const end = flowUnits(sized.slice(index), begun, inside)
    if (inside !== paper) inside?.tags.element.end()
    return end
  }, start)
}

/** Where the first of some pieces ends. */
function flowUnits(sized: readonly Sized[], begun: Place, paper: Paper | undefined): Place {
  const [first] = sized
  if (first === undefined) return begun
  const { piece, units } = first
  let place = piece.head === undefined ? begun : put(begun, piece.head, paper)
  for (const [order, unit] of units.entries()) {
    const turned = turn(place, unit.height + withLast(sized, units.length - order - 1), paper)
    const isFurther = turned.page !== place.page && order > 0
    place = isFurther && piece.again !== undefined ? put(turned, piece.again, paper) : turned
    place = put(place, unit, paper)
  }
  return place
}

/** What must follow a unit on its page, with so many units left: the last of several is not left alone. */
function withLast(sized: readonly Sized[], left: number): number {
  if (left > 1) return 0
  const last = left === 1 ? (sized[0]?.units.at(-1)?.height ?? 0) : 0
  return last + tailOf(sized, 0)
}

function turn(place: Place, height: number, paper: Paper | undefined): Place {
  if (place.y + height <= PAPER.bottom || place.y === PAPER.top) return place
  paper?.document.addPage()
  return { page: place.page + 1, y: PAPER.top }
}

function put({ page, y }: Place, { height, draw }: FlowUnit, paper: Paper | undefined): Place {
  if (paper !== undefined) draw(paper, y)
  return { page, y: y + height }
}

type Sized = { readonly piece: PdfPiece; readonly units: readonly FlowUnit[] }

/** The height of what stays with the end of a piece. */
function tailOf(sized: readonly Sized[], index: number): number {
  const next = sized[index + 1]
  if (next?.piece.tail !== true) return 0
  return next.units.reduce((sum, { height }) => sum + height, tailOf(sized, index + 1))
}

/** The height that must be left for a piece to begin: its head and two units, or all of what stays with the next one. */
function beginning(sized: readonly Sized[], index: number): number {
  const one = sized[index]
  if (one === undefined) return 0
  const { piece, units } = one
  const first = piece.keep === true ? units : units.slice(0, units.length === 3 ? 3 : 2)
  const own = first.reduce((sum, { height }) => sum + height, piece.head?.height ?? 0)
  if (piece.keep === true) return own + beginning(sized, index + 1)
  return first.length === units.length ? own + tailOf(sized, index) : own
}
