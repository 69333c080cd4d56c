import { DAY_MS, HOUR_MS } from '@septet/domain'

import { limits } from './limits.ts'
import { END, matchAt, NOT, type Reader, word } from './reader.ts'
import { readTime } from './times.ts'
import { EXTREMES, FIGURES, FILLERS, nameOf, STATES, SUBJECTS } from './vocabulary.ts'

const entriesOf = <Key extends string>(
  record: Readonly<Record<Key, { readonly words: string }>>,
): (readonly [Key, string])[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of this very object
  (Object.keys(record) as Key[]).map((key) => [key, record[key].words] as const)

const figures = word(entriesOf(FIGURES), (figure) => ({
  meaning: { kind: 'figure', figure },
  says: FIGURES[figure].title,
}))
const subjects = word(entriesOf(SUBJECTS), (subject) => ({
  meaning: { kind: 'subject', subject },
  says: SUBJECTS[subject].many,
}))
const subject: Reader = (line, from, clock) => {
  const read = subjects(line, from, clock)
  const isOfEach = /(?:by|per|each|every|of)\s+(?:the\s+)?(?:gpu\s+)?$/iu.test(line.slice(0, from))
  return read && { ...read, isSingular: !isOfEach && !/s$/iu.test(line.slice(from, from + read.length)) }
}
/** Of one unit of something: no figure here is a price. */
const unitPrices = word(
  [
    [
      undefined,
      '(?:per|an?|each) (?:gpu[- ])?(?:hour|token|day|month|user|person)|(?:on )?average|mean|median|share of',
    ],
  ],
  () => ({
    meaning: { kind: 'unknown' },
    says: 'of one unit',
    problem: 'Septet answers sums here, not averages or prices of one unit.',
  }),
)
const count = word([[undefined, 'how many|number of|count(?: of)?']], () => ({
  meaning: { kind: 'count' },
  says: 'How many',
}))
const now = word([[undefined, "(?:right )?now|currently|at the moment|today's"]], () => ({
  meaning: { kind: 'now' },
  says: 'now',
}))
const fillers = word([[undefined, FILLERS]], () => ({ meaning: { kind: 'unknown' }, says: '' }))

const STATE_PATTERNS = entriesOf(STATES).map(
  ([state, words]) => [state, new RegExp(`(?:${NOT})?(?:that (?:is|are) )?(?:${words})${END}`, 'iuy')] as const,
)
const states: Reader = (line, from) => {
  for (const [state, pattern] of STATE_PATTERNS) {
    const match = matchAt(pattern, line, from)
    if (match === undefined) continue
    const not = match.groups?.['not'] !== undefined
    const says = `${not ? 'not ' : ''}${state}`
    return { length: match[0].length, meaning: { kind: 'where', condition: { kind: 'state', state, not } }, says }
  }
  return undefined
}

const NUMBERS = 'one two three four five six seven eight nine ten'.split(' ')
const NUMBER = String.raw`\d{1,4}|${NUMBERS.join('|')}`
/** Before which a number alone says how many are wanted. */
const COUNTED = [
  'most|least|largest|highest|lowest|smallest|biggest|busiest|longest|costliest|cheapest|oldest',
  ...Object.values(SUBJECTS).map(({ words }) => words),
].join('|')
const TOP = new RegExp(
  String.raw`(?:top|first(?=\s+(?:${NUMBER}))|(?<bottom>bottom|last(?=\s+(?:${NUMBER}))))(?:\s+(?<count>${NUMBER}))?${END}|(?<alone>${NUMBER})(?=\s+(?:${COUNTED})${END})`,
  'iuy',
)
const tops: Reader = (line, from) => {
  const match = matchAt(TOP, line, from)
  if (match === undefined) return undefined
  const { count: counted, alone, bottom } = match.groups ?? {}
  const top = numberOf(counted ?? alone)
  const order = bottom === undefined ? {} : ({ order: 'up' } as const)
  const says = top === undefined ? match[0] : `${bottom === undefined ? 'top' : 'bottom'} ${top}`
  return { length: match[0].length, meaning: { kind: 'top', top, ...order }, says }
}

function numberOf(text: string | undefined): number | undefined {
  const at = NUMBERS.indexOf(text?.toLowerCase() ?? '')
  if (at >= 0) return at + 1
  return text === undefined ? undefined : Number(text)
}

const extremes = word(
  EXTREMES.map((extreme) => [extreme, extreme.words]),
  ({ figure, order }) => ({
    meaning: { kind: 'top', top: undefined, order, ...(figure !== undefined && { figure }) },
    says: `${order === 'down' ? 'most' : 'least'}${figure === undefined ? '' : ` ${nameOf(figure)}`} first`,
  }),
)

const COMPARE = /(?:vs\.?|versus|compare[sd]?\s+(?:with|to)|against)\s+/iuy
/** Of a line that begins with "compare". */
const WITH = /(?:with|to|and|against)\s+/iuy
const BEFORE = new RegExp(
  String.raw`(?:the\s+)?(?:(?:(?<count>\d{1,3})\s+)?(?<unit>week|month|day|hour|time|period)s?\s+before|before|previous(?:\s+(?:week|month|day|period))?)(?:\s+that)?${END}`,
  'iuy',
)
const comparisons: Reader = (line, from, clock) => {
  const lead = matchAt(COMPARE, line, from) ?? (/^\s*compare\b/iu.test(line) ? matchAt(WITH, line, from) : undefined)
  if (lead === undefined) return undefined
  const start = from + lead[0].length
  const before = matchAt(BEFORE, line, start)
  if (before !== undefined)
    return {
      length: lead[0].length + before[0].length,
      meaning: { kind: 'compare', range: 'before', ...lengthOf(before.groups ?? {}) },
      says: 'vs the time before',
    }
  const time = readTime(line, start, clock)
  return (
    time && {
      length: lead[0].length + time.length,
      meaning: { kind: 'compare', range: time.range },
      says: `vs ${time.says}`,
    }
  )
}

const SPAN_MS: Readonly<Record<string, number>> = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS }
/** How long the time before is said to be, where a number says it. */
function lengthOf({ count: counted, unit = '' }: Record<string, string | undefined>): { readonly ms?: number } {
  const each = SPAN_MS[unit.toLowerCase()]
  return counted === undefined || each === undefined ? {} : { ms: Number(counted) * each }
}

const times: Reader = (line, from, clock) => {
  const time = readTime(line, from, clock)
  return time && { length: time.length, meaning: { kind: 'time', range: time.range }, says: time.says }
}

/** In their order: the first that reads a piece has it. */
export const READERS: readonly Reader[] = [
  unitPrices,
  comparisons,
  count,
  limits,
  times,
  tops,
  extremes,
  figures,
  states,
  subject,
  now,
  fillers,
]
