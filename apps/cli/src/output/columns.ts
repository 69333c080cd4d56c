import { measuredRange, measuredWords } from '@septet/contract/saving-words'

import { isFigure, valueCell, valueWords, type Shape } from './write-value.ts'

type Kind = Exclude<Shape['kind'], 'list' | 'object'> | 'texts'

/** One column of a list: where its value is in a row, and what it is. */
export type AnswerColumn = { readonly path: readonly string[]; readonly kind: Kind }

/** Every value of a row that fits a cell, in the order of the schema: objects are opened, lists of objects left out. */
export function printedColumns(row: Shape, path: readonly string[] = []): readonly AnswerColumn[] {
  if (row.kind === 'object') return [...row.parts].flatMap(([name, part]) => printedColumns(part, [...path, name]))
  if (row.kind !== 'list') return [{ path, kind: row.kind }]
  return row.of.kind === 'object' || row.of.kind === 'list' ? [] : [{ path, kind: 'texts' }]
}

export const columnName = ({ path }: Pick<AnswerColumn, 'path'>): string => path.join('.')

/** As a title: `holds.idleGpus` is "Holds idle GPUs". */
export function columnTitle({ path }: AnswerColumn): string {
  const words = path.join(' ').replaceAll(/(?<=[a-z0-9])[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`)
  const title = `${words.charAt(0).toUpperCase()}${words.slice(1)}`
  return title.replaceAll(/(?<=^| )(?:gpu|mig|usd|id)(?=s?(?: |$))/giu, (word) => word.toUpperCase())
}

export const isNumeric = ({ kind }: AnswerColumn): boolean =>
  kind === 'figure' || kind === 'number' || kind === 'seconds'

/** One line, whatever is in the value. */
export function cellWords({ path, kind }: AnswerColumn, row: unknown): string {
  const value = cellAt(row, path)
  // Of what is not there at all nothing is unknown either.
  const isGone = path.some((_, depth) => depth > 0 && cellAt(row, path.slice(0, depth)) === null)
  const amount = measuredAt(row, path)
  if (amount !== undefined) return amount
  const text = isGone
    ? valueWords('text', undefined)
    : kind !== 'texts'
      ? valueWords(kind, value)
      : Array.isArray(value) && value.length > 0
        ? value.map(String).join(', ')
        : valueWords('text', undefined)
  return text.replaceAll(/\s+/gu, ' ')
}

/** A saving that was measured, with its unit and between what it surely is: "$268 ($240 to $296)"; undefined for all else. */
function measuredAt(row: unknown, path: readonly string[]): string | undefined {
  const amount = cellAt(row, path.slice(0, -1))
  if (path.at(-1) !== 'value' || !isAmount(amount)) return undefined
  const measured = { gpuHours: amount, usd: path.at(-2) === 'usd' ? amount : null }
  const range = measuredRange(measured)
  return `${measuredWords(measured)}${range === undefined ? '' : ` (${range})`}`
}

type Amount = Parameters<typeof measuredRange>[0]['gpuHours']
const isAmount = (value: unknown): value is Amount =>
  typeof value === 'object' && value !== null && 'value' in value && 'low' in value && 'high' in value

/** Cells of CSV: a figure's value, and its unit beside it. */
export function csvCells({ path, kind }: AnswerColumn, row: unknown): string[] {
  const value = cellAt(row, path)
  if (kind === 'figure') return isFigure(value) ? [valueCell(value.value), value.unit] : ['', '']
  return [kind === 'texts' && Array.isArray(value) ? value.map(String).join(' ') : valueCell(value)]
}

export function cellAt(from: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name) ? Reflect.get(inner, name) : undefined,
    from,
  )
}
