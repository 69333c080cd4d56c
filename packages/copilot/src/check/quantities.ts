import { meaningOf, NOUNS } from './words.ts'
import { withoutNames } from './name-tokens.ts'

/** What a number counts: two of different kinds are never the same claim. */
export type QuantityKind =
  | 'count' | 'percent' | 'money' | 'other-money' | 'gib' | 'seconds' | 'months' | 'gpu-hours' | 'watts' | 'celsius'
  | 'day' | 'clock' // prettier-ignore

/** A number, an amount or an instant in a text. */
export type Quantity = {
  readonly kind: QuantityKind
  /** In the unit that `kind` names; percent as 81.4; of a day or a clock 0. */
  readonly value: number
  /** Of a day `2026-05-04` or `05-04`, of a clock `09:41`; else what was written. */
  readonly text: string
  /** How far the value that was rounded to this may be from it. */
  readonly within: number
  /** Where it begins in the text. */
  readonly at: number
  /** What is counted, as an idea: `gpu`, `node`, `work`; undefined where nothing follows it. */
  readonly noun: string | undefined
  /** "12" of "3 of 12": a whole, of which the sentence says something else. */
  readonly isWhole: boolean
}

const SCALES: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, thousand: 1e3, million: 1e6, billion: 1e9 }
/** How a unit is written, what it counts, and how many of the kind's unit it is. */
const UNITS: ReadonlyArray<readonly [pattern: string, kind: QuantityKind, factor: number]> = [
  ['%|percent(?:age points?)?', 'percent', 1],
  ['GPU[- ]?(?:hours?|h)', 'gpu-hours', 1],
  ['USD|dollars?', 'money', 1],
  ['EUR|euros?|GBP|pounds?', 'other-money', 1],
  ['TiB|TB', 'gib', 1024],
  ['GiB|GB', 'gib', 1],
  ['MiB|MB', 'gib', 1 / 1024],
  ['kW', 'watts', 1000],
  ['W|watts?', 'watts', 1],
  ['°C', 'celsius', 1],
  ['ms|milliseconds?', 'seconds', 1e-3],
  ['months?|mo', 'months', 1],
  ['minutes?|mins?', 'seconds', 60],
  ['seconds?|secs?|s', 'seconds', 1],
  ['hours?|hrs?|h', 'seconds', 3600],
  ['days?|d', 'seconds', 86_400],
  ['weeks?|w', 'seconds', 604_800],
]
const UNIT = new RegExp(`^(?:${UNITS.map(([pattern]) => `(${pattern})`).join('|')})(?![\\p{L}\\d])`, 'u')
const NUMBER =
  /(?<![\p{L}\d.,])([-−])?(USD ?|[$€£])?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?: ?(k|K|M|thousand|million|billion)(?![\p{L}\d]))?/gu
const SPELLED = [
  'zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve',
] // prettier-ignore
const MONTHS = 'january february march april may june july august september october november december'.split(' ')

/** Every number of a text, also spelled ones and "no" before a noun; digits in names are none. */
export function quantitiesOf(text: string): readonly Quantity[] {
  const plain = withoutNames(text)
  const instants = [...daysOf(plain), ...clocksOf(plain)]
  const rest = instants.reduce((left, { at, length }) => blank(left, at, length), plain)
  return [...instants.map(({ quantity }) => quantity), ...spelledOf(rest), ...figuresOf(rest)]
}

type Instant = { readonly at: number; readonly length: number; readonly quantity: Quantity }

const instant = (kind: 'day' | 'clock', text: string, match: RegExpMatchArray): Instant => {
  const at = match.index ?? 0
  return { at, length: match[0].length, quantity: { ...NONE, kind, text, at } }
}
const NONE = { value: 0, within: 0, noun: undefined, isWhole: false }

function daysOf(text: string): readonly Instant[] {
  const names = MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join('|')
  const iso = [...text.matchAll(/\b(\d{4}-\d{2}-\d{2})(?=T|\b)/gu)].map((match) =>
    instant('day', match[1] ?? '', match),
  )
  const ordered = new RegExp(`\\b(${names})\\.? (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?\\b`, 'giu')
  const reversed = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (${names})\\b\\.?(?:,? (\\d{4}))?`, 'giu')
  return [
    ...iso,
    ...[...text.matchAll(ordered)].map((match) => instant('day', dayText(match[1], match[2], match[3]), match)),
    ...[...text.matchAll(reversed)].map((match) => instant('day', dayText(match[2], match[1], match[3]), match)),
  ]
}

function dayText(month = '', day = '', year?: string): string {
  const number = MONTHS.findIndex((name) => name.startsWith(month.toLowerCase().slice(0, 3))) + 1
  const within = `${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`
  return year === undefined ? within : `${year}-${within}`
}

const clocksOf = (text: string): readonly Instant[] =>
  [...text.matchAll(/(?<![\d:])(\d{1,2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z| UTC)?(?![\d:])/gu)].map((match) =>
    instant('clock', (match[1] ?? '').padStart(5, '0'), match),
  )

function figuresOf(text: string): readonly Quantity[] {
  return [...text.matchAll(NUMBER)].map((match) => {
    const [whole, sign, currency, digits = '', decimals = '', scaled] = match
    const at = match.index
    const after = text.slice(at + whole.length)
    const unit = currency === undefined ? unitOf(after) : moneyOf(currency)
    const scale = (SCALES[scaled ?? ''] ?? 1) * unit.factor
    const value = Number(`${digits.replaceAll(',', '')}${decimals}`) * scale * (sign === undefined ? 1 : -1)
    const step = 10 ** -Math.max(0, decimals.length - 1) * scale
    return {
      kind: unit.kind,
      value,
      text: whole,
      // Rounded to the last digit that is written; a nought is one.
      within: value === 0 ? 0 : step / 2,
      at,
      noun: unit.kind === 'count' ? nounOf(after) : undefined,
      isWhole: /\b(?:of|out of)(?: the| all| a total of)?\s*$|\/\s*$/u.test(text.slice(0, at)),
    }
  })
}

type Unit = { readonly kind: QuantityKind; readonly factor: number }

const moneyOf = (currency: string): Unit => ({ kind: /USD|\$/u.test(currency) ? 'money' : 'other-money', factor: 1 })

function unitOf(after: string): Unit {
  const match = UNIT.exec(after.replace(/^[\s-]/u, ''))
  const found = match === null ? undefined : UNITS.find((_unit, order) => match[order + 1] !== undefined)
  return found === undefined ? { kind: 'count', factor: 1 } : { kind: found[1], factor: found[2] }
}

/** "three nodes", "no workload", "one of". */
const spelledOf = (text: string): readonly Quantity[] =>
  [...text.matchAll(/\b(no|[a-z]+)\b/giu)].flatMap((match): Quantity[] => {
    const word = match[0].toLowerCase()
    const value = word === 'no' ? 0 : SPELLED.indexOf(word)
    const after = text.slice(match.index + word.length)
    const noun = nounOf(after)
    if (value < 0 || (noun === undefined && (value < 2 || !/^ of\b/u.test(after)))) return []
    return [{ kind: 'count', value, text: word, within: 0, at: match.index, noun, isWhole: false }]
  })

/** What is counted by words: the first noun among them. */
const nounIn = (words: readonly string[]): string | undefined =>
  words.map((word) => meaningOf(word.toLowerCase())).find((idea) => idea !== undefined && NOUNS.has(idea))

/** The noun that follows a number, also behind the whole of "3 of 12 GPUs". */
function nounOf(after: string): string | undefined {
  const [clause = ''] = after.replace(/^\s*(?:of|out of)(?: the)?\s*[\d,.]*/u, '').split(/[,;:()]|\.\s/u)
  return nounIn(
    clause
      .split(/[^\p{L}]+/u)
      .filter(Boolean)
      .slice(0, 3),
  )
}

/** What the parts of a key count, the last first: `holdsGpus`. */
export const nounOfKey = (words: readonly string[]): string | undefined => nounIn(words.toReversed())

const blank = (text: string, at: number, length: number): string =>
  `${text.slice(0, at)}${' '.repeat(length)}${text.slice(at + length)}`

/** Whether what was measured is what was written, rounded at most. */
export function agrees(written: Quantity, measured: Pick<Quantity, 'kind' | 'value' | 'text'>): boolean {
  if (written.kind !== measured.kind) return false
  if (written.kind === 'day') return measured.text === written.text || measured.text.slice(5) === written.text
  if (written.kind === 'clock') return measured.text === written.text
  const slack = written.within + Math.abs(written.value) * 1e-9
  return Math.abs(written.value - measured.value) <= slack && (measured.value === 0 || written.value !== 0)
}
