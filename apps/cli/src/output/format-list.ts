import { UsageError } from '../options/command-options.ts'
import { cellWords, columnName, columnTitle, isNumeric, type AnswerColumn } from './columns.ts'
import { fitTable } from './fit-table.ts'
import { foldText } from './fold-text.ts'

export type ListWish = {
  /** Names of columns in their order; undefined: those that say something, as far as they fit. */
  readonly chosen: readonly string[] | undefined
  /** Those to show of a list where none are chosen. */
  readonly preferred?: readonly string[]
  /** What the list is sorted by, which is always shown. */
  readonly sortedBy: string | undefined
  /** Characters of a line; `Infinity` where nobody reads it on a terminal. */
  readonly width: number
}

/** The rows of an answer as a table for a terminal, and a line that names columns for which there is no room. */
export function formatList(
  rows: readonly unknown[],
  columns: readonly AnswerColumn[],
  { chosen, preferred, sortedBy, width }: ListWish,
): readonly string[] {
  const usual = preferred === undefined ? columns : chosenOf(columns, preferred)
  const shown = chosen === undefined ? worthShowing(rows, usual) : chosenOf(columns, chosen)
  const { lines, leftOut } = fitTable(
    shown.map((column, index) => ({
      title: columnTitle(column),
      cells: rows.map((row) => cellWords(column, row)),
      right: isNumeric(column),
      fixed: isNumeric(column) || FIXED.has(column.kind),
      rank: index === 0 ? -1 : chosen === undefined ? rankOf(column, sortedBy) : 0,
    })),
    width,
  )
  const missing = `No room for: ${leftOut.join(', ')}. They are in -o csv and -o json; --columns says which to show.`
  return leftOut.length === 0 ? lines : [...lines, '', ...foldText(missing, width)]
}

export function chosenOf<Column extends Pick<AnswerColumn, 'path'>>(
  columns: readonly Column[],
  names: readonly string[],
): readonly Column[] {
  return names.map((name) => {
    const column = columns.find((one) => columnName(one) === name)
    if (column !== undefined) return column
    const known = columns.map(columnName).filter((one) => one !== '')
    throw new UsageError(
      `There is no column "${name}"${known.length === 0 ? ', and no other' : `; there are ${known.join(', ')}`}.`,
    )
  })
}

/** Without columns that are empty everywhere, and without what the id of each row says already. */
function worthShowing(rows: readonly unknown[], columns: readonly AnswerColumn[]): readonly AnswerColumn[] {
  const id = columns.find((column) => columnName(column) === 'id')
  return columns.filter((column) => {
    const texts = rows.map((row) => cellWords(column, row))
    if (texts.every((text) => text === '–')) return false
    if (id === undefined || column === id || column.kind !== 'text') return true
    return !texts.every((text, index) => cellWords(id, rows[index]).split('/').includes(text))
  })
}

/** What means nothing when it is cut. */
const FIXED: ReadonlySet<AnswerColumn['kind']> = new Set<AnswerColumn['kind']>(['name', 'instant', 'truth'])

/** Who has no room: first what lies deep, then free text; states and figures stay longest. */
function rankOf(column: AnswerColumn, sortedBy: string | undefined): number {
  if (columnName(column) === sortedBy) return 0
  return column.path.length * 10 + RANKS[column.kind]
}

const RANKS: Readonly<Record<AnswerColumn['kind'], number>> = {
  name: 1,
  figure: 2,
  seconds: 3,
  instant: 4,
  number: 5,
  text: 6,
  truth: 7,
  texts: 8,
  anything: 9,
}
