import { csvOf } from '@septet/contract/csv'
import type { Operation } from '@septet/contract'
import { stringify } from 'yaml'

import type { Output } from './outputs.ts'
import { jsonSchema } from './json-schema.ts'
import { mainList, shapeOf, type Shape } from './answer-shape.ts'
import { columnName, columnsOf, csvCells, valueAt, type AnswerColumn } from './columns.ts'
import { foldText } from './fold-text.ts'
import { formatDetail } from './format-detail.ts'
import { chosenOf, formatList, type ListWish } from './format-list.ts'

export type AnswerWish = ListWish & { readonly output: Output }

/** The answer of an operation as it is printed, ending in a line break. Throws a `UsageError` for columns it lacks. */
export function formatAnswer(operation: Operation, answer: unknown, wish: AnswerWish): string {
  if (wish.output === 'json') return `${JSON.stringify(answer, undefined, 2)}\n`
  if (wish.output === 'yaml') return stringify(answer, { lineWidth: 0 })
  const shape = shapeOf(jsonSchema(operation.output, 'output'))
  return wish.output === 'csv'
    ? csvText({ operation, shape, answer }, wish)
    : tableText({ operation, shape, answer }, wish)
}

type Answered = { readonly operation: Operation; readonly shape: Shape; readonly answer: unknown }

function tableText({ operation, shape, answer }: Answered, wish: AnswerWish): string {
  const list = isList(operation) ? mainList(shape, subjectOf(operation)) : undefined
  if (list === undefined) return `${formatDetail(answer, shape, wish.width).join('\n')}\n`
  const rows = rowsOf(answer, list.name)
  const total = valueAt(answer, ['total'])
  const more =
    typeof total === 'number' && total > rows.length
      ? ['', ...foldText(`${rows.length} of ${total} are shown; --limit and --offset show others.`, wish.width)]
      : []
  return `${[...formatList(rows, columnsOf(list.row), wish), ...more].join('\n')}\n`
}

function csvText({ operation, shape, answer }: Answered, { chosen }: AnswerWish): string {
  const list = mainList(shape, subjectOf(operation))
  // An answer without a list is one row.
  const rows = list === undefined ? [answer] : rowsOf(answer, list.name)
  const all = columnsOf(list?.row ?? shape)
  const columns = chosen === undefined ? all : chosenOf(all, chosen)
  return csvOf([columns.flatMap(csvTitles), ...rows.map((row) => columns.flatMap((column) => csvCells(column, row)))])
}

const csvTitles = (column: AnswerColumn): string[] => {
  const name = columnName(column)
  return column.kind === 'figure' ? [name, `${name}.unit`] : [name]
}

/** One of a kind is told value by value, although lists may be in it. */
const isList = ({ name, path }: Operation): boolean => !name.endsWith('.get') && !path.includes(':')

const subjectOf = ({ name }: Operation): string => name.slice(0, name.indexOf('.'))

function rowsOf(answer: unknown, name: string): readonly unknown[] {
  const rows = valueAt(answer, [name])
  return Array.isArray(rows) ? rows : []
}
