/** What one tool answered in this turn, the number by which it is cited, and what it was asked with. */
export type ToolResult = {
  readonly number: number
  readonly answer: Readonly<Record<string, unknown>>
  readonly asked: Readonly<Record<string, unknown>>
}

/** A place of a result: the way to it, and the rows that it lies in, the innermost first. */
export type Place = {
  readonly result: ToolResult
  /** Keys below the innermost row, in words: `idle cost`. */
  readonly label: string
  /** The key that it stands under; of an item of a list, the key of the list. */
  readonly key: string
  readonly rows: readonly Row[]
  readonly value: unknown
}

/** A row of a list, or an object with an id of its own. */
export type Row = {
  /** Equal for the same row alone: `r2.workloads[3]`. */
  readonly path: string
  readonly list: string
  /** The key of what it is called by, and that; undefined: it has no name. */
  readonly name: readonly [key: string, text: string] | undefined
}

/** By which of its members a row is called, the best first. */
const NAMING = 'name object workload job pod title id gpu node key profile at says index'.split(' ')
/** They hold what was asked, and not what was found. */
const NOT_FOUND: ReadonlySet<string> = new Set('sources source formula formulas page endpoint query columns'.split(' '))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Rows that come as bare values beside their `columns`, with the names of these. */
export function withNamedColumns(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { columns } = answer
  if (!Array.isArray(columns)) return answer
  const named = (row: unknown): unknown =>
    Array.isArray(row) ? Object.fromEntries(columns.map((column, order) => [String(column), row[order]])) : row
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [
      key,
      key !== 'columns' && Array.isArray(value) ? value.map(named) : value,
    ]),
  )
}

const REFERENCE = /^\s*r(\d{1,3})((?:\.[A-Za-z]\w*|\[\d{1,5}\])+)\s*$/u

/** Where a reference like `r2.workloads[3].cost` leads; undefined: to nothing, or to what is no answer. */
export function placeOf(reference: string, results: readonly ToolResult[]): Place | undefined {
  const [, number, path = ''] = REFERENCE.exec(reference) ?? []
  const result = results.find((one) => one.number === Number(number))
  if (result === undefined) return undefined
  const root = { value: result.answer, isItem: false, path: `r${result.number}`, list: '' }
  let at: Place = { result, label: '', key: '', rows: rowsWith(root, []), value: result.answer }
  let walked = root.path
  for (const [step, member] of path.matchAll(/\.(\w+)|\[\d+\]/gu)) {
    const value = member === undefined ? itemOf(at.value, Number(step.slice(1, -1))) : foundAt(at.value, member)
    if (value === undefined) return undefined
    walked += step
    const key = member ?? at.key
    const words = member === undefined ? at.label : [at.label, ...wordsOfKey(member)].join(' ').trim()
    const rows = rowsWith({ value, isItem: member === undefined, path: walked, list: key }, at.rows)
    at = { result, label: rows.length > at.rows.length ? '' : words, key, rows, value }
  }
  return at
}

const itemOf = (value: unknown, order: number): unknown => (Array.isArray(value) ? value[order] : undefined)
const foundAt = (value: unknown, key: string): unknown => (NOT_FOUND.has(key) ? undefined : memberOf(value, key))

/** What an object has under a key; undefined also where it is none. */
export const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

type Entered = { readonly value: unknown; readonly isItem: boolean; readonly path: string; readonly list: string }

function rowsWith({ value, isItem, path, list }: Entered, above: readonly Row[]): readonly Row[] {
  if (!isObject(value) || path.endsWith('.cluster') || !(isItem || typeof value['id'] === 'string')) return above
  const called = NAMING.find((key) => ['string', 'number'].includes(typeof value[key]))
  return [{ path, list, name: called === undefined ? undefined : [called, String(value[called])] }, ...above]
}

/** `holdsGpus`: holds, gpus. */
export const wordsOfKey = (key: string): readonly string[] =>
  key
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean)
