import { OPERATIONS, Refusal, type CopilotAnswer } from '@septet/contract'
import type { Ask } from '@septet/tools'
import { describe, expect, test } from 'vitest'

import { answerByRules } from './answer-by-rules.ts'
import { changeAsked } from './changes.ts'
import { nearest } from './choose.ts'
import { FAMILIES, FIRST_QUESTIONS } from './families.ts'
import { meant } from './meant.ts'
import { openReading } from './reading.ts'
import { someCluster } from './some-cluster.fake.ts'
import { timeIn } from './times.ts'
import { simplified } from './words.ts'

/** A Monday, at noon. */
const NOW = Date.parse('2026-11-23T12:00:00Z')
const NAMES: Readonly<Record<string, string>> = {
  namespace: 'lab',
  tenant: 'research',
  workload: 'train-7',
  node: 'node-a',
  gpu: 'GPU-node-a-0',
  model: 'H100',
  pool: 'spot',
  profile: '3g.40gb',
  class: 'notebooks',
}
const named = (text: string): string => text.replaceAll(/\{(\w+)\}/gu, (_, slot: string) => NAMES[slot] ?? '?')

const read = (question: string, after?: CopilotAnswer['intent']) =>
  meant({ question, cluster: undefined, after }, { ask: someCluster, now: NOW })
const ask = (question: string, after?: CopilotAnswer['intent']) =>
  answerByRules({ question, cluster: undefined, after }, { ask: someCluster, now: NOW, id: 'x' })

test.each(FAMILIES.map((family) => [family.id, family] as const))(
  'what %s asks of a cluster is what the operations take',
  async (_id, { answer }) => {
    const wrong: string[] = []
    const asked: Ask = async (key, input) => {
      const { error } = OPERATIONS[key].input.safeParse(input)
      if (error !== undefined) wrong.push(`${key}: ${error.message}`)
      throw new Refusal('not-ready', 'Nothing is known yet.', 'Wait.')
    }
    await answer({ ...NAMES, range: '7d' }, openReading(asked, 'production'), NOW).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
    })
    expect(wrong).toEqual([])
  },
)

describe('questions', () => {
  test('are of at least 60 families, each with an id of its own, and the four of the site among their examples', () => {
    expect(new Set(FAMILIES.map(({ id }) => id)).size).toBe(FAMILIES.length)
    expect(FAMILIES.length).toBeGreaterThanOrEqual(60)
    const examples = FAMILIES.flatMap(({ asks }) => asks)
    expect(FIRST_QUESTIONS.filter((question) => !examples.includes(question))).toEqual([])
  })

  test.each(FAMILIES.flatMap(({ id, asks }) => asks.map((asked) => [named(asked), id] as const)))(
    '“%s” is of %s',
    async (question, id) => {
      const { chosen, understood } = await read(question)
      expect(understood.unknown).toEqual([])
      expect(chosen?.family.id).toBe(id)
      expect(changeAsked(question)).toBeUndefined()
    },
  )

  test.each([
    ['How much money was sitting around in the past 7 days?', 'idle-cost', { range: '7d' }],
    ['top 5 idle workloads', 'idle-most', { count: '5' }],
    ['Why is train-7 stuck?', 'why-waits', { workload: 'lab/Job/train-7' }],
    ['why is lab/Job/train-7 pending?', 'why-waits', { workload: 'lab/Job/train-7' }],
    ['What does team research cost this month?', 'cost-of-tenant', { tenant: 'research', range: 'month' }],
    ['Which jobs are running on H100?', 'running', { model: 'H100-80GB-HBM3' }],
    ['is there room for 4 3g.40gb?', 'profile-fits', { profile: '3g.40gb', count: '4' }],
    ['who holds node-a#0?', 'one-gpu', { gpu: 'GPU-node-a-0' }],
    ['which pods are on gpu 0 of node-a', 'one-gpu', { gpu: 'GPU-node-a-0' }],
    ['are the H100s busier than the A100s?', 'usage-by-model', {}],
    ['utilzation by namespace pls', 'usage-by-namespace', {}],
    ['any zombie pods holding a gpu since last week', 'idle-now', { range: 'last-week' }],
    ['who’s hogging cards and doing nothing with them', 'idle-now', {}],
    ['kill switch on or off?', 'may-act', {}],
    ['recomendations for lab', 'recommendations', { namespace: 'lab' }],
    ['could we drop a node entirly', 'recommend-remove-node', {}],
    ['waht do we spend on H100s', 'cost-of-model', { model: 'H100-80GB-HBM3' }],
    ['what does team lab cost', 'cost-of-namespace', { namespace: 'lab' }],
    ['whos responsible for train-7? want to ping them', 'who-owns', { workload: 'lab/Job/train-7' }],
    ['node-level ranking by gpu-hours', 'usage-by-node', {}],
    ['would train-7 be fine on a 2g.20gb', 'size-needed', { workload: 'lab/Job/train-7', profile: '2g.20gb' }],
    ['how many gpus r in use', 'gpus-in-use', {}],
    ['how many h100s are taken rn', 'gpus-in-use', { model: 'H100-80GB-HBM3' }],
    ['how many nodes are down', 'nodes-down', {}],
    ['any node not ready?', 'nodes-down', {}],
    ['how many jobs finished today', 'ended', { range: 'today' }],
    ['how many jobs ran last week in lab', 'ended', { range: 'last-week', namespace: 'lab' }],
    ['what if we remove node-a, would everything still fit?', 'what-if', { node: 'node-a' }],
    ['what happens if I add 2 more H100 nodes', 'what-if', { model: 'H100-80GB-HBM3', count: '2' }],
    ['how many gpus were free last week', 'mig-free', {}],
    ['how many 3g.40gb are free', 'profile-fits', { profile: '3g.40gb' }],
    ['can i run a 3g.40gb job now', 'profile-fits', { profile: '3g.40gb' }],
    ['why is node-a not used', 'node-health', { node: 'node-a' }],
    ['should I scale down node-a', 'recommend-remove-node', { node: 'node-a' }],
    ['should i use a 2g.20gb for train-7', 'size-needed', { workload: 'lab/Job/train-7', profile: '2g.20gb' }],
    [
      'can I get 2 H100 for a training run',
      'room-for-gpus',
      { model: 'H100-80GB-HBM3', count: '2', class: 'training' },
    ],
    ['hey, whats eating all our h100s rn', 'holds-most', { model: 'H100-80GB-HBM3' }],
    ['why are so many gpus idle', 'idle-most', {}],
    ['which jobs use less than 10% of their gpu', 'least-busy', {}],
    ['what share of gpu time went to training last week', 'distribution', { range: 'last-week', class: 'training' }],
    ['how long do jobs in lab wait', 'wait-average', { namespace: 'lab' }],
    ['run rate', 'forecast', {}],
    ['how busy were the GPUs yesterday', 'utilization', { range: '2026-11-22T00:00:00.000Z/2026-11-23T00:00:00.000Z' }],
    ['how busy were the gpus last week?', 'utilization', { range: 'last-week' }],
    ['How busy were the GPUs over the last hour?', 'utilization', { range: '1h' }],
    ['how busy was the cluster last month', 'utilization', { range: 'last-month' }],
    [
      'how busy was everything last night',
      'utilization',
      { range: '2026-11-22T18:00:00.000Z/2026-11-23T06:00:00.000Z' },
    ],
    ['how busy were the gpus', 'utilization', {}],
    ['how busy were the gpus that are allocated last week', 'busy-of-allocated', { range: 'last-week' }],
    ['how many h100s do we have', 'capacity', { model: 'H100-80GB-HBM3' }],
    ['why tf is train-7 pending', 'why-waits', { workload: 'lab/Job/train-7' }],
    ['any recs for train-7', 'recommend-for', { workload: 'lab/Job/train-7' }],
    ['is anything broken right now', 'health', {}],
    ['mem usage of train-7', 'size-needed', { workload: 'lab/Job/train-7' }],
    ['chargeback per dept since the 1st', 'cost-by-tenant', { range: 'month' }],
    [
      'team lab util past fortnight',
      'usage-of-namespace',
      { namespace: 'lab', range: '2026-11-09T12:00:00.000Z/2026-11-23T12:00:00.000Z' },
    ],
    ['How many GPUs does lab hold?', 'held-by-namespace', { namespace: 'lab' }],
    ['Which namespace wastes the most H100 time?', 'usage-by-namespace', { model: 'H100-80GB-HBM3' }],
    ['What is the problem with node node-a?', 'node-health', { node: 'node-a' }],
    ['Can I run a job with 16 H100s now?', 'room-for-gpus', { model: 'H100-80GB-HBM3', count: '16' }],
    ['What is the temperature of node-a?', 'node-readings', { node: 'node-a' }],
    ['How did utilization develop this week?', 'trend', { range: 'week' }],
    ['is the free mig space too fragmented for a 3g', 'mig-fragmentation', {}],
  ])('“%s” is of %s', async (question, family, slots) => {
    const { chosen } = await read(question)
    expect([chosen?.family.id, chosen?.slots]).toEqual([family, slots])
  })
})

describe('what is not understood is said', () => {
  test.each([
    'How busy is the frobnicator?',
    'What is the weather in Berlin?',
    'Who wrote Hamlet?',
    'How busy is node-z?',
    'What does namespace ghost cost?',
    'How busy are our GPUs compared to Amazon?',
    'What is the carbon footprint of our GPUs?',
    'What is the utilization of namespace lab and its budget?',
    'How many TPUs do we have?',
    'how much do we pay for S3',
    "translate 'the job is waiting' to spanish",
    'which wandb run had the best accuracy since monday',
    'when was node-a purchased',
    'what is the best movie of the year',
    'how much disk is left on node-a',
    'who is on call tonight',
    'why is fleet-wide-7 pending',
    'What does team dev cost?',
    'what does team platform cost',
    'how busy is namespace data',
    'eta for train-7 to finish training',
    'why did train-7 crash',
    'cpu usage by team',
    'which pods got evicted last night',
    'is slack down',
    'how old is node-a',
    'what is dcgm',
    'how does time slicing work',
    'could the small inference pods share one gpu',
    'asdf',
    '?',
  ])('“%s”', async (question) => {
    const answer = await ask(question)
    expect(answer.verdict).toBe('cannot')
    expect(answer.next).toHaveLength(3)
    expect(answer.next.every((next) => next.question !== null)).toBe(true)
  })

  test('of several sentences, one that is a question is answered with the names of all', async () => {
    const asked: string[] = []
    const recording: typeof someCluster = (key, input) => {
      asked.push(key)
      return someCluster(key, input)
    }
    const question = 'My boss is angry about this. Why is it pending? It is train-7.'
    // The cluster knows names alone: what is asked for the answer is enough.
    await answerByRules(
      { question, cluster: undefined, after: undefined },
      { ask: recording, now: NOW, id: 'x' },
    ).catch(() => undefined)
    expect(asked).toContain('workloadsGet')
  })

  test('with the nearest questions, and with those that are meant where a name is of several', async () => {
    expect(nearest({ words: ['idle', 'forecast'], slots: {} })).toHaveLength(3)
    const answer = await ask('Why is twin pending?')
    expect(answer.next.map(({ question }) => question)).toEqual(
      expect.arrayContaining(['Why is lab/Pod/twin pending?', 'Why is web/Pod/twin pending?']),
    )
  })
})

describe('what would change something is refused', () => {
  test.each([
    ['Delete the idle notebooks', '/dashboard/actions'],
    ['pls drain node-a', '/dashboard/actions'],
    ['please scale down chat', '/dashboard/actions'],
    ['Can you approve the plan?', '/dashboard/actions'],
    ['Show idle notebooks and delete them', '/dashboard/actions'],
    ['Silence all alerts', '/dashboard/alerts'],
    ['set the budget to 5', '/dashboard/settings/clusters'],
    ['turn the kill switch off', '/dashboard/settings/clusters'],
    ['book me an H100 on friday', '/dashboard/actions'],
  ])('“%s”', async (question, page) => {
    const answer = await ask(question)
    expect(answer.verdict).toBe('refused')
    expect(answer.citations).toEqual([])
    expect(answer.next[0]?.page).toBe(page)
  })
})

describe('a short question follows the one before', () => {
  test.each([
    ['and last week?', 'utilization', { range: '24h' }, 'utilization', { range: 'last-week' }],
    ['only H100', 'running', { namespace: 'lab' }, 'running', { namespace: 'lab', model: 'H100-80GB-HBM3' }],
    ['by team?', 'cost-by-namespace', { range: '7d' }, 'cost-by-tenant', { range: '7d' }],
    ['why?', 'waiting', { namespace: 'lab' }, 'wait-causes', {}],
    [
      'of those, how many are idle?',
      'held-by-namespace',
      { namespace: 'lab' },
      'idle-held-by-namespace',
      { namespace: 'lab' },
    ],
    ['and chat?', 'how-busy', { workload: 'lab/Job/train-7' }, 'how-busy', { workload: 'web/Deployment/chat' }],
  ])('“%s” after %s', async (...[question, family, slots, next, wanted]) => {
    const { chosen } = await read(question, { family, slots })
    expect([chosen?.family.id, chosen?.slots]).toEqual([next, wanted])
  })

  test('which has the name that this one leaves out', async () => {
    const { chosen } = await read('What does it cost?', { family: 'how-busy', slots: { workload: 'lab/Job/train-7' } })
    expect(chosen?.family.id).toBe('cost-total')
    const { chosen: start } = await read('When will it start?', {
      family: 'why-waits',
      slots: { workload: 'lab/Job/train-7' },
    })
    expect([start?.family.id, start?.slots]).toEqual(['would-start', { workload: 'lab/Job/train-7' }])
  })
})

describe('after a question that was not answered', () => {
  test.each([
    ['And how much did that cost last week?', '“that” refers to'],
    ['of those, how many are idle?', '“those” refers to'],
    ['Which of them are idle?', '“them” refers to'],
    ['How busy is it?', '“it” refers to'],
    ['What are its costs?', '“its” refers to'],
    ['and last week?', 'this one continues'],
    ['what about idle workloads?', 'this one continues'],
  ])('“%s” leans on it, and is not answered as if it were about something else', async (question, refers) => {
    const { verdict, sentences, next, intent } = await ask(question, null)
    expect(verdict).toBe('cannot')
    expect(sentences.map(({ text }) => text).join(' ')).toContain('I could not answer the previous question')
    expect(sentences.map(({ text }) => text).join(' ')).toContain(refers)
    expect(next).toHaveLength(3)
    expect(intent).toBeNull()
  })

  test.each([
    'Which GPUs are broken?',
    'who’s hogging cards and doing nothing with them',
    'And which GPUs are broken?',
    'Which GPUs are there that are broken?',
  ])('“%s” stands by itself', async (question) => {
    const { chosen } = await read(question, null)
    expect(chosen).toBeDefined()
  })

  test('as nothing was asked before, nothing is leaned on', async () => {
    const { chosen } = await read('How much did that cost last week?')
    expect(chosen).toBeDefined()
  })
})

test.each([
  ['past 7 days', '7d'],
  ['last week', 'last-week'],
  ['today', 'today'],
  ['over the last 24 hours', '24h'],
  ['yesterday', '2026-11-22T00:00:00.000Z/2026-11-23T00:00:00.000Z'],
  ['the day before yesterday', '2026-11-21T00:00:00.000Z/2026-11-22T00:00:00.000Z'],
  ['since Monday', '2026-11-23T00:00:00.000Z/2026-11-23T12:00:00.000Z'],
  ['since Friday', '2026-11-20T00:00:00.000Z/2026-11-23T12:00:00.000Z'],
  ['in October', '2026-10-01T00:00:00.000Z/2026-11-01T00:00:00.000Z'],
  ['in December', '2025-12-01T00:00:00.000Z/2026-01-01T00:00:00.000Z'],
  ['past 3 days', '2026-11-20T12:00:00.000Z/2026-11-23T12:00:00.000Z'],
  ['from 2026-11-01 to 2026-11-08', '2026-11-01T00:00:00.000Z/2026-11-08T00:00:00.000Z'],
  ['past fortnight', '2026-11-09T12:00:00.000Z/2026-11-23T12:00:00.000Z'],
  ['last couple of days', '2026-11-21T12:00:00.000Z/2026-11-23T12:00:00.000Z'],
  ['last 30 minutes', '2026-11-23T11:30:00.000Z/2026-11-23T12:00:00.000Z'],
  ['since tues', '2026-11-17T00:00:00.000Z/2026-11-23T12:00:00.000Z'],
  ['since 9am', '2026-11-23T09:00:00.000Z/2026-11-23T12:00:00.000Z'],
  ['since 12 am', '2026-11-23T00:00:00.000Z/2026-11-23T12:00:00.000Z'],
  ['since nov 3rd', '2026-11-03T00:00:00.000Z/2026-11-23T12:00:00.000Z'],
  ['over the weekend', '2026-11-21T00:00:00.000Z/2026-11-23T00:00:00.000Z'],
  ['next weekend', undefined],
  ['qtd', '2026-10-01T00:00:00.000Z/2026-11-23T12:00:00.000Z'],
  ['last quarter', '2026-07-01T00:00:00.000Z/2026-10-01T00:00:00.000Z'],
  ['in Q4', '2026-10-01T00:00:00.000Z/2026-11-23T12:00:00.000Z'],
  ['ytd', '2026-01-01T00:00:00.000Z/2026-11-23T12:00:00.000Z'],
  ['week to date', 'week'],
  ['may Septet act', undefined],
])('“%s” is the range %s', (text, range) => {
  expect(timeIn(simplified(text), NOW).range).toBe(range)
})
