import { answerFixed } from '@septet/copilot'
import { OPERATIONS, type OperationKey, type Says } from '@septet/contract'
import { citedAt } from '@septet/contract/says'
import { TOOLS } from '@septet/tools'
import { describe, expect, test } from 'vitest'

import { sampleAnswer } from '../sample/sample-answer.fixture.ts'
import { withSays } from './saying.ts'

const AT = '2026-11-23T12:00:00Z'

/** The sentences that are made of some figures. */
function told(key: OperationKey, input: object, figures: object): string {
  const asked = OPERATIONS[key].input.parse(input) as never
  const { says } = withSays(key, { asOf: AT, ...figures } as never, asked) as unknown as { says: Says }
  return says.map(({ text }) => text).join(' ')
}

const block = (kind: string, profile: string | null = null) => ({ kind, profile, start: 0, size: 1 })
const gpu = (mode: string, blocks: readonly object[], more = {}) => ({ mode, blocks, fault: null, ...more })
const node = (name: string, gpus: readonly object[], more = {}) => ({ node: name, ready: true, gpus, ...more })
const ALL_FREE = { mig: 'false', state: 'free' }
const free = (nodes: readonly object[], input: object = ALL_FREE, total = nodes.length) =>
  told('partitionsList', input, { total, nodes, facets: { models: [{ name: 'H100-80GB-HBM3' }] } })

describe('what is free', () => {
  const mig = gpu('mig', [
    block('free', '1g.10gb'),
    block('free', '2g.20gb'),
    block('free', '1g.10gb'),
    block('busy', '1g.10gb'),
  ])

  test('is told of whole GPUs and of MIG instances', () => {
    expect(free([node('node-a', [mig])])).toBe(
      '0 whole GPUs are free. 3 MIG instances are: 1 × 2g.20gb, 2 × 1g.10gb. They are on “node-a”.',
    )
  })

  test('counts neither what is broken nor what is on a node that is not ready', () => {
    const nodes = [
      node('node-a', [gpu('whole', [block('free')])]),
      node('node-b', [gpu('whole', [block('free')], { fault: { message: 'XID 79' } })]),
      node('node-c', [gpu('whole', [block('free')])], { ready: false }),
    ]
    expect(free(nodes)).toContain('1 whole GPU is free. No MIG instance is.')
  })

  test('is a floor where only some of the nodes are told', () => {
    expect(free([node('node-a', [mig])], ALL_FREE, 9)).toMatch(/^At least 0 whole GPUs are free\. At least 3 MIG/u)
  })

  test('is told of MIG alone where nodes without MIG were not asked for, and of no others than match', () => {
    expect(free([node('node-a', [mig])], { model: 'H100' })).toBe(
      'On the nodes that match, free MIG instances: 1 × 2g.20gb, 2 × 1g.10gb.',
    )
  })

  test('is unknown while the cluster was not read', () => {
    const unread = { asOf: null, total: 0, nodes: [], facets: { models: [] } }
    expect(told('partitionsList', ALL_FREE, unread)).toBe('What is free is unknown: the cluster has not been read yet.')
  })
})

const figure = (value: number | null, unit: string, because: string | null = null) => ({ value, unit, because })
const job = (id: string, idle: number | null, idleCost: number | null = idle) => ({
  id,
  duration: 7200,
  holds: { gpus: 2, idle: idle ?? 0 },
  busy: figure(0.5, 'ratio'),
  idleCost: figure(idleCost, 'USD', 'No telemetry.'),
})
const counts = { running: 2, queued: 1, ended: 0, idle: 2 }
const jobs = (input: object, ...workloads: readonly object[]) =>
  told('workloadsList', input, { total: workloads.length, counts, workloads })

const room = (change: object) =>
  told(
    'partitionsRoom',
    { profile: '3g.40gb' },
    { profile: '3g.40gb', count: 4, now: 0, recut: 0, blockedGpus: 0, refusals: [], ...change },
  )

describe('whether they fit', () => {
  test.each([
    [{ verdict: 'now', now: 4 }, '4 × 3g.40gb fits now, with no changes.'],
    [{ verdict: 'now', now: 1, count: 1 }, 'One 3g.40gb fits now, with no changes.'],
    [{ verdict: 'recut', recut: 4 }, '4 × 3g.40gb fits after repartitioning free capacity. No pod is displaced.'],
    [
      { verdict: 'recut', now: 1, recut: 3 },
      '4 × 3g.40gb fits after repartitioning free capacity: 1 of them now, the rest after that. No pod is displaced.',
    ],
    [
      { verdict: 'displacing', now: 1, recut: 2, blockedGpus: 1 },
      '4 × 3g.40gb does not fit without moving workloads: there is room for 3, and 1 more needs workloads to move. 1 GPU could fit one then.',
    ],
    [
      { verdict: 'displacing', count: 1200, blockedGpus: 2400 },
      '1,200 × 3g.40gb does not fit without moving workloads: there is room for 0, and 1,200 more need workloads to move. 2,400 GPUs could fit one then.',
    ],
    [
      { verdict: 'never', now: 2 },
      '4 × 3g.40gb does not fit: there is room for 2, and no other GPU could ever fit one.',
    ],
  ] as const)('%j', (change, words) => expect(room(change).startsWith(`${words} There is room for `)).toBe(true))
})

describe('lists of workloads', () => {
  const IDLE = { status: 'running', sort: 'idleCost', idle: 'true' }
  const WASTE = { status: 'running', sort: 'idleCost' }
  const WAITS = { status: 'queued', sort: 'duration' }
  const COUNTS = '2 workloads run and 1 waits; 2 hold something idle now.'

  test('what idles is counted, as of now', () => {
    expect(jobs(IDLE, job('lab/Job/a', 2), job('lab/Job/b', 1))).toBe(
      `2 workloads hold 3 GPUs idle. “lab/Job/a” has the costliest idle time: it holds 2 GPUs idle. ${COUNTS}`,
    )
  })

  test('who idles most is unknown, and not the first, where it was not measured', () => {
    expect(jobs(WASTE, job('lab/Job/a', null))).toBe(
      `Over the past 24 hours, who idles most: unknown. No telemetry. ${COUNTS}`,
    )
  })

  test('the longest wait, and that nothing waits', () => {
    expect(jobs(WAITS, job('lab/Job/a', 0))).toBe(`“lab/Job/a” has been waiting longest: 2 h. ${COUNTS}`)
    expect(jobs(WAITS)).toMatch(/^Nothing waits\./u)
  })

  test('of a filter no more is said than of those that match, and of a later page nothing is first', () => {
    expect(jobs({ ...WASTE, namespace: 'lab' }, job('lab/Job/a', 2))).toBe(
      `Over the past 24 hours, of those that match, “lab/Job/a” wasted the most while holding idle GPUs: $2.00. 1 workload matches. ${COUNTS}`,
    )
    expect(jobs({ ...WASTE, offset: 20 }, job('lab/Job/a', 2))).toBe(COUNTS)
    expect(jobs({ ...WAITS, search: 'x' })).toMatch(/^No workload matches\./u)
  })
})

const stranded = (fleet: object, kind = 'cluster') =>
  told(
    'partitionsEfficiency',
    {},
    { source: { kind }, fleet: { structural: 0, byPlacement: 0, gpus: 4, strandedMemory: null, ...fleet } },
  )

test('stranded capacity is told by why, and to nobody who sees no whole cluster', () => {
  expect(stranded({ structural: 2, byPlacement: 1, strandedMemory: { slices: 1, gpus: 1 } })).toBe(
    '3 compute slices of 4 GPUs in MIG mode are stranded: 2 by construction (only other profiles fix that) and 1 by placement (moving the instances fixes that). In memory, 1 memory slice on 1 GPU is stranded and dotted on the bars and on the fleet map. Cost is by compute slice and does not include it.',
  )
  expect(stranded({ structural: null, byPlacement: null })).toMatch(/^Stranded slices are counted over whole GPUs/u)
  expect(stranded({})).toBe('No compute slice is stranded: every free slice fits some profile.')
  expect(stranded({ gpus: 0 })).toBe('No GPU is partitioned, so no slice is stranded.')
  expect(stranded({}, 'sample')).toMatch(/^Sample data has no layouts\./u)
})

const group = (key: string, capacity: number, usd: number | null) => ({
  key,
  kind: 'named',
  gpuHours: { capacity, used: capacity, idleHeld: 0, oversized: 0 },
  usd: usd === null ? null : { capacity: usd },
  busy: 0.5,
  coverage: 1,
})
const cost = (...groups: readonly object[]) =>
  told(
    'costBreakdown',
    {},
    {
      groups,
      total: { usd: { capacity: 12 }, busy: 0.412, coverage: 0.96 },
      notes: ['Not over yet.'],
      observedSeconds: 60,
    },
  )

describe('money', () => {
  test('is told of the costliest group, of all, and with what is missing', () => {
    expect(cost(group('lab', 1, 2), group('web', 2, 10))).toBe(
      'Over the past 24 hours, “web” cost the most of 2 namespaces: $10.00. Total: $12.00. Total, busy share of the GPU time that was held: 41.2% (96.0% measured). By namespace: “web” 50.0%, “lab” 50.0%. Not over yet.',
    )
  })

  test('is told with how busy those were that held the most, and that one was not measured', () => {
    const held = [7, 6, 5, 4, 3, 2].map((hours) => ({
      ...group(`team-${hours}`, hours, 1),
      ...(hours === 5 ? { busy: null, coverage: 0 } : { busy: hours / 10 }),
    }))
    const nobody = { ...group('', 90, 1), kind: 'free', busy: null, coverage: null }
    expect(cost(nobody, ...held.toReversed())).toContain(
      'By namespace, the 5 of 6 that held the most: “team-7” 70.0%, “team-6” 60.0%, “team-5” not measured, “team-4” 40.0%, “team-3” 30.0%.',
    )
  })

  test('without a price it is said who held most, and nothing of cost', () => {
    expect(cost(group('lab', 9, null))).toContain('“lab” held the most of 1 namespace: 9.0 GPU-h. No price is known.')
  })

  test('a month that nobody can forecast says why; what was not observed is said', () => {
    const forecast = { kind: 'unknown', because: 'Two days are too few.' }
    const outlook = { month: '2026-11', spent: null, unknownDays: 2, forecast }
    expect(told('budgetsList', {}, { outlook, budgets: [] })).toBe(
      'No forecast for November 2026: Two days are too few. 2 days of this month were not fully observed: the missing hours are not in the amount spent. What was spent in November 2026 is unknown.',
    )
  })

  test('a forecast that every past day matched names no interval; any other says between which amounts and how', () => {
    const exact = { kind: 'known', usd: 1240, low: 1240, high: 1240, days: 42, method: 'weekday' }
    const month = { month: '2027-01', spent: 600, unknownDays: 1 }
    expect(told('budgetsList', {}, { outlook: { ...month, forecast: exact }, budgets: [] })).toBe(
      'January 2027 is expected to come to $1,240: the forecast matched the cost on each of the past 42 days. 1 day of this month was not fully observed: the missing hours are not in the amount spent, but are estimated in the forecast. $600 has been spent in January 2027.',
    )
    const wide = { ...exact, low: 1100, high: 1400, method: 'mean' }
    const budget = {
      ...month,
      id: 'lab',
      unknownDays: 0,
      forecast: wide,
      usedUp: { date: '2027-01-20', isOver: false },
    }
    expect(told('budgetsList', {}, { outlook: { ...month, forecast: wide }, budgets: [budget] })).toMatch(
      /Budget lab will at this pace be used up on 2027-01-20\. Budget lab is expected to come to \$1,240 \(80% chance of \$1,100 to \$1,400\), based on 42 days \(daily mean\)\.$/u,
    )
  })

  test('what was measured and what was estimated are two sentences, the bill and the capacity apart', () => {
    const usd = { value: 268, low: 240, high: 280 }
    const realized = { runs: 3, gpuHours: { value: 134 }, usd, promised: { gpuHours: 150, usd: 300 }, unknownHours: 2 }
    const estimated = { runs: 2, gpuHoursPerMonth: 400, usdPerMonth: 584 }
    expect(
      told(
        'savingsList',
        {},
        { ledger: { billReduced: { realized, estimated }, capacityFreed: { realized: null, estimated: null } } },
      ),
    ).toBe(
      'Saved on the bill: $268 ($240 to $280) measured over 3 actions, estimated $300 for the same hours, 2 hours unknown. 2 more actions are estimated at $584/mo. Capacity freed: nothing verified yet.',
    )
  })
})

const HOURS = {
  capacity: 1000,
  used: 700,
  unmeasured: 0,
  idleHeld: 100,
  unallocated: 150,
  stranded: 20,
  oversized: 20,
  broken: 10,
}
type Given = {
  readonly hours?: object | null
  readonly usd?: number | null
  readonly busy?: number | null
  readonly more?: object
}

/** The first sentences of a summary: how the fleet is doing. */
const line = (given: Given): string =>
  told('summaryGet', {}, figuresOf(given))
    .replace('All well. ', '')
    .replace(/ Over the past 24 hours, (?:how busy )?GPUs were.*/u, '')

function figuresOf({ hours = {}, usd = 4, busy = 0.357, more = {} }: Given): object {
  const parts: Record<string, number | null> = { ...HOURS, ...hours }
  const money = Object.fromEntries(
    Object.entries(parts).map(([key, part]) => [
      key,
      { ...figure(part === null || usd === null ? null : part * usd, 'USD'), explain: { formula: 'f' } },
    ]),
  )
  return {
    source: { kind: 'demo' },
    status: { headline: 'All well.', problems: [] },
    capacity: { gpus: 204 },
    utilization: {
      busy: figure(busy, 'ratio'),
      allocated: figure(null, 'ratio'),
      busyOfAllocated: figure(null, 'ratio'),
      target: 0.8,
    },
    workloads: { queued: 0 },
    cost: { ...money, hours: hours === null ? null : parts },
    notes: [],
    ...more,
  }
}

const NOBODYS = { unallocated: null, stranded: null, broken: null }

describe('how a fleet is doing', () => {
  test('is how busy it is, what was wasted, and who waits', () =>
    expect(line({ more: { workloads: { queued: 25 } } })).toBe(
      '204 GPUs, 36% busy. 30% of GPU spend was wasted over the past 24 hours: $1,200 of $4,000. 25 workloads waiting.',
    ))

  test('ends with where the window is partial', () => {
    const notes = ['3 GPU-h were not observed.', 'GPUs worked 2 GPU-h that no pod requested.']
    expect(told('summaryGet', {}, figuresOf({ more: { notes } })).endsWith(notes.join(' '))).toBe(true)
  })

  test.each([
    [
      'as a floor with unmeasured time, which counts as used',
      { hours: { unmeasured: 50 } },
      'At least 30% of GPU spend was wasted',
    ],
    [
      'in hours where nothing has a price',
      { usd: null },
      '30% of GPU time was wasted over the past 24 hours: 300 GPU-h of 1,000 GPU-h.',
    ],
    [
      'where nothing was wasted',
      { hours: { used: 1000, idleHeld: 0, oversized: 0, unallocated: 0, stranded: 0, broken: 0 } },
      'No waste was measured in $4,000 of GPU spend over the past 24 hours.',
    ],
    [
      'as a lower bound where nothing that was held was measured',
      { hours: { used: 820, unmeasured: 820, idleHeld: 0, oversized: 0 } },
      'At least 18% of GPU spend was wasted over the past 24 hours: $720 of $4,000.',
    ],
    [
      'as not measured where it cannot be told',
      { hours: { capacity: 600, used: 600, unmeasured: 600, idleHeld: 0, oversized: 0, ...NOBODYS } },
      '$2,400 of GPU spend over the past 24 hours; how much was idle is not measured.',
    ],
    [
      'of the namespaces that somebody sees',
      { hours: { ...NOBODYS, capacity: 820 } },
      'of the GPU spend of these namespaces was wasted',
    ],
    ['where nothing was recorded', { hours: { capacity: 0 } }, 'No GPU time was recorded over the past 24 hours.'],
  ])('says what was wasted %s', (_, given, words) => expect(line(given)).toContain(words))

  test('never calls unmeasured utilization 0%, and of namespaces is what these hold', () => {
    expect(line({ busy: null })).toContain('204 GPUs, utilization not measured.')
    expect(line({ hours: NOBODYS })).toMatch(/^Your namespaces hold 204 GPUs, 36% busy\./u)
  })

  test('of sample data has shares and no fleet', () => {
    const busy = { value: 0.873, unit: 'ratio', quality: 'sample' }
    const sample = {
      source: { kind: 'sample' },
      utilization: { busy, allocated: figure(null, 'ratio'), busyOfAllocated: figure(null, 'ratio'), target: 0.8 },
    }
    expect(line({ hours: null, more: sample })).toBe('87.3% busy.')
  })
})

const SAYING = Object.entries(OPERATIONS).flatMap(([key, { output }]) =>
  'says' in ((output as { shape?: object }).shape ?? {}) ? [key as OperationKey] : [],
)

describe('of the sample cluster', () => {
  // The last is about Septet itself, and of no cluster.
  const refused = new Set(['workloadsGet', 'partitionsRoom', 'statusGet'])
  const answers = SAYING.filter((key) => !refused.has(key)).map((key) => ({
    key,
    answer: sampleAnswer(key, {}),
  }))

  test.each(answers)('$key says something, and each sentence cites places that its answer has', async ({ answer }) => {
    const { says, ...figures } = (await answer) as unknown as { says: Says }
    expect(says.length).toBeGreaterThan(0)
    for (const { text, cites } of says) {
      const known = cites.every(({ ref }) => citedAt(figures, ref) !== undefined)
      expect([text, known || /unknown|not measured|No forecast/u.test(text)]).toEqual([text, true])
    }
  })
})

type Telling = [key: OperationKey, input: object, tool: string, given: object, question: string | undefined]

/** One answer: the operation, the tool and the fixed question that tell it. */
const TELLINGS: Telling[] = [
  ['summaryGet', {}, 'fleet_summary', {}, 'Are our GPUs busy enough?'],
  [
    'utilizationTrend',
    { range: 'week' },
    'utilization_trend',
    { range: 'week' },
    'How has utilization trended this week?',
  ],
  [
    'workloadsList',
    { status: 'queued', sort: 'duration' },
    'list_workloads',
    { status: 'queued', sort: 'duration' },
    'Which workload waits longest?',
  ],
  ['queueWaits', {}, 'explain_queue', {}, 'Which workloads are waiting, and why?'],
  ['costBreakdown', {}, 'cost_breakdown', {}, 'Which namespace costs the most?'],
  ['costBreakdown', {}, 'cost_breakdown', {}, 'How utilized is each namespace?'],
  ['costTokens', {}, 'cost_breakdown', { tokens: 'workload' }, 'What does a million tokens cost?'],
  ['budgetsList', {}, 'cost_breakdown', { forecast: true }, 'What is the forecast for this month?'],
  [
    'partitionsList',
    { mig: 'false', state: 'free' },
    'inspect_gpus',
    { mig: false, state: 'free' },
    'Where is a MIG partition free?',
  ],
  ['fleetBroken', {}, 'find_problems', {}, 'Which GPUs have faults?'],
  ['alertsList', {}, 'find_problems', {}, undefined],
  ['recommendationsList', {}, 'list_recommendations', {}, 'What should I do first?'],
  ['actionsList', {}, 'savings_and_actions', {}, 'Which actions wait for approval?'],
  ['savingsList', {}, 'savings_and_actions', {}, 'What have we saved, verified?'],
]

test.each(TELLINGS)('what %s %j says, the tool %s, and the co-pilot print', async (...telling) => {
  const [key, input, name, given, question] = telling
  const answer = await sampleAnswer(key, input as never)
  const texts = (answer as unknown as { says: Says }).says.map(({ text }) => text)
  const answered = await TOOLS.find((tool) => tool.name === name)?.answer(given, sampleAnswer)
  expect(answered).toMatchObject({ says: expect.arrayContaining(texts) })
  if (question === undefined) return
  const asked = { question, cluster: 'sample', zone: 'UTC', after: undefined }
  const { sentences } = await answerFixed(asked, { ask: sampleAnswer, now: 0, id: 'a' })
  expect(sentences.length).toBeGreaterThan(0)
  expect(texts).toEqual(expect.arrayContaining(sentences.map(({ text }) => text)))
})
