import { csvOf } from '@septet/contract/csv'
import type { Operation } from '@septet/contract'
import { stringify } from 'yaml'

import { UsageError } from '../options/command-options.ts'
import type { Output } from './outputs.ts'
import { jsonSchema } from './json-schema.ts'
import { mainList, shapeOf, type Shape } from './answer-shape.ts'
import { columnName, columnTitle, printedColumns, csvCells, cellAt, type AnswerColumn } from './columns.ts'
import { foldText } from './fold-text.ts'
import { formatDetail, valuesOf } from './format-detail.ts'
import { chosenOf, formatList, type ListWish } from './format-list.ts'

export type AnswerWish = ListWish & { readonly output: Output }

/** Throws a `UsageError` for columns that the answer of an operation lacks. */
export function checkColumns(operation: Operation, { output, chosen }: Pick<AnswerWish, 'output' | 'chosen'>): void {
  if (chosen === undefined) return
  if (output === 'json' || output === 'yaml')
    throw new UsageError(`--columns is for -o table and -o csv; -o ${output} has everything.`)
  const { list, row } = partShown(operation, output)
  const columns: readonly Pick<AnswerColumn, 'path'>[] =
    list === undefined && output === 'table' ? valuesOf(row) : printedColumns(row)
  chosenOf(columns, chosen)
}

/** The answer of an operation as it is printed, ending in a line break. Throws a `UsageError` for columns it lacks. */
export function formatAnswer(operation: Operation, answer: unknown, { output, ...wish }: AnswerWish): string {
  if (output === 'json') return `${JSON.stringify(answer, undefined, 2)}\n`
  if (output === 'yaml') return stringify(answer, { lineWidth: 0 })
  const part = partShown(operation, output)
  return output === 'csv' ? csvText(part, answer, wish.chosen) : tableText(part, answer, wish)
}

/** What of an answer is shown: the rows of its list, else all of it as one row. */
type Part = { readonly list: string | undefined; readonly row: Shape }

function partShown(operation: Operation, output: 'table' | 'csv'): Part {
  const shape = withoutSays(shapeOf(jsonSchema(operation.output, 'output')))
  const list = output === 'csv' || isList(operation) ? mainList(shape, subjectOf(operation)) : undefined
  return { list: list?.name, row: list?.row ?? shape }
}

/** What an answer says is told before its values, and is none of them. */
const withoutSays = (shape: Shape): Shape =>
  shape.kind === 'object' ? { ...shape, parts: new Map([...shape.parts].filter(([name]) => name !== 'says')) } : shape

/** The answer in the operation's own sentences, a line each, and an empty one. */
function saidLines(answer: unknown, { width, chosen }: ListWish): readonly string[] {
  const texts = chosen === undefined ? rowsOf(answer, 'says').map((said) => String(cellAt(said, ['text']))) : []
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
  const { says: _says, ...values } = Object(answer)
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
const isList = ({ name, path }: Operation): boolean => !name.endsWith('.get') && !path.includes(':')

const subjectOf = ({ name }: Operation): string => name.slice(0, name.indexOf('.'))

function rowsOf(answer: unknown, name: string): readonly unknown[] {
  const rows = cellAt(answer, [name])
  return Array.isArray(rows) ? rows : []
}
