import { figureInWords } from '@septet/contract/figure-words'
import type { FigureView } from '@septet/contract'
import { grouped } from '@septet/domain/words'

import { isNameLike } from '../name-tokens.ts'
import { quoted, withQuotes } from './cluster-text.ts'
import { memberOf, placeOf, wordsOfKey, type Place, type Row, type ToolResult } from './results.ts'

/** A place of a result as an answer shows it. */
export type Shown = {
  readonly cite: number
  readonly place: Place
  /** measured: by Septet; name: what a row is called; quoted: a text of a cluster; said: a sentence of Septet; unknown: nothing. */
  readonly kind: 'measured' | 'name' | 'quoted' | 'said' | 'unknown'
  readonly text: string
  /** What it is, of whom and of when; undefined where the text says all of it. */
  readonly about: string | undefined
  /** Of a number: in which unit, and whether it is of a window that is over. */
  readonly amount: Amount | undefined
}
type Amount = { readonly value: number; readonly unit: string; readonly isOfWindow: boolean }
type Value = Pick<Shown, 'kind' | 'text' | 'amount'>

/** Values of these keys are words of Septet, where they look like that. */
const OWN_KEYS: ReadonlySet<string> = new Set(
  'status state kind unit quality severity risk mode verdict proof saving busy cost idleCost since at asOf from to createdAt readAt'.split(
    ' ',
  ),
)
const OWN_WORD = /^[a-z][a-z-]{1,24}$/u
const AMOUNT = /^(\$)?(\d[\d,]*(?:\.\d+)?)([kKMB]?)(%|\/mo| GPU-h|)$/u
const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?Z$/u
const NOT_MEASURED = 'Not measured'
const UNKNOWN: Value = { kind: 'unknown', text: 'not measured', amount: undefined }
const NONE: Value = { ...UNKNOWN, text: 'none, or not known' }
/** Units of what is summed or averaged over a window. */
const OVER_TIME: ReadonlySet<string> = new Set(['ratio', 'USD', 'GPU-h', 's'])
/** Units of bare numbers, by the keys that they stand under. */
const UNITS: ReadonlyArray<readonly [RegExp, FigureView['unit']]> = [
  [/usdPerMonth/iu, 'USD/mo'],
  [/usd|spent/iu, 'USD'],
  [/gpuHours/iu, 'GPU-h'],
  [/seconds$/iu, 's'],
  [/^(?:busy|busyOfAllocated|coverage|unmeasuredShare|share|chanceTooSmall)$|^points .*allocated$/u, 'ratio'],
]

/** What a reference leads to, in the words in which it is shown; undefined: to nothing that can be shown. */
export function shownAt(reference: string, results: readonly ToolResult[]): Shown | undefined {
  const whole = placeOf(reference.replace(/\.(?:value|says)\s*$/u, ''), results)
  const place = isFigure(whole?.value) ? whole : placeOf(reference, results)
  const value = place && valueOf(place)
  if (place === undefined || value === undefined) return undefined
  return { ...value, place, cite: place.result.number, about: aboutOf(place, value) }
}

function valueOf(place: Place): Value | undefined {
  const { value } = place
  if (value === null) return NONE
  if (value === NOT_MEASURED) return UNKNOWN
  if (typeof value === 'number') return numberOf(value, unitOf(place))
  if (typeof value === 'boolean') return { kind: 'measured', text: value ? 'yes' : 'no', amount: undefined }
  if (typeof value === 'string') return textOf(value, place)
  return isFigure(value) ? figureOf(value) : undefined
}

type Figure = { readonly says: string; readonly value: number | null; readonly unit: string }
const isFigure = (value: unknown): value is Figure =>
  ['says', 'value', 'unit'].every((key) => memberOf(value, key) !== undefined)

const figureOf = ({ says, value, unit }: Figure): Value =>
  value === null ? UNKNOWN : { kind: 'measured', text: says, amount: { value, unit, isOfWindow: OVER_TIME.has(unit) } }

const unitOf = ({ key, label, rows }: Place): FigureView['unit'] | undefined =>
  UNITS.find(
    ([pattern]) => pattern.test(key) || pattern.test(label.replace(' ', '')) || pattern.test(`${rows[0]?.list} ${key}`),
  )?.[1]

function numberOf(value: number, unit: FigureView['unit'] | undefined): Value {
  if (unit === undefined)
    return { kind: 'measured', text: grouped(value), amount: { value, unit: '', isOfWindow: false } }
  const words = figureInWords({ value, unit })
  return figureOf({ says: `${words.value}${words.unit}`, value, unit })
}

function textOf(value: string, place: Place): Value | undefined {
  const { key, rows, result } = place
  if (value.trim() === '') return undefined
  if (key === 'says' && rows.length === rootRows(result))
    return { kind: 'said', text: saidBySeptet(value, result), amount: undefined }
  return (
    (OWN_KEYS.has(key) ? ownText(value) : undefined) ?? { kind: kindOf(place), text: quoted(value), amount: undefined }
  )
}

const rootRows = ({ answer }: ToolResult): number => (typeof answer['id'] === 'string' ? 1 : 0)
const kindOf = ({ key, rows, label }: Place): 'name' | 'quoted' =>
  key === 'id' || label === 'cluster name' || rows[0]?.name?.[0] === key ? 'name' : 'quoted'

function ownText(value: string): Value | undefined {
  const [, day, clock] = INSTANT.exec(value) ?? []
  if (day !== undefined) return { kind: 'measured', text: `${day} ${clock} UTC`, amount: undefined }
  const amount = amountOf(value)
  return amount !== undefined || OWN_WORD.test(value) ? { kind: 'measured', text: value, amount } : undefined
}

function amountOf(value: string): Amount | undefined {
  const [, sign, digits, scale = '', suffix = ''] = AMOUNT.exec(value) ?? []
  if (digits === undefined) return undefined
  const unit = suffix === '%' ? 'ratio' : sign === undefined ? suffix.trim() : `USD${suffix}`
  const factor = (SCALES[scale] ?? 1) * (suffix === '%' ? 0.01 : 1)
  return { value: Number(digits.replaceAll(',', '')) * factor, unit, isOfWindow: OVER_TIME.has(unit) }
}
const SCALES: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, B: 1e9 }

const saidBySeptet = (sentence: string, { answer }: ToolResult): string =>
  withQuotes(sentence, clusterTexts(answer), isNameLike)

/** Everything in an answer that is not a word of Septet. */
function clusterTexts(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'string') return OWN_KEYS.has(key) && ownText(value) !== undefined ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  const members = Array.isArray(value) ? value.map((item): [string, unknown] => [key, item]) : Object.entries(value)
  return members.flatMap(([name, member]) => (name === 'says' ? [] : clusterTexts(member, name)))
}

/** `idle cost of “web/Deployment/chat” in “Production”, 2026-04-27 09:00 to 2026-05-04 09:00 UTC`. */
function aboutOf(place: Place, { kind, amount }: Value): string | undefined {
  if (kind === 'said') return undefined
  if (kind === 'name') return `name in ${wordsOfKey(place.rows[0]?.list || 'cluster').join(' ')}`
  const what = (place.label || wordsOfKey(place.key).join(' ')) + ofWhom(place)
  if (kind === 'quoted') return `quoted from ${what}`
  return kind === 'unknown' ? what : `${what}${qualityOf(place)}${whenOf(place, amount)}`
}

function ofWhom({ rows, result }: Place): string {
  const names = rows.flatMap(({ name }) => (name === undefined ? [] : [` of ${nameText(name)}`]))
  const cluster = memberOf(result.answer['cluster'], 'name')
  const among = typeof cluster === 'string' ? ` in ${quoted(cluster)}` : ''
  return `${names.join('')}${among}${names.length === 0 ? asked(result) : ''}`
}

const nameText = ([key, text]: NonNullable<Row['name']>): string => {
  if (key === 'at') return ownText(text)?.text ?? quoted(text)
  return key === 'index' ? `${key} ${text}` : quoted(text)
}

/** `, estimated`; of what is measured nothing. */
function qualityOf({ value }: Place): string {
  const quality = memberOf(value, 'quality')
  return typeof quality === 'string' && quality !== 'measured' ? `, ${quality}` : ''
}

function whenOf({ result: { answer }, rows }: Place, amount: Amount | undefined): string {
  // A point in time says itself of when it is.
  if (rows[0]?.name?.[0] === 'at') return ''
  const [from, to] = ['from', 'to'].map((end) => moment(memberOf(answer['window'], end)))
  if (amount?.isOfWindow === true && from !== undefined) return `, ${from} to ${to} UTC`
  const asOf = moment(answer['asOf'])
  return asOf === undefined ? '' : `, at ${asOf} UTC`
}

const moment = (instant: unknown): string | undefined =>
  typeof instant === 'string' ? instant.slice(0, 16).replace('T', ' ') : undefined

/** How rows are sorted and cut changes nothing that is said of all of them. */
const NO_FILTER: ReadonlySet<string> = new Set(['cluster', 'range', 'limit', 'offset', 'sort', 'order'])
const isFilter = (value: unknown): boolean =>
  value === true || typeof value === 'number' || (typeof value === 'string' && value.length <= 100)

/** What a total was narrowed by. */
const asked = ({ asked: input }: ToolResult): string =>
  Object.entries(input)
    .filter(([key, value]) => !NO_FILTER.has(key) && isFilter(value))
    .map(([key, value]) => `, ${wordsOfKey(key).join(' ')} ${quoted(String(value))}`)
    .join('')

/** Whether something is of less than all of its cluster. */
export const isNarrowed = ({ result, rows }: Place): boolean => rows.length > 0 || asked(result) !== ''
