import type { Shape } from './answer-shape.ts'
import { printedColumns, columnTitle, cellAt } from './columns.ts'
import { foldText } from './fold-text.ts'
import { chosenOf, formatList, type ListWish } from './format-list.ts'
import { isFigure, isSaving, valueWords } from './write-value.ts'

type Piece =
  | { readonly path: readonly string[]; readonly text: string }
  | { readonly path: readonly string[]; readonly block: readonly string[] }

/**
 * An answer that is not a list: one line a value, then each list in it as a table of its own, and long texts as they
 * are.
 */
export function formatDetail(answer: unknown, shape: Shape, { chosen, width }: Wish): readonly string[] {
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
export const valuesOf = (of: Shape, path: readonly string[] = []): readonly Value[] =>
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
