import { OPERATIONS, Refusal, type OperationKey, notReady } from '@septet/contract'
import { COPILOT_QUESTIONS } from '@septet/contract/copilot-questions'
import type { Ask } from '@septet/tools'
import { describe, expect, test } from 'vitest'

import { changeAsked } from './changes.ts'
import { answerFixed } from './answer-fixed.ts'
import { FIXED } from './questions.ts'
import { openFixedReading } from '../reply/reading.ts'

const AT = '2026-11-23T12:00:00Z'
const TEXTS: readonly string[] = Object.values(COPILOT_QUESTIONS)
type Answers = Partial<Record<OperationKey, (input: never) => unknown>>

/** A cluster in which nothing has a name. */
const NOTHING: Answers = { searchFind: () => ({ found: [] }), costBreakdown: () => ({ groups: [] }) }

const tell = async (question: string, answers: Answers = {}) => {
  const ask: Ask = async (key, input) => (await (answers[key] ?? NOTHING[key])?.(input as never)) as never
  const answer = await answerFixed(
    { question, cluster: undefined, zone: 'UTC', after: undefined },
    { ask, now: Date.parse(AT), id: 'x' },
  )
  return { ...answer, text: answer.sentences.map(({ text }) => text).join(' ') }
}
const refuse = (code: 'not-ready' | 'not-allowed') => () =>
  Promise.reject(new Refusal(code, 'Nothing is known yet.', 'Wait.'))

test.each(Object.entries(FIXED))('what %s asks of a cluster is what the operations take', async (_id, { replies }) => {
  const asked: OperationKey[] = []
  const wrong: string[] = []
  const ask: Ask = async (key, input) => {
    asked.push(key)
    const { error } = OPERATIONS[key].input.safeParse(input)
    if (error !== undefined) wrong.push(`${key}: ${error.message}`)
    throw notReady('Nothing is known yet.', 'Wait.')
  }
  const reading = openFixedReading(ask, 'production')
  for (const reply of replies) await expect(reply(reading)).rejects.toThrow('Nothing is known yet.')
  expect([asked.length, wrong]).toEqual([replies.length, []])
  expect(asked.map((key) => OPERATIONS[key].effect)).toEqual(replies.map(() => 'read'))
})

describe('a fixed question', () => {
  test.each(TEXTS)('“%s” is one however it is typed, and orders nothing', async (text) => {
    expect(changeAsked(text)).toBeUndefined()
    const typed = `  ${text.toUpperCase().replaceAll(/[?,.]/gu, '').replaceAll(' ', '  ')} !`
    const answers = Object.fromEntries(Object.keys(OPERATIONS).map((key) => [key, refuse('not-ready')]))
    expect(await tell(typed, answers)).toMatchObject({ verdict: 'cannot', text: 'Nothing is known yet. Wait.' })
  })

  test('is refused where whoever asks may not know, with other questions', async () => {
    const { verdict, next } = await tell('Which GPUs have faults?', { fleetBroken: refuse('not-allowed') })
    expect(verdict).toBe('refused')
    expect(next.map(({ question }) => question)).toEqual(TEXTS.slice(0, 3))
  })

  test('says how old the figures are that it rests on', async () => {
    const age = 'The cluster was last read an hour before this range ends.'
    const says = [{ text: 'No GPU has a fault.', cites: [{ ref: 'gpus' }] }]
    const { text } = await tell('Which GPUs have faults?', { fleetBroken: () => ({ asOf: AT, gpus: [], says, age }) })
    expect(text).toBe(`No GPU has a fault. ${age}`)
  })

  test('leads to pages and to fixed questions', async () => {
    const { next } = await tell('Which GPUs have faults?', { fleetBroken: () => ({ asOf: AT, gpus: [], says: [] }) })
    expect(next[0]).toMatchObject({ question: null, page: '/dashboard/fleet' })
    expect(next.slice(1).every(({ question }) => TEXTS.includes(question ?? ''))).toBe(true)
  })
})

describe('any other question', () => {
  test.each([
    ['How busy is node-a?', 'node-a'],
    ['and last week?', undefined],
    ['asdf', 'asdf'],
    ['?', undefined],
    ['Where is a 2g.20gb free?', '2g.20gb'],
  ])(
    '“%s” is not answered: it says which part is not understood, or that it needs a language model',
    async (question, part) => {
      const { verdict, text, next, citations } = await tell(question)
      expect([verdict, citations]).toEqual(['cannot', []])
      expect(text).toBe(
        part === undefined
          ? 'Questions in your own words need a language model, and none answers here.'
          : `“${part}” is not understood. Nothing is answered until every part is understood.`,
      )
      expect(next.map((one) => one.question)).toEqual(TEXTS)
    },
  )
})

describe('what would change something is refused', () => {
  test.each([
    ['Delete the idle notebooks', '/dashboard/actions'],
    ['pls drain node-a', '/dashboard/actions'],
    ['please scale down chat', '/dashboard/actions'],
    ['get rid of the idle notebooks', '/dashboard/actions'],
    ['Can you approve the plan?', '/dashboard/actions'],
    ['Show idle notebooks and delete them', '/dashboard/actions'],
    ['Silence all alerts', '/dashboard/alerts'],
    ['set the budget to 5', '/dashboard/settings/clusters'],
    ['turn the kill switch off', '/dashboard/settings/clusters'],
    ['book me an H100 on friday', '/dashboard/actions'],
  ])('“%s”', async (question, page) => {
    const answer = await tell(question)
    expect(answer.verdict).toBe('refused')
    expect(answer.citations).toEqual([])
    expect(answer.next[0]?.page).toBe(page)
  })

  test.each(['Kill switch on or off?', 'free GPUs', 'start time'])('“%s” orders nothing', (text) =>
    expect(changeAsked(text)).toBeUndefined(),
  )
})

const says = (text: string, ref: string) => ({ text, cites: [{ ref }] })
const summary = (busy: number | null) => () => ({
  asOf: AT,
  utilization: { busy: { value: busy }, target: 0.8 },
  says: [
    { text: 'GPUs were busy.', cites: [{ ref: 'utilization.busy' }, { ref: 'utilization.target' }] },
    says('They cost $9.', 'cost.capacity'),
  ],
})

describe('an answer', () => {
  test('is what the operation says of the figures that were asked for, word for word, and cites the request', async () => {
    const { verdict, sentences, citations } = await tell('Are our GPUs busy enough?', { summaryGet: summary(0.4) })
    expect([verdict, sentences]).toEqual(['answered', [{ text: 'GPUs were busy.', cites: [1] }]])
    expect(citations).toMatchObject([{ number: 1, source: 'GET /api/v1/summary?range=24h', asOf: AT }])
  })

  test('is unknown where the figure that its first sentence rests on is not known', async () => {
    expect(await tell('Are our GPUs busy enough?', { summaryGet: summary(null) })).toMatchObject({ verdict: 'cannot' })
  })

  test('that takes two operations has the sentences of both, each with its own request', async () => {
    const { sentences, citations } = await tell('How long is the queue, and what shortens it?', {
      workloadsList: () => ({ asOf: AT, total: 0, workloads: [], says: [says('Nothing waits.', 'total')] }),
      queueWaits: () => ({ asOf: AT, causes: [], says: [says('No GPU work had to wait.', 'causes')] }),
    })
    expect(sentences).toEqual([
      { text: 'Nothing waits.', cites: [1] },
      { text: 'No GPU work had to wait.', cites: [2] },
    ])
    expect(citations.map(({ source }) => source.split('?')[0])).toEqual(['GET /api/v1/workloads', 'GET /api/v1/waits'])
  })

  test('shows the rows beside its sentences', async () => {
    const stranded = [{ model: 'A100-SXM4-80GB', layout: [{ profile: '3g.40gb', start: 0 }], gpus: 2, because: 'Why.' }]
    const fleet = { structural: 2, byPlacement: 1 }
    const partitionsEfficiency = () => ({ asOf: AT, fleet, stranded, says: [says('3 slices.', 'fleet.structural')] })
    const { blocks } = await tell('Which capacity is stranded?', { partitionsEfficiency })
    expect(blocks).toMatchObject([{ rows: [{ cells: ['A100-SXM4-80GB', '3g.40gb@0', '2', 'Why.'] }] }])
  })
})

const status = (problems: readonly object[], kind = 'degraded', unallocated: number | null = 1) => ({
  summaryGet: () => ({ status: { kind, headline: 'Connecting', problems }, cost: { hours: { unallocated } } }),
})

describe('of one kind of problem', () => {
  const STUCK = { code: 'holder-not-running', message: '1 pod holds GPUs.', object: 'pods' }
  const FORBIDDEN = { code: 'forbidden', message: 'Cannot list pods.', object: 'pods' }
  const OTHER = { code: 'mig-failed', message: 'It failed.', object: 'node/a' }
  const LIMITED = 'This is known only of the whole cluster. Ask an admin for access to it.'
  const NONE = 'No pod has held a GPU for an hour without running.'

  test.each([
    ['it is told', status([OTHER, STUCK]), '1 pod holds GPUs.'],
    ['where there is another, there is none', status([OTHER]), NONE],
    ['what cannot be read is unknown', status([FORBIDDEN]), 'Cannot list pods.'],
    ['a cluster that was not read yet is unknown', status([], 'connecting'), 'Connecting.'],
    ['it is not told to who may see a part', status([], 'degraded', null), LIMITED],
  ])('%s', async (_, answers, text) => {
    const verdict = text === NONE || text === STUCK.message ? 'answered' : 'cannot'
    expect(await tell('Which GPUs are held by pods that do not run?', answers)).toMatchObject({ verdict, text })
  })
})
