import { OPERATIONS, Refusal, type OperationKey } from '@septet/contract'
import { COPILOT_QUESTIONS } from '@septet/contract/copilot-questions'
import type { Ask } from '@septet/tools'
import { describe, expect, test } from 'vitest'

import { changeAsked } from '../check/changes.ts'
import { answerFixed, ANSWERS } from './answer-fixed.ts'
import { openFixedReading } from './reading.ts'

const AT = '2026-11-23T12:00:00Z'
const TEXTS: readonly string[] = Object.values(COPILOT_QUESTIONS)
type Answers = Partial<Record<OperationKey, (input: never) => unknown>>

const tell = async (question: string, answers: Answers = {}) => {
  const ask: Ask = async (key, input) => (await answers[key]?.(input as never)) as never
  const answer = await answerFixed(
    { question, cluster: undefined, after: undefined },
    { ask, now: Date.parse(AT), id: 'x' },
  )
  return { ...answer, text: answer.sentences.map(({ text }) => text).join(' ') }
}
const refuse = (code: 'not-ready' | 'not-allowed') => () =>
  Promise.reject(new Refusal(code, 'Nothing is known yet.', 'Wait.'))

test.each(Object.entries(ANSWERS))('what %s asks of a cluster is what the operations take', async (_id, answer) => {
  const asked: OperationKey[] = []
  const wrong: string[] = []
  const ask: Ask = async (key, input) => {
    asked.push(key)
    const { error } = OPERATIONS[key].input.safeParse(input)
    if (error !== undefined) wrong.push(`${key}: ${error.message}`)
    throw new Refusal('not-ready', 'Nothing is known yet.', 'Wait.')
  }
  await expect(answer(openFixedReading(ask, 'production'))).rejects.toThrow('Nothing is known yet.')
  expect([asked.length, wrong, OPERATIONS[asked[0] ?? 'summaryGet'].effect]).toEqual([1, [], 'read'])
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

  test('leads to pages and to fixed questions', async () => {
    const { next } = await tell('Which GPUs have faults?', { fleetBroken: () => ({ asOf: AT, gpus: [] }) })
    expect(next[0]).toMatchObject({ question: null, page: '/dashboard/fleet' })
    expect(next.slice(1).every(({ question }) => TEXTS.includes(question ?? ''))).toBe(true)
  })
})

describe('any other question', () => {
  test.each(['How busy is node-a?', 'and last week?', 'asdf', '?', 'Where is a 2g.20gb free?'])(
    '“%s” is not answered: it needs a language model, and the fixed ones do not',
    async (question) => {
      const { verdict, text, next, citations } = await tell(question)
      expect([verdict, citations]).toEqual(['cannot', []])
      expect(text).toBe('Questions in your own words need a language model, and none answers here.')
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

const block = (kind: string, profile: string | null = null) => ({ kind, profile, start: 0, size: 1 })
const gpu = (mode: string, blocks: readonly object[], more = {}) => ({
  id: `${mode}-0`,
  mode,
  blocks,
  fault: null,
  ...more,
})
const node = (name: string, gpus: readonly object[], more = {}) => ({
  node: name,
  model: 'H100-80GB-HBM3',
  ready: true,
  total: gpus.length,
  available: gpus.length,
  gpus,
  ...more,
})
const listed = (...nodes: readonly object[]) => ({
  partitionsList: () => ({ asOf: AT, total: nodes.length, nodes, facets: { models: [{ name: 'H100-80GB-HBM3' }] } }),
})

describe('what is free', () => {
  const QUESTION = COPILOT_QUESTIONS['free-partition']
  const mig = gpu('mig', [
    block('free', '1g.10gb'),
    block('free', '2g.20gb'),
    block('free', '1g.10gb'),
    block('busy', '1g.10gb'),
  ])

  test('is told of whole GPUs and of MIG instances, each with evidence', async () => {
    const { verdict, text, sentences } = await tell(QUESTION, listed(node('node-a', [mig])))
    expect([verdict, text]).toEqual([
      'answered',
      'As of 2026-11-23 12:00 UTC, 0 whole GPUs are free. 3 MIG instances are: 1 × 2g.20gb, 2 × 1g.10gb. They are on “node-a”.',
    ])
    expect(sentences.every(({ cites }) => cites.length > 0)).toBe(true)
  })

  test('counts neither what is broken nor what is on a node that is not ready', async () => {
    const nodes = [
      node('node-a', [gpu('whole', [block('free')])]),
      node('node-b', [gpu('whole', [block('free')], { fault: { message: 'XID 79' } })]),
      node('node-c', [gpu('whole', [block('free')])], { ready: false }),
    ]
    expect((await tell(QUESTION, listed(...nodes))).text).toContain('1 whole GPU is free. No MIG instance is.')
  })

  test('is unknown while the cluster was not read', async () => {
    const unread = { asOf: null, total: 0, nodes: [], facets: { models: [] } }
    const { verdict, text } = await tell(QUESTION, { partitionsList: () => unread })
    expect([verdict, text]).toEqual(['cannot', 'What is free is unknown: the cluster has not been read yet.'])
  })
})

const figure = (value: number | null, unit: string, because: string | null = null) => ({ value, unit, because })
const job = (id: string, idle: number | null, idleCost: number | null = idle) => ({
  id,
  gpu: '1 × H100',
  duration: 7200,
  holds: { gpus: 2, idle: idle ?? 0 },
  busy: figure(0.5, 'ratio'),
  cost: figure(9, 'USD'),
  idleCost: figure(idleCost, 'USD', 'No telemetry.'),
})
const jobs = (...workloads: readonly object[]) => ({
  workloadsList: () => ({ asOf: AT, total: workloads.length, workloads }),
})

describe('lists of workloads', () => {
  test('what idles is counted, as of now', async () => {
    const { text } = await tell('Which GPUs are idle?', jobs(job('lab/Job/a', 2), job('lab/Job/b', 1)))
    expect(text).toBe(
      'As of 2026-11-23 12:00 UTC, 2 workloads hold 3 GPUs idle. “lab/Job/a” has the costliest idle time: it holds 2 GPUs idle.',
    )
  })

  test('who idles most is unknown, and not the first, where it was not measured', async () => {
    const { verdict, text } = await tell('Where is the most waste?', jobs(job('lab/Job/a', null)))
    expect([verdict, text]).toEqual([
      'cannot',
      'Over the past 24 hours (as of 2026-11-23 12:00 UTC), who idles most: unknown. No telemetry.',
    ])
  })

  test('the longest wait, and that nothing waits', async () => {
    const { text } = await tell('Which workload waits longest?', jobs(job('lab/Job/a', 0)))
    expect(text).toContain('“lab/Job/a” has been waiting longest: 2 h. 1 workload in total.')
    expect((await tell('Which workload waits longest?', jobs())).text).toMatch(/, nothing waits\.$/u)
  })
})

const unseen = () => ({ asOf: AT, fleet: { structural: null, byPlacement: null, gpus: 4 }, stranded: [] })

test('stranded capacity is told by its layouts, and to nobody who sees no whole cluster', async () => {
  const stranded = [{ model: 'A100-SXM4-80GB', layout: [{ profile: '3g.40gb', start: 0 }], gpus: 2, because: 'Why.' }]
  const fleet = { structural: 2, byPlacement: 1, gpus: 4 }
  const partitionsEfficiency = () => ({ asOf: AT, fleet, stranded })
  const { text, blocks } = await tell('Which capacity is stranded?', { partitionsEfficiency })
  expect(text).toContain('3 compute slices of 4 GPUs in MIG mode are stranded: 2 because of the profiles chosen, 1 ')
  expect(blocks).toMatchObject([{ rows: [{ cells: ['A100-SXM4-80GB', '3g.40gb@0', '2', 'Why.'] }] }])
  const { text: limited } = await tell('Which capacity is stranded?', { partitionsEfficiency: unseen })
  expect(limited).toMatch(/^Stranded slices belong to no namespace/u)
})
