import { capitalized, grouped, listed, plural, agree, percent } from '@septet/domain/words'

import type { FixedReading } from '../reply/reading.ts'
import { asks, type Block, page, path, type Reply } from '../reply/reply.ts'
import { table } from '../reply/table.ts'
import type { TimeRange } from '@septet/domain'
import { isOverTime } from './over-time.ts'
import type { Query } from './query.ts'
import { amountWords, signOf } from './limits.ts'
import { isWanted, type Row, type Rows, rowsOf } from './rows.ts'
import { timeWords } from './times.ts'
import { type FigureName, FIGURES, nameOf, SUBJECTS } from './vocabulary.ts'

type RowQuery = Extract<Query, { kind: 'rows' }>
const MOST_ROWS = 20

/** Answers what a line asks for. Throws the `Refusal` of an operation. */
export async function answerQuery(query: Query, reading: FixedReading, zone: string): Promise<Reply> {
  if (query.kind === 'why') return whyReply(query.workload)(reading)
  const { subject, where, range } = query
  const found = await rowsOf(reading, subject, { range, zone, where })
  const { rows, open } = chosenOf(found.rows, where)
  const shown: Shown = {
    query,
    zone,
    rows: ordered(rows, query),
    before: await beforeOf(reading, found, { query, zone }),
  }
  const texts = [...saidOf(shown), ...leftOpen(open, query), ...cutOff(found, query), ...found.notes]
  const compared = comparedOf(shown)
  // What is compared is said first, in place of how many there are.
  const [first = '', ...rest] = compared === undefined ? texts : [compared, ...texts.slice(1)]
  const cites = shown.before === undefined ? [found.cite] : [found.cite, shown.before.cite]
  return {
    sentences: [{ text: first, cites }, ...rest.map((text) => ({ text, cites: [found.cite] }))],
    blocks: [blockOf(reading, shown)].filter((block) => block !== undefined),
    page: page('See the figures', reading.page(found.rows[0]?.page ?? '')),
    isUnknown: isUnknown(rows, query) || (open > 0 && rows.length === 0),
  }
}

/** Whether what is asked for is unknown of all of them. Which ones match a state or a limit is an answer by itself. */
const isUnknown = (rows: readonly Row[], { figures: [figure], where }: RowQuery): boolean =>
  figure !== undefined &&
  where.every(({ kind }) => kind === 'names') &&
  rows.length > 0 &&
  rows.every(({ figures }) => (figures[figure] ?? null) === null)

/** An answer in the making. */
type Shown = {
  readonly query: RowQuery
  readonly zone: string
  readonly rows: readonly Row[]
  readonly before: Rows | undefined
}

/** The rows that are wanted, and of how many it cannot be told. */
function chosenOf(
  all: readonly Row[],
  where: RowQuery['where'],
): { readonly rows: readonly Row[]; readonly open: number } {
  const judged = all.map((row) => ({ row, verdicts: where.map((condition) => isWanted(row, condition)) }))
  return {
    rows: judged.filter(({ verdicts }) => verdicts.every((verdict) => verdict === true)).map(({ row }) => row),
    open: judged.filter(({ verdicts }) => verdicts.includes(undefined) && !verdicts.includes(false)).length,
  }
}

type Comparing = Pick<Shown, 'query' | 'zone'>

async function beforeOf(reading: FixedReading, found: Rows, { query, zone }: Comparing): Promise<Rows | undefined> {
  const { compare, range, subject, where } = query
  if (compare === undefined) return undefined
  const wanted = compare === 'before' || isPartOf(range, compare) ? found.before : compare
  return wanted === null ? undefined : rowsOf(reading, subject, { range: wanted, zone, where })
}

/** Of a week that is not over, the week before counts up to the same time. */
const isPartOf = (range: TimeRange, compare: TimeRange | 'before'): boolean =>
  compare !== 'before' &&
  compare.kind === 'calendar' &&
  range.kind === 'calendar' &&
  compare.name === `last-${range.name}`

const whyReply = (id: string) =>
  asks('workloadsGet', {
    input: { id, range: '24h' },
    page: ['See the workload', path('/workloads', { workload: id })],
  })

/** Largest first or smallest first by the first figure; what is not known comes last either way. */
function ordered(rows: readonly Row[], { figures: [figure], order, top }: RowQuery): readonly Row[] {
  if (figure === undefined) return rows
  const sign = order === 'down' ? -1 : 1
  const sorted = rows.toSorted((a, b) => {
    const [first, second] = [a, b].map(({ figures }) => figures[figure] ?? null)
    if (first === null || second === null || first === undefined || second === undefined)
      return Number(first === null) - Number(second === null)
    return sign * (first - second)
  })
  return sorted.slice(0, top)
}

const whereWords = ({ where }: RowQuery): string => where.map(conditionWords).join(', ')

function conditionWords(condition: RowQuery['where'][number]): string {
  if (condition.kind === 'names')
    return `${condition.field} ${condition.not ? 'not ' : ''}${listed(condition.names, 'or')}`
  if (condition.kind === 'state')
    return `${condition.not ? 'not ' : ''}${condition.state}${condition.state === 'ended' ? '' : ' now'}`
  const { figure, above, below } = condition
  const side = (limit: typeof above, sign: '<' | '>'): readonly string[] =>
    limit === undefined
      ? []
      : [`${signOf(sign, limit)} ${amountWords({ value: limit.value, unit: FIGURES[figure].unit })}`]
  return `${nameOf(figure)} ${[...side(above, '>'), ...side(below, '<')].join(' and ')}`
}

/** How many there are, which comes first and what they come to. */
function saidOf({ rows, query, zone }: Shown): readonly string[] {
  const { subject, figures, range, where } = query
  const { one, many } = SUBJECTS[subject]
  const time = isOverTime(subject, figures, where) ? `, ${timeWords(range, zone)}` : ''
  const [first] = rows
  if (subject === 'fleet')
    return figures.map((each) => `${FIGURES[each].title} of the whole cluster${time}: ${cell(first, each)}.`)
  const match = where.length === 0 ? '' : ` ${agree(rows.length, 'matches', 'match')}: ${whereWords(query)}`
  const count = `${plural(rows.length, one, many)}${match}${time}.`
  if (first === undefined) return [count]
  if (rows.length === 1)
    return [count, ...figures.map((each) => `${first.name}: ${nameOf(each)} ${cell(first, each)}.`)]
  return [count, ...extremeOf(first, query), ...sumOf(rows, query)]
}

const extremeOf = (first: Row, { figures: [figure], order }: RowQuery): readonly string[] =>
  figure === undefined || (first.figures[figure] ?? null) === null
    ? []
    : [`${order === 'down' ? 'Highest' : 'Lowest'} ${nameOf(figure)}: ${first.name}, ${cell(first, figure)}.`]

/** What the rows come to, where that is one figure. */
function sumOf(rows: readonly Row[], { figures: [figure] }: RowQuery): readonly string[] {
  if (figure === undefined || !FIGURES[figure].adds) return []
  const known = rows.flatMap(({ figures: all }) => (typeof all[figure] === 'number' ? [all[figure]] : []))
  if (known.length === 0) return []
  const sum = known.reduce((all, value) => all + value, 0)
  const missing = rows.length - known.length
  const without = missing === 0 ? '' : `, and ${grouped(missing)} unknown`
  return [`Together: ${amountWords({ value: sum, unit: FIGURES[figure].unit })}${without}.`]
}

const cell = (row: Row | undefined, figure: FigureName): string => {
  const value = row?.figures[figure]
  return typeof value === 'number' ? amountWords({ value, unit: FIGURES[figure].unit }) : 'unknown'
}

/** What was there before beside what is there now; both have to be known for a difference. Undefined where nothing is compared. */
function comparedOf({ rows, before, query, zone }: Shown): string | undefined {
  const { figures, compare, range } = query
  const [figure] = figures
  if (figure === undefined || before === undefined || compare === undefined) return undefined
  const names = new Set(rows.map(({ name }) => name))
  const [now, then] = [rows, before.rows.filter(({ name }) => names.has(name))].map((some) => wholeOf(some, figure))
  const say = (value: number | undefined): string =>
    value === undefined ? 'unknown' : amountWords({ value, unit: FIGURES[figure].unit })
  const change = now === undefined || then === undefined ? '' : ` (${changeWords(now, then)})`
  return `${FIGURES[figure].title}, ${timeWords(range, zone)}: ${say(now)}; ${pastWords(range, compare, zone)}: ${say(then)}${change}.`
}

const pastWords = (range: TimeRange, compare: TimeRange | 'before', zone: string): string =>
  compare === 'before'
    ? 'the time before'
    : `${timeWords(compare, zone)}${isPartOf(range, compare) ? ' up to the same time' : ''}`

/** One figure for some rows: undefined where one of them is not known, or they have no sum. */
function wholeOf(rows: readonly Row[], figure: FigureName): number | undefined {
  const values = rows.map(({ figures }) => figures[figure] ?? undefined)
  if (values.length === 0 || (values.length > 1 && !FIGURES[figure].adds)) return undefined
  return values.reduce((all, value) => (all === undefined || value === undefined ? undefined : all + value), 0)
}

const changeWords = (now: number, then: number): string =>
  then === 0
    ? now === 0
      ? 'no change'
      : 'from nothing'
    : `${now >= then ? '+' : '−'}${percent(Math.abs(now - then) / Math.abs(then), 0)}`

const leftOpen = (open: number, { subject }: RowQuery): readonly string[] => {
  const { one, many } = SUBJECTS[subject]
  const who = plural(open, `more ${one}`, `more ${many}`)
  return open === 0
    ? []
    : [`${who} may match, but what decides is not measured, so ${agree(open, 'it is', 'they are')} not counted.`]
}

const cutOff = ({ rows, total }: Rows, { subject }: RowQuery): readonly string[] =>
  total > rows.length
    ? [`Only ${grouped(rows.length)} of ${grouped(total)} ${SUBJECTS[subject].many} were looked at; add a condition.`]
    : []

function blockOf(reading: FixedReading, { rows, query, before }: Shown): Block | undefined {
  const { subject, figures } = query
  const [figure] = figures
  if (subject === 'fleet') return undefined
  const then = new Map(before?.rows.map((row) => [row.name, row]))
  const columns = Object.fromEntries(figures.map((each) => [`#${FIGURES[each].title}`, (row: Row) => cell(row, each)]))
  const compared =
    before === undefined || figure === undefined
      ? {}
      : {
          '#Before': (row: Row) => cell(then.get(row.name), figure),
          '#Change': ({ name, figures: all }: Row) => {
            const [value, past] = [all[figure], then.get(name)?.figures[figure]]
            return typeof value === 'number' && typeof past === 'number' ? changeWords(value, past) : 'unknown'
          },
        }
  return table(reading, {
    title: capitalized(SUBJECTS[subject].many),
    rows,
    columns: { [capitalized(SUBJECTS[subject].one)]: ({ name }: Row) => name, ...columns, ...compared },
    at: (row) => row.page,
    most: MOST_ROWS,
  })
}
