import { csvOf } from '@septet/contract/csv'
import type { FigureView } from '@septet/contract'
import { UsageError } from '../options/command-options.ts'
import {
  columnName,
  columnTitle,
  printedColumns,
  csvCells,
  cellAt,
  type AnswerColumn,
  cellWords,
  isNumeric,
} from './columns.ts'
import { foldText } from './fold-text.ts'
import type { PlainOperation } from './json-schema.ts'
import { intervalWords } from '@septet/contract/figure-words'
import { isFigure, valueWords, isSaving, mainList, shapeOf, type Shape } from './write-value.ts'
import { fitTable } from './fit-table.ts'

export type AnswerWish = ListWish & { readonly output: Output }

/** Throws a `UsageError` for columns that the answer of an operation lacks. */
export function checkColumns(
  operation: PlainOperation,
  { output, chosen }: Pick<AnswerWish, 'output' | 'chosen'>,
): void {
  if (chosen === undefined) return
  if (output === 'json' || output === 'yaml')
    throw new UsageError(`--columns is for -o table and -o csv; -o ${output} has everything.`)
  const { list, row } = partShown(operation, output)
  const columns: readonly Pick<AnswerColumn, 'path'>[] =
    list === undefined && output === 'table' ? valuesOf(row) : printedColumns(row)
  chosenOf(columns, chosen)
}

/** The answer of an operation as it is printed, ending in a line break. Throws a `UsageError` for columns it lacks. */
export async function formatAnswer(
  operation: PlainOperation,
  answer: unknown,
  { output, ...wish }: AnswerWish,
): Promise<string> {
  if (output === 'json') return `${JSON.stringify(answer, undefined, 2)}\n`
  if (output === 'yaml') return (await import('yaml')).stringify(answer, { lineWidth: 0 })
  const part = partShown(operation, output)
  return output === 'csv' ? csvText(part, answer, wish.chosen) : tableText(part, answer, wish)
}

/** What of an answer is shown: the rows of its list, else all of it as one row. */
type Part = { readonly list: string | undefined; readonly row: Shape }

function partShown(operation: PlainOperation, output: 'table' | 'csv'): Part {
  const shape = withoutSaid(shapeOf(operation.output))
  const list = output === 'csv' || isList(operation) ? mainList(shape, subjectOf(operation)) : undefined
  return { list: list?.name, row: list?.row ?? shape }
}

/** What an answer says is told before its values, and is none of them. */
const withoutSaid = (shape: Shape): Shape =>
  shape.kind === 'object' ? { ...shape, parts: new Map([...shape.parts].filter(([name]) => !SAID.has(name))) } : shape

const SAID: ReadonlySet<string> = new Set(['says', 'age'])

/** The answer in the operation's own sentences and how old it is, a line each, and an empty one. */
function saidLines(answer: unknown, { width, chosen }: ListWish): readonly string[] {
  const age = cellAt(answer, ['age'])
  const says = chosen === undefined ? rowsOf(answer, 'says').map((said) => String(cellAt(said, ['text']))) : []
  const texts = typeof age === 'string' ? [...says, age] : says
  return texts.length === 0 ? [] : [...texts.flatMap((text) => foldText(text, width)), '']
}

function tableText({ list, row }: Part, answer: unknown, wish: ListWish): string {
  const said = saidLines(answer, wish)
  if (list === undefined) return `${[...said, ...formatDetail(valuesIn(answer), row, wish)].join('\n')}\n`
  const rows = rowsOf(answer, list)
  if (rows.length === 0) return `${[...said, `${columnTitle({ path: [list], kind: 'text' })}: none.`].join('\n')}\n`
  const total = cellAt(answer, ['total'])
  const more =
    typeof total === 'number' && total > rows.length
      ? ['', ...foldText(`${rows.length} of ${total} are shown; --limit and --offset show others.`, wish.width)]
      : []
  return `${[...said, ...formatList(rows, printedColumns(row), wish), ...more].join('\n')}\n`
}

const valuesIn = (answer: unknown): unknown => {
  const { says: _says, age: _age, ...values } = Object(answer)
  return values
}

function csvText({ list, row }: Part, answer: unknown, chosen: AnswerWish['chosen']): string {
  const rows = list === undefined ? [answer] : rowsOf(answer, list)
  const columns = chosen === undefined ? printedColumns(row) : chosenOf(printedColumns(row), chosen)
  return csvOf([columns.flatMap(csvTitles), ...rows.map((one) => columns.flatMap((column) => csvCells(column, one)))])
}

const csvTitles = (column: AnswerColumn): string[] => {
  const name = columnName(column)
  return column.kind === 'figure' ? [name, `${name}.unit`] : [name]
}

/** One of a kind is told value by value, although lists may be in it. */
const isList = ({ name, path }: PlainOperation): boolean => !name.endsWith('.get') && !path.includes(':')

const subjectOf = ({ name }: PlainOperation): string => name.slice(0, name.indexOf('.'))

function rowsOf(answer: unknown, name: string): readonly unknown[] {
  const rows = cellAt(answer, [name])
  return Array.isArray(rows) ? rows : []
}

/**
 * What an operation answers, and of each figure of an answer what it is made of: the formula, the window, the source.
 * Of many figures with one formula the first stands for all.
 */
export function explainAnswer({ title, description }: PlainOperation, answer: unknown, width = 110): string {
  const found = figuresIn(answer)
  const byFormula = Map.groupBy(found, ({ figure }) => `${figure.explain.formula}\n${figure.explain.source}`)
  const lines = [...byFormula.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : told(first, others.length),
  )
  const all = [title, description, ...lines].flatMap((line) =>
    foldText(line, Math.min(110, width), line.startsWith(' ') ? 11 : 0),
  )
  return `${all.join('\n')}\n`
}

type Found = { readonly path: string; readonly figure: FigureView }

function told({ path, figure }: Found, others: number): string[] {
  const { formula, window, source } = figure.explain
  const interval = intervalWords(figure)
  return [
    '',
    `${path}: ${valueWords('figure', figure)}${interval === undefined ? '' : ` (${interval})`}${others === 0 ? '' : `, and ${others} more like it`}`,
    `  formula  ${formula}`,
    `  window   ${window === null ? 'none' : `${window.from} to ${window.to}`}`,
    `  source   ${source}`,
    `  quality  ${figure.quality}${figure.because === null ? '' : `: ${figure.because}`}`,
  ]
}

function figuresIn(value: unknown, path = ''): Found[] {
  if (isFigure(value)) return [{ path, figure: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => figuresIn(inner, path === '' ? name : `${path}.${name}`))
}

type ListWish = {
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
function formatList(
  rows: readonly unknown[],
  columns: readonly AnswerColumn[],
  { chosen, preferred, sortedBy, width }: ListWish,
): readonly string[] {
  const usual = preferred === undefined ? columns : chosenOf(columns, preferred)
  const filled = (chosen === undefined ? usual : chosenOf(columns, chosen)).map((column): FilledColumn => ({
    column,
    cells: rows.map((row) => cellWords(column, row)),
  }))
  const shown = chosen === undefined ? worthShowing(filled) : filled
  const { lines, leftOut } = fitTable(
    shown.map(({ column, cells }, index) => ({
      title: columnTitle(column),
      cells,
      right: isNumeric(column),
      fixed: isNumeric(column) || FIXED.has(column.kind),
      rank: index === 0 ? -1 : chosen === undefined ? rankOf(column, sortedBy) : 0,
    })),
    width,
  )
  const missing = `No room for: ${leftOut.join(', ')}. They are in -o csv and -o json; --columns says which to show.`
  return leftOut.length === 0 ? lines : [...lines, '', ...foldText(missing, width)]
}

function chosenOf<Column extends Pick<AnswerColumn, 'path'>>(
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

type FilledColumn = { readonly column: AnswerColumn; readonly cells: readonly string[] }

/** Without columns that are empty everywhere, and without what the id of each row says already. */
function worthShowing(columns: readonly FilledColumn[]): readonly FilledColumn[] {
  const id = columns.find(({ column }) => columnName(column) === 'id')
  return columns.filter(({ column, cells }) => {
    if (cells.every((text) => text === '–')) return false
    if (id === undefined || column === id.column || column.kind !== 'text') return true
    return !cells.every((text, index) => id.cells[index]?.split('/').includes(text))
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

type Piece =
  | { readonly path: readonly string[]; readonly text: string }
  | { readonly path: readonly string[]; readonly block: readonly string[] }

/**
 * An answer that is not a list: one line a value, then each list in it as a table of its own, and long texts as they
 * are.
 */
function formatDetail(answer: unknown, shape: Shape, { chosen, width }: Wish): readonly string[] {
  const pieces =
    chosen === undefined
      ? piecesOf(answer, shape, { path: [], width })
      : chosenOf(valuesOf(shape), chosen).flatMap(({ path, of }) => piecesOf(cellAt(answer, path), of, { path, width }))
  const lines = pieces.flatMap((piece) => ('text' in piece ? [piece] : []))
  const wide = Math.max(0, ...lines.map((piece) => columnTitle(asColumn(piece)).length))
  const values = lines.flatMap((piece) => {
    const title = columnTitle(asColumn(piece)).padEnd(wide)
    return foldText(`${title}  ${piece.text}`, width, wide + 2)
  })
  const blocks = pieces.flatMap((piece) =>
    'block' in piece ? ['', `${columnTitle(asColumn(piece))}:`, ...piece.block] : [],
  )
  return [...values, ...(values.length === 0 ? blocks.slice(1) : blocks)]
}

/** Every value of such an answer, lists included. */
const valuesOf = (of: Shape, path: readonly string[] = []): readonly Value[] =>
  of.kind === 'object' ? [...of.parts].flatMap(([name, part]) => valuesOf(part, [...path, name])) : [{ path, of }]

type Value = { readonly path: readonly string[]; readonly of: Shape }
type Wish = Pick<ListWish, 'chosen' | 'width'>
type Place = { readonly path: readonly string[]; readonly width: number }

function piecesOf(value: unknown, shape: Shape, { path, width }: Place): readonly Piece[] {
  if (isFigure(value) || isSaving(value) || value === null || value === undefined)
    return [{ path, text: valueWords(simple(shape), value) }]
  if (Array.isArray(value)) return listPieces(value, shape, { path, width })
  if (typeof value === 'object') {
    const parts = shape.kind === 'object' ? shape.parts : new Map<string, Shape>()
    return Object.entries(value).flatMap(([name, part]) =>
      piecesOf(part, parts.get(name) ?? { kind: 'anything' }, { path: [...path, name], width }),
    )
  }
  const text = valueWords(simple(shape), value)
  return [text.includes('\n') ? { path, block: text.split('\n') } : { path, text }]
}

function listPieces(values: readonly unknown[], shape: Shape, { path, width }: Place): readonly Piece[] {
  const of = shape.kind === 'list' ? shape.of : ({ kind: 'anything' } as const)
  if (values.length === 0) return [{ path, text: 'none' }]
  if (of.kind === 'object') {
    return [{ path, block: formatList(values, printedColumns(of), { chosen: undefined, sortedBy: undefined, width }) }]
  }
  if (values.every((value) => typeof value !== 'object')) {
    const more = values.length > MOST ? [`… ${values.length} in total; -o json has them`] : []
    const texts = [...values.slice(0, MOST).map((value) => valueWords(simple(of), value)), ...more]
    return texts.some((text) => text.length > SHORT)
      ? [{ path, block: texts.flatMap((text) => foldText(text, width)) }]
      : [{ path, text: texts.join(', ') }]
  }
  return [{ path, block: values.map((value) => JSON.stringify(value)) }]
}

/** Of a long series the first are told. */
const MOST = 12
/** Longer texts of a list stand on lines of their own. */
const SHORT = 40

const simple = (shape: Shape) => (shape.kind === 'list' || shape.kind === 'object' ? 'anything' : shape.kind)
const asColumn = ({ path }: { readonly path: readonly string[] }) => ({ path, kind: 'text' as const })

/** How an answer can be printed. */
/** `wide`: a table with all columns, however wide the terminal is. */
export const OUTPUTS = ['table', 'wide', 'json', 'yaml', 'csv'] as const
type Output = Exclude<(typeof OUTPUTS)[number], 'wide'>
