import { duration, grouped, money, percent, plural } from '@septet/domain/words'

import type { Amount, Limit } from './line.ts'
import { matchAt, NOT, type Read, type Reader } from './reader.ts'
import type { FigureUnit } from './vocabulary.ts'

const AMOUNT = String.raw`(?<dollars>\$\s*)?(?<number>\d[\d,]*(?:\.\d+)?)\s*(?<thousand>k\b)?\s*(?<unit>%|percent|usd|dollars?|gpu[- ]?h(?:ours?)?|gpus?|minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|w)?`
const LEAD = String.raw`(?:${NOT})?(?:(?:ran|waited|lasted)\s+(?:for\s+)?)?(?:(?:is|are|was|were)\s+)?`
const SIGN = [
  String.raw`(?<most><=|≤|at\s+most|up\s+to|no\s+more\s+than)`,
  String.raw`(?<least>>=|≥|at\s+least)`,
  String.raw`(?<below><|(?:less|fewer|lower|shorter)\s+than|below|under|for\s+less\s+than)`,
  String.raw`(?<above>>|(?:more|greater|higher|longer|older)\s+than|over|above|exceeding|for\s+more\s+than)`,
].join('|')
const AFTER = String.raw`(?![\p{L}\p{N}])`
const LIMIT = new RegExp(String.raw`${LEAD}(?:${SIGN})\s*${AMOUNT}${AFTER}`, 'iuy')
const BETWEEN = new RegExp(
  String.raw`between\s+${AMOUNT.replaceAll('?<', '?<low_')}\s+and\s+${AMOUNT.replaceAll('?<', '?<high_')}${AFTER}`,
  'iuy',
)

/** "< 20%", "not over $100", "between 2 and 5 h". What is limited stands beside it. */
export const limits: Reader = (line, from) => oneSided(line, from) ?? twoSided(line, from)

function oneSided(line: string, from: number): Read | undefined {
  const match = matchAt(LIMIT, line, from)
  if (match === undefined) return undefined
  const { not, most, least, below, ...groups } = match.groups ?? {}
  const amount = amountOf(groups, '')
  const isBelow = (below ?? most) !== undefined
  const isTurned = not !== undefined
  const side: Limit = { value: amount.value, includes: ((most ?? least) !== undefined) !== isTurned }
  const limit = { ...amount, ...side }
  const meaning = isBelow === isTurned ? { above: limit } : { below: limit }
  return {
    length: match[0].length,
    meaning: { kind: 'limit', ...meaning },
    says: `${signOf(isBelow === isTurned ? '>' : '<', side)} ${amountWords(amount)}`,
  }
}

/** As it is printed: `≥` for what includes its limit. */
export function signOf(sign: '<' | '>', { includes }: Limit): string {
  if (!includes) return sign
  return sign === '<' ? '≤' : '≥'
}

function twoSided(line: string, from: number): Read | undefined {
  const match = matchAt(BETWEEN, line, from)
  const [low, high] = [amountOf(match?.groups ?? {}, 'low_'), amountOf(match?.groups ?? {}, 'high_')]
  if (match === undefined || low.value > high.value) return undefined
  const unit = low.unit ?? high.unit
  // A percent sign or an hour at the second stands for both.
  const scale = low.unit === undefined && high.number !== 0 ? high.value / high.number : 1
  const first = { value: low.value * scale, unit, includes: true }
  const second = { value: high.value, unit, includes: true }
  return {
    length: match[0].length,
    meaning: { kind: 'limit', above: first, below: second },
    says: `${amountWords(first)} to ${amountWords(second)}`,
  }
}

type Groups = Readonly<Record<string, string | undefined>>

function amountOf(groups: Groups, prefix: string): Amount & { readonly number: number } {
  const [digits = '', thousand, dollars, text = ''] = ['number', 'thousand', 'dollars', 'unit'].map(
    (name) => groups[`${prefix}${name}`],
  )
  const number = Number(digits.replaceAll(',', '')) * (thousand === undefined ? 1 : 1000)
  const [unit, scale] = dollars === undefined ? unitOf(text.toLowerCase()) : (['usd', 1] as const)
  return { value: number * scale, unit, number }
}

const UNITS: ReadonlyArray<readonly [RegExp, FigureUnit, number]> = [
  [/^(?:usd|dollar)/u, 'usd', 1],
  [/^(?:%|percent)/u, 'share', 0.01],
  [/^gpu[- ]?h/u, 'gpu-hours', 1],
  [/^gpu/u, 'gpus', 1],
  [/^m/u, 'seconds', 60],
  [/^h/u, 'seconds', 3600],
  [/^d/u, 'seconds', 86_400],
  [/^w/u, 'seconds', 604_800],
]

/** What an amount is of, and what one of it comes to; undefined where nothing is said. */
function unitOf(text: string): readonly [unit: FigureUnit | undefined, scale: number] {
  const [, unit, scale = 1] = UNITS.find(([pattern]) => pattern.test(text)) ?? []
  return [unit, scale]
}

/** An amount as it stands on a chip and in a sentence. */
export function amountWords({ value, unit }: Amount): string {
  return WRITE[unit ?? 'none'](value)
}

const WRITE: Readonly<Record<FigureUnit | 'none', (value: number) => string>> = {
  share: (value) => percent(value, Number.isInteger(Math.round(value * 1e6) / 1e4) ? 0 : 1),
  usd: money,
  'usd-month': (value) => `${money(value)}/mo`,
  seconds: duration,
  'gpu-hours': (value) => `${grouped(value, 1)} GPU-h`,
  gpus: (value) => plural(value, 'GPU'),
  none: (value) => grouped(value),
}
