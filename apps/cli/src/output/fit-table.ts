/** A column with the texts of its cells. */
export type TextColumn = {
  readonly title: string
  readonly cells: readonly string[]
  /** Numbers stand at the right. */
  readonly right: boolean
  /** Whether it is shown whole or not at all. */
  readonly fixed: boolean
  /** The column of the highest rank goes first where there is no room for all. */
  readonly rank: number
}

export type FittedTable = { readonly lines: readonly string[]; readonly leftOut: readonly string[] }

const GAP = 2
const LEAST_TEXT = 16
/** The first column says which row it is: it keeps so much of the width. */
const LEAST_FIRST = 0.4

/**
 * A table that is not a wider than the terminal: texts are shortened, with "…" at the end of what was cut, down to a
 * readable length; then columns go, and are named.
 */
export function fitTable(columns: readonly TextColumn[], width: number): FittedTable {
  let kept = [...columns]
  const leftOut: string[] = []
  while (kept.length > 1 && leastWidth(kept, width) > width) {
    const last = kept.reduce((worst, column) => (column.rank >= worst.rank ? column : worst))
    leftOut.push(last.title)
    kept = kept.filter((column) => column !== last)
  }
  const widths = shrunk(kept, width)
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => pad(shorten(text, widths[index] ?? 0), widths[index] ?? 0, kept[index]?.right === true))
      .join(' '.repeat(GAP))
      .trimEnd()
  const rows = kept[0]?.cells.map((_, index) => line(kept.map(({ cells }) => cells[index] ?? ''))) ?? []
  const rule = widths.map((wide) => '─'.repeat(wide)).join(' '.repeat(GAP))
  return { lines: [line(kept.map(({ title }) => title)), rule, ...rows], leftOut }
}

/** A text of at most so many characters: what is cut ends in "…". */
function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const letters = Array.from(text)
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, Math.max(0, most - 1))
        .join('')
        .trimEnd()}…`
}

/** In characters, of which some are two units long; to look for these is quicker than to count one by one. */
const lengthOf = (text: string): number => (/[\uD800-\uDBFF]/.test(text) ? Array.from(text).length : text.length)
const natural = ({ title, cells }: TextColumn): number => Math.max(...[title, ...cells].map(lengthOf))
const leastOf =
  (width: number) =>
  (column: TextColumn, index: number): number => {
    if (column.fixed) return natural(column)
    const first = index === 0 && Number.isFinite(width) ? Math.floor(width * LEAST_FIRST) : 0
    return Math.min(natural(column), Math.max(LEAST_TEXT, lengthOf(column.title), first))
  }
const gaps = (columns: readonly TextColumn[]): number => GAP * (columns.length - 1)
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
const leastWidth = (columns: readonly TextColumn[], width: number): number =>
  sum(columns.map(leastOf(width))) + gaps(columns)

/** The widest text gives first, until all fit. */
function shrunk(columns: readonly TextColumn[], width: number): readonly number[] {
  const widths = columns.map(natural)
  const floor = columns.map(leastOf(width))
  let over = sum(widths) + gaps(columns) - width
  while (over > 0) {
    const [widest] = [...widths.keys()].filter(hasRoom).toSorted((a, b) => at(widths, b) - at(widths, a))
    if (widest === undefined) break
    widths[widest] = at(widths, widest) - 1
    over -= 1
  }
  // A single column that is too wide all the same is cut as well.
  return columns.length === 1 ? widths.map((wide) => Math.min(wide, Math.max(1, width))) : widths

  function hasRoom(index: number): boolean {
    return at(widths, index) > at(floor, index)
  }
}

const at = (numbers: readonly number[], index: number): number => numbers[index] ?? 0

const pad = (text: string, width: number, right: boolean): string => {
  const space = ' '.repeat(Math.max(0, width - lengthOf(text)))
  return right ? `${space}${text}` : `${text}${space}`
}
