import { queryLine, readQuery } from '@septet/copilot'
import { instant, rangeText, type TimeRange } from '@septet/domain'

import { type Expected, QUESTIONS, type TestQuestion } from './asking/questions.ts'
import { askWorld, gpuRows, groupRows, type KnownRow, recommendationRows, workloadRows } from './asking/world.ts'
import type { Benchmark } from './benchmark.ts'

const NOW = instant(Date.parse('2026-11-18T14:30:00Z'))
const ZONE = 'UTC'

type Verdict = 'right' | 'wrong' | 'refused'

/** What people type at the query bar: how much is answered right, and how much wrong with confidence. */
export const benchmark: Benchmark = {
  name: 'asking',
  description: `${QUESTIONS.length} questions to the query bar without a language model, written by somebody who had not seen how lines are read, on a cluster whose figures are known. Judged on all parts of what was understood and on the values of the answer.`,
  run: async () => {
    const judged = await Promise.all(QUESTIONS.map(async (question) => ({ question, verdict: await judge(question) })))
    for (const { question, verdict } of judged)
      if (verdict === ('none' in question ? 'wrong' : 'refused') || verdict === 'wrong')
        process.stderr.write(`${verdict}: ${question.q}\n`)
    const able = judged.filter(({ question }) => !('none' in question))
    const unable = judged.filter(({ question }) => 'none' in question)
    const percentOf = (some: typeof judged, wanted: Verdict): number =>
      (100 * some.filter(({ verdict }) => verdict === wanted).length) / Math.max(1, some.length)
    return [
      {
        name: 'right, of the questions that the data can answer',
        figure: percentOf(able, 'right'),
        unit: `% of ${able.length}`,
        aim: '≥ 75 %',
      },
      {
        name: 'answered wrong, of all questions',
        figure: percentOf(judged, 'wrong'),
        unit: `% of ${judged.length}`,
        aim: '≤ 2 %',
      },
      {
        name: 'left unanswered, of those that nobody can answer',
        figure: percentOf(unable, 'refused'),
        unit: `% of ${unable.length}`,
        aim: '≥ 98 %',
      },
    ]
  },
}

async function judge(question: TestQuestion): Promise<Verdict> {
  const asked = { line: question.q, cluster: undefined, zone: ZONE }
  const { query } = await readQuery(asked, askWorld, NOW)
  if (query === undefined) return 'refused'
  if ('none' in question) return 'wrong'
  if ('why' in question || query.kind === 'why') return isSameWhy(question, query) ? 'right' : 'wrong'
  const { answer } = await queryLine(asked, { ask: askWorld, now: NOW, id: 'asked' })
  const said = answer?.sentences.map(({ text }) => text).join(' ') ?? ''
  return samePart(query, question.is) && saysSo(said, question.is) ? 'right' : 'wrong'
}

const isSameWhy = (
  question: TestQuestion,
  query: NonNullable<Awaited<ReturnType<typeof readQuery>>['query']>,
): boolean => 'why' in question && query.kind === 'why' && query.workload === question.why

/** Whether an answer counts the rows and names the first. A fixed question is answered in the words of its operation. */
function saysSo(said: string, is: Expected): boolean {
  if (said === '' || is.subject === 'fleet') return true
  const rows = rowsOf(is)
  const isCounted = is.compare !== undefined || said.startsWith(`${rows.length} `)
  // Where the figure is unknown of all of them, none comes first.
  const isFirst = is.figure !== 'count' && typeof rows[0]?.figures[is.figure] === 'number'
  return isCounted && (!isFirst || said.includes(rows[0]?.name ?? ''))
}

type RowQuery = Extract<NonNullable<Awaited<ReturnType<typeof readQuery>>['query']>, { kind: 'rows' }>

const isTimed = ({ subject }: Expected): boolean => subject !== 'gpus' && subject !== 'recommendations'

function samePart(query: RowQuery, is: Expected): boolean {
  const range = is.range ?? '24h'
  return (
    query.subject === is.subject &&
    (query.isCount ? 'count' : query.figures[0]) === is.figure &&
    sameTexts(query.where.flatMap(textsOf), is.where) &&
    (!isTimed(is) || textOf(query.range) === range) &&
    textOf(query.compare) === is.compare &&
    query.top === is.top &&
    (query.order === 'up') === (is.order === 'up')
  )
}

const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  JSON.stringify(a.map(sortedNames).toSorted()) === JSON.stringify(b.map(sortedNames).toSorted())
const sortedNames = (text: string): string => {
  const [, field = text, sign = '', names = ''] = /^(\w+)(!?=)(.*)$/u.exec(text) ?? []
  return `${field}${sign}${names.split('|').toSorted().join('|')}`
}

const textOf = (range: TimeRange | 'before' | undefined): string | undefined =>
  range === undefined || range === 'before' ? range : rangeText(range).replace(`@${ZONE}`, '')

function textsOf(condition: RowQuery['where'][number]): readonly string[] {
  if (condition.kind === 'names') return [`${condition.field}${condition.not ? '!=' : '='}${condition.names.join('|')}`]
  if (condition.kind === 'state') return [`state${condition.not ? '!=' : '='}${condition.state}`]
  const { figure, above, below } = condition
  return [
    ...(above === undefined ? [] : [`${figure}>${above.includes ? '=' : ''}${above.value}`]),
    ...(below === undefined ? [] : [`${figure}<${below.includes ? '=' : ''}${below.value}`]),
  ]
}

/** The rows that a question must come to, reckoned from the world by itself. */
function rowsOf(is: Expected): readonly KnownRow[] {
  const conditions = is.where.map(conditionOf)
  const rows = allOf(is).filter((row) => conditions.every((holds) => holds(row)))
  const sign = is.order === 'up' ? 1 : -1
  const of = ({ figures }: KnownRow): number | null => figures[is.figure] ?? null
  return rows
    .toSorted((a, b) => {
      const [first, second] = [of(a), of(b)]
      if (first === null || second === null) return Number(first === null) - Number(second === null)
      return sign * (first - second)
    })
    .slice(0, is.top)
}

const BY: Readonly<Record<string, string>> = {
  namespaces: 'namespace',
  tenants: 'tenant',
  models: 'model',
  pools: 'pool',
  nodes: 'node',
}

function allOf({ subject, range = '24h', where }: Expected): readonly KnownRow[] {
  const asked = /^(?:today|week|month|last-week|last-month)$/u.test(range) ? `${range}@${ZONE}` : range
  if (subject === 'workloads') return workloadRows(asked, where.includes('state=ended'))
  if (subject === 'gpus') return gpuRows()
  if (subject === 'recommendations') return recommendationRows()
  return subject === 'fleet' ? groupRows('fleet', asked) : groupRows(BY[subject] ?? '', asked)
}

function conditionOf(text: string): (row: KnownRow) => boolean {
  const [, name = '', sign = '', wanted = ''] = /^(\w+)(!=|>=|<=|=|>|<)(.*)$/u.exec(text) ?? []
  if (name === 'state')
    return ({ states }) => !states.includes(`${wanted}?`) && states.includes(wanted) === (sign === '=')
  if (sign === '=' || sign === '!=')
    return ({ fields }) => (fields[name] ?? []).some((each) => wanted.split('|').includes(each)) === (sign === '=')
  const limit = Number(wanted)
  return ({ figures }) => {
    const value = figures[name] ?? null
    if (value === null) return false
    if (sign === '>' || sign === '>=') return sign === '>' ? value > limit : value >= limit
    return sign === '<' ? value < limit : value <= limit
  }
}
