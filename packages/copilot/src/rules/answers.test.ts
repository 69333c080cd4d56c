import { Refusal, type CopilotAnswer, type OperationKey } from '@septet/contract'
import type { Ask } from '@septet/tools'
import { describe, expect, test } from 'vitest'

import { answerByRules } from './answer-by-rules.ts'
import { someCluster } from './some-cluster.fake.ts'

const AT = '2026-11-23T12:00:00Z'
type Answers = Partial<Record<OperationKey, (input: never) => unknown>>

/** Answers with what a cluster says, and with the names of `someCluster` where nothing is said. */
const tell = async (question: string, answers: Answers, after?: CopilotAnswer['intent']) => {
  const ask: Ask = async (key, input) => {
    const names = await someCluster(key, input)
    return { ...(names as object | undefined), ...((await answers[key]?.(input as never)) as object) } as never
  }
  const answer = await answerByRules({ question, cluster: undefined, after }, { ask, now: Date.parse(AT), id: 'x' })
  return { ...answer, text: answer.sentences.map(({ text }) => text).join(' ') }
}

const block = (kind: string, profile: string | null = null) => ({ kind, profile, start: 0, size: 1 })
const gpu = (mode: string, blocks: readonly object[], more = {}) => ({
  id: `${mode}-0`,
  index: 0,
  model: 'H100-80GB-HBM3',
  mode,
  blocks,
  fault: null,
  ...more,
})
const node = (name: string, gpus: readonly object[], more = {}) => ({
  node: name,
  model: 'H100-80GB-HBM3',
  ready: true,
  schedulable: true,
  total: gpus.length,
  used: 0,
  available: gpus.length,
  problems: [],
  gpus,
  ...more,
})
const listed = (nodes: readonly object[]) => ({ partitionsList: () => ({ asOf: AT, total: nodes.length, nodes }) })

describe('what is free', () => {
  const mig = gpu('mig', [
    block('free', '1g.10gb'),
    block('free', '2g.20gb'),
    block('free', '1g.10gb'),
    block('busy', '1g.10gb'),
  ])

  test('is told of whole GPUs and of MIG instances, each with evidence', async () => {
    const { verdict, text, sentences } = await tell(
      'How many H100s are free right now?',
      listed([node('node-a', [mig])]),
    )
    expect([verdict, text]).toEqual([
      'answered',
      'As of 2026-11-23 12:00 UTC, 0 whole H100s are free. 3 MIG instances are: 1 × 2g.20gb, 2 × 1g.10gb. They are on “node-a”.',
    ])
    expect(sentences.every(({ cites }) => cites.length > 0)).toBe(true)
  })

  test('counts neither other boards nor what is broken or on a node that is not ready', async () => {
    const nodes = [
      node('node-a', [gpu('whole', [block('free')]), gpu('whole', [block('free')], { model: 'A100-SXM4-80GB' })]),
      node('node-b', [gpu('whole', [block('free')], { fault: { message: 'XID 79' } })]),
      node('node-c', [gpu('whole', [block('free')])], { ready: false }),
    ]
    expect((await tell('How many H100s are free?', listed(nodes))).text).toContain(
      '1 whole H100 is free. No MIG instance is.',
    )
  })

  test('is unknown while the cluster was not read', async () => {
    const unread = { asOf: null, total: 0, nodes: [], facets: { models: [], pools: [], states: [] } }
    const { verdict, text } = await tell('Which GPUs are free?', { partitionsList: () => unread })
    expect([verdict, text]).toEqual(['cannot', 'What is free is unknown: the cluster has not been read yet.'])
  })
})

const refused = () => Promise.reject(new Refusal('not-allowed', 'Only admins.', 'Ask one.'))

describe('without tenant rules', () => {
  const hours = { used: 1, idleHeld: 2, oversized: 0, capacity: 3, unmeasured: 0 }
  const costBreakdown = ({ by }: { by: string }) => ({
    asOf: AT,
    observedSeconds: 3600,
    notes: [],
    total: { gpuHours: hours, usd: hours },
    groups: [
      {
        id: 'a',
        key: by === 'tenant' ? '' : 'lab',
        kind: by === 'tenant' ? 'none' : 'named',
        gpuHours: hours,
        usd: hours,
      },
    ],
  })

  test.each([
    ['Which team spent the most this week?', 'so no cost is assigned to a team', '“lab” cost the most'],
    ['Which team wastes most?', 'so no GPU time is assigned to a team', '“lab” left the most GPU time idle'],
  ])('“%s” is answered by namespace, and says why', async (question, why, first) => {
    const { verdict, text, sentences } = await tell(question, { costBreakdown, tenantsGet: () => ({ tenants: [] }) })
    expect(verdict).toBe('answered')
    expect(text).toContain(`No tenant rules are set up, ${why} (Settings → Tenants). By namespace:`)
    expect(text).toContain(first)
    expect(sentences.every(({ cites }) => cites.length > 0)).toBe(true)
  })

  test('whoever may not see the rules is told that none matches', async () => {
    const { text } = await tell('Which team spent the most this week?', { costBreakdown, tenantsGet: refused })
    expect(text).toContain('No tenant rule matches this work, so no cost is assigned')
  })
})

const row = (id: string, holds: object | null, busy: number | null = 0.5) => ({ id, holds, busy: { value: busy } })
const alertsList = () => ({
  firing: [
    { object: 'node/node-a', message: 'Node down.' },
    { object: 'node/node-b', message: 'Another.' },
  ],
})

const group = (key: string, idle: number) => ({
  id: `named:${key}`,
  key,
  kind: 'named',
  gpuHours: { used: 1, idleHeld: idle, oversized: 0 },
})

const costOnModel = ({ within }: { within?: string }) => ({
  asOf: AT,
  observedSeconds: 3600,
  notes: [],
  total: {},
  groups:
    within === undefined
      ? [group('H100-80GB-HBM3', 9)]
      : [group('lab/Job/a', 2), group('web/Pod/b', 4), group('lab/Job/c', 3)],
})

const usd = (value: number | null, because: string | null = null, unit = 'USD') => ({
  value,
  unit,
  because,
  explain: { formula: 'idle-held + unallocated' },
})
const spent = (parts: object = {}) => ({
  summaryGet: () => ({
    asOf: AT,
    notes: [],
    savings: { waste: usd(60_833, null, 'USD/mo') },
    cost: {
      capacity: usd(3500),
      used: usd(1500),
      idleHeld: usd(900),
      unallocated: usd(1100),
      hours: { capacity: 960, used: 400 },
      ...parts,
    },
  }),
})
const UNPRICED = 'No price is known for these GPUs.'

const job = (id: string, idle: number) => ({
  id,
  gpu: '1 × H100',
  duration: 7200,
  holds: { gpus: 2, idle, parts: [{ shape: 'whole', model: 'H100-80GB-HBM3', count: 2 }] },
  busy: usd(0.5, null, 'ratio'),
  cost: usd(9),
  idleCost: usd(idle),
})
const jobs = (...workloads: readonly object[]) => ({
  workloadsList: () => ({ asOf: AT, total: workloads.length, workloads }),
})

const ended = ({ status }: { status: string }) => ({ asOf: AT, total: status === 'ended' ? 3 : 2, workloads: [] })

describe('how many', () => {
  test.each([
    ['how many jobs are waiting?', '2 workloads are waiting. “lab/Job/a” has been waiting longest: 2 h.'],
    ['how many pods are waiting in lab', '2 workloads are waiting. “lab/Job/a”'],
    ['How many workloads are running?', '2 workloads are running. “lab/Job/a” holds the most: 2 GPUs.'],
    [
      'how many gpus are idle',
      '2 workloads hold 3 GPUs idle. “lab/Job/a” has the costliest idle time: it holds 2 GPUs',
    ],
  ])('“%s” begins with the number, as of now', async (question, says) => {
    const { text } = await tell(question, jobs(job('lab/Job/a', 2), job('lab/Job/b', 1)))
    expect(text).toContain(says)
    expect(text).toMatch(/^As of 2026-11-23 12:00 UTC(?: in namespace “lab”)?, 2 workloads/u)
  })

  test('GPUs are in use, wholly and in part, and how many are not', async () => {
    const nodes = [
      node('node-a', [gpu('whole', [block('busy')]), gpu('mig', [block('idle', '3g.40gb'), block('free', '3g.40gb')])]),
      node('node-b', [gpu('whole', [block('free')]), gpu('whole', [block('unknown')], { model: 'A100-SXM4-80GB' })]),
    ]
    expect((await tell('how many gpus are in use', listed(nodes))).text).toContain(
      '3 of 4 GPUs are in use: 2 wholly, 1 in part. No workload holds the other 1.',
    )
    expect((await tell('how many H100 are in use', listed(nodes))).text).toContain(
      '2 of 3 H100-80GB-HBM3 GPUs are in use',
    )
  })

  test('nodes are down or cordoned, by name', async () => {
    const nodes = [node('node-a', []), node('node-b', [], { ready: false }), node('node-c', [], { schedulable: false })]
    expect((await tell('how many nodes are down?', listed(nodes))).text).toContain(
      '1 of 3 GPU nodes is not ready (“node-b”); 1 more is cordoned (“node-c”).',
    )
  })

  test('workloads ended in a window, and how many run now', async () => {
    expect((await tell('how many jobs ran yesterday?', { workloadsList: ended })).text).toMatch(
      /^From 2026-11-22 .*, 3 workloads that held GPUs have ended\. 2 workloads are running now\.$/u,
    )
  })

  test('of a model wait is not known, as work that waits names none', async () => {
    const { text } = await tell('How many workloads are waiting for an H100?', jobs(job('lab/Job/a', 2)))
    expect(text).toContain('1 workload is waiting.')
    expect(text).toContain('Which of them need “H100-80GB-HBM3” is unknown')
  })
})

const fleetBroken = () => ({ asOf: AT, gpus: [] })
const budgetsList = () => ({ asOf: AT, budgets: [] })

describe('what is known as of now alone', () => {
  test.each([
    [
      'which gpus were broken last week',
      { fleetBroken },
      'I know this only as of now, not last week. As of 2026-11-23',
    ],
    ['How many jobs are running in lab yesterday?', jobs(job('lab/Job/a', 0)), 'not from 2026-11-22 00:00 UTC to 2026'],
  ])('“%s” is not answered as if it had been so then', async (question, answers, says) => {
    const { text, sentences } = await tell(question, answers)
    expect(text).toContain(says)
    expect(sentences.every(({ cites }) => cites.length > 0)).toBe(true)
  })

  test('a budget is of this month', async () => {
    expect((await tell('are we over budget this month?', { budgetsList })).text).toMatch(/^As of/u)
    expect((await tell('were we over budget last month?', { budgetsList })).text).toContain('not last month. As of')
  })

  test('is told of today without more words', async () => {
    expect((await tell('which gpus are broken today', { fleetBroken })).text).toMatch(/^As of/u)
  })
})

describe('two times', () => {
  test.each([
    ['how much did we waste this week vs last week', 'This week', 'Last week'],
    ['waste last week compared to this week?', 'Last week', 'This week'],
    ['how much did we waste yesterday vs the day before', 'From 2026-11-22 00:00', 'From 2026-11-21 00:00'],
    ['what did we waste last week and the week before', 'Last week', 'From 2026-11-09 00:00 UTC to 2026-11-16 00:00'],
  ])('“%s” is told of both, in its order', async (question, first, second) => {
    const { sentences } = await tell(question, spent())
    const windows = sentences.map(({ text }) => text).filter((text) => text.includes('was wasted'))
    expect(windows).toEqual([expect.stringContaining(first), expect.stringContaining(second)])
  })
})

describe('what is wasted', () => {
  test('in a window is told of that window, and then what that is a month', async () => {
    const { text, sentences } = await tell('How much did we waste in the last 24 hours?', spent())
    expect(text).toBe(
      'Over the past 24 hours (as of 2026-11-23 12:00 UTC), at most $2,000 was wasted, in 560 GPU-h. That is everything except GPU time in use: an upper bound, not a promise. At this rate, it comes to $60.8K/mo. Formula: idle-held + unallocated.',
    )
    expect(sentences.every(({ cites }) => cites.length > 0)).toBe(true)
  })

  test('a month comes first where no window is named', async () => {
    const { text } = await tell('How much do we waste?', spent())
    expect(text).toContain('(as of 2026-11-23 12:00 UTC), waste comes to at most $60.8K/mo.')
  })

  test('without prices is told in GPU-hours, and unknown where nothing was seen', async () => {
    const unpriced = { capacity: usd(null, UNPRICED), used: usd(null, UNPRICED), idleHeld: usd(null, UNPRICED) }
    const { text } = await tell('What was wasted yesterday?', spent(unpriced))
    expect(text).toContain(
      'at most 560 GPU-h were wasted. What they cost: not measured (No price is known for these GPUs).',
    )
    const hours = { capacity: 9, used: 9, unallocated: null }
    const blind = await tell(
      'What was wasted yesterday?',
      spent({ hours, idleHeld: usd(null, 'Nothing was measured.') }),
    )
    expect([blind.verdict, blind.text]).toEqual([
      'cannot',
      expect.stringContaining('is unknown: Nothing was measured.'),
    ])
    const unseen = { ...unpriced, hours: { capacity: 0, used: 0 } }
    const none = await tell('What was wasted yesterday?', spent(unseen))
    expect([none.verdict, none.text]).toEqual([
      'cannot',
      'From 2026-11-22 00:00 UTC to 2026-11-23 00:00 UTC (as of 2026-11-23 12:00 UTC), what was wasted is unknown: No price is known for these GPUs.',
    ])
  })
})

describe('of one namespace, node or job', () => {
  const held = {
    workloadsList: ({ namespace }: { namespace?: string }) => ({
      asOf: AT,
      total: 2,
      workloads:
        namespace === 'lab'
          ? [row('lab/Job/a', { gpus: 4, idle: 1 }), row('lab/Job/b', { gpus: 2, idle: 0 }, null)]
          : [],
    }),
  }

  test('what a namespace holds, and then how many of those are idle', async () => {
    const first = await tell('How many GPUs does lab hold?', held)
    expect(first.text).toBe(
      'As of 2026-11-23 12:00 UTC, namespace “lab” holds 6 GPUs in 2 workloads; of these, 1 GPU is idle now. Whether 1 workload of them is idle was not measured.',
    )
    const then = await tell('of those, how many are idle?', held, first.intent)
    expect([then.intent?.family, then.text]).toEqual(['idle-held-by-namespace', first.text])
  })

  test('who left GPUs of one board idle, from the workloads on it', async () => {
    const { text } = await tell('Which namespace wastes the most H100 time?', { costBreakdown: costOnModel })
    expect(text).toContain('“lab” left the most GPU time idle: 5.0 of 7.0 GPU-hours it held.')
  })

  test('what is wrong with a node: its own problems, its GPUs and its alerts', async () => {
    const nodes = [node('node-a', [gpu('whole', [block('free')], { fault: { message: 'XID 79.' } })], { ready: false })]
    const { text } = await tell('What is the problem with node node-a?', { ...listed(nodes), alertsList })
    expect(text).toBe(
      'As of 2026-11-23 12:00 UTC, node “node-a” has 2 known problems. It is not ready. GPU 0: XID 79. 1 alert about it: Node down.',
    )
  })

  test('whether so many whole GPUs are free, and who checks the rest', async () => {
    const free = gpu('whole', [block('free')])
    const nodes = listed([node('node-a', [free, free]), node('node-b', [free])])
    const none = await tell('Can I run a job with 16 H100s now?', nodes)
    expect(none.text).toContain('there is no room for 16 whole H100s. 3 whole H100s are free.')
    expect(none.text).toContain('“Will it start?” on the Workloads screen')
    const some = await tell('Can I run a job with 3 H100s now?', nodes)
    expect(some.text).toContain('there is room for 3 whole H100s, at most 2 on one node. 3 whole H100s are free.')
  })

  test('the readings of the GPUs of a node, unknown ones as such', async () => {
    const known = { value: 61, unit: '°C', because: null }
    const unknown = { value: null, unit: 'W', because: 'No telemetry.' }
    const reading = new Proxy({}, { get: (_, field) => (field === 'temperature' ? known : unknown) })
    const fleetGpu = () => ({ asOf: AT, gpu: { index: 0, id: 'whole-0' }, reading })
    const answers = { ...listed([node('node-a', [gpu('whole', [block('free')])])]), fleetGpu }
    const { text, verdict } = await tell('What is the temperature of node-a?', answers)
    expect(verdict).toBe('answered')
    expect(text).toContain('61 °C')
    expect(text).toContain('not measured (No telemetry)')
  })
})
