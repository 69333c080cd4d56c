import { describe, expect, test } from 'vitest'

import type { JudgedSample } from '../analyze/sample.ts'
import { draw, DRAWN_AT } from '../cluster/draw.fixture.ts'
import { faultOf } from '../cluster/gpu-fault.ts'
import type { GpuNode } from '../cluster/node.ts'
import { HOUR_MS, MINUTE_MS, instant, mib, ratio, usd } from '../units.ts'
import { evidence, NOW, verdicts } from './drawn-evidence.fixture.ts'
import { observe } from './observe.ts'
import type { AlertEvidence, BudgetReading } from './observation.ts'

describe('what is not known fires nothing and ends nothing', () => {
  const kinds = [
    'idle-held',
    'efficiency',
    'pending-with-free',
    'mig-change-failed',
    'xid',
    'spend-change',
    'mixed-namespaces',
  ] as const
  test.each(kinds)('%s, of a cluster that does not answer', (kind) => {
    expect(observe(evidence({ connected: false }), kind)).toEqual({ observations: [], complete: false })
  })
  test.each(kinds)('%s, of a reading that is five minutes old', (kind) => {
    const old = evidence({ asOf: instant(NOW - 5 * MINUTE_MS) })
    expect(observe(old, kind)).toEqual({ observations: [], complete: false })
  })
  test('a budget of which no price is known', () => {
    const [seen] = observe(evidence({ budgets: [budget({ spent: undefined })] }), 'budget').observations
    expect(seen?.verdict).toBe('unknown')
  })
  test('budgets that could not be read', () => {
    expect(observe(evidence({ budgets: undefined }), 'budget').complete).toBe(false)
  })
})

const budget = (change: Partial<BudgetReading>): BudgetReading => ({
  id: 'b',
  name: 'Lab',
  spent: usd(950),
  limit: usd(1000),
  thresholds: [50, 90, 100],
  namespace: 'lab',
  tenant: undefined,
  ...change,
})

describe('a budget', () => {
  test('is told at each share that somebody asked for', () => {
    expect(verdicts(observe(evidence({ budgets: [budget({})] }), 'budget').observations)).toEqual({
      'budget/b/50': 'breach',
      'budget/b/90': 'breach',
      // 95 % is neither over nor far enough under 100 %.
      'budget/b/100': 'between',
    })
  })
  test('without shares of its own is told at the rule’s, with its amounts', () => {
    const [seen, ...others] = observe(
      evidence({ budgets: [budget({ thresholds: [], spent: usd(1234.5) })] }),
      'budget',
    ).observations
    expect(others).toEqual([])
    expect(seen).toMatchObject({
      verdict: 'breach',
      namespace: 'lab',
      figure: { threshold: 100, unit: 'percent' },
      message: '$1,234.50 of the $1,000.00 of budget Lab are spent (limit 100%).',
    })
  })
})

const waits = (asks: string, minutes: number) =>
  observe(
    evidence({
      picture: draw`
        a  A100-SXM4-80GB  [3g.40gb lab/train] [4g.40gb -]
        ?  lab/next  ${asks}
      `,
      now: instant(DRAWN_AT + minutes * MINUTE_MS),
      asOf: instant(DRAWN_AT + minutes * MINUTE_MS),
    }),
    'pending-with-free',
  ).observations

describe('work that waits', () => {
  test('fires from the rule’s minutes on, with what it asks for, and whose it is', () => {
    expect(waits('4g.40gb', 14)[0]?.verdict).toBe('clear')
    const [seen] = waits('4g.40gb', 15)
    expect(seen).toMatchObject({ verdict: 'breach', namespace: 'lab', tenant: 'research' })
    expect(seen?.object).toBe('waiting/lab/mig-4g.40gb')
    expect(seen?.message).toContain(
      '(1 × nvidia.com/mig-4g.40gb, 4 slices) for 15 min; 4 slices are free on GPUs that offer 4g.40gb.',
    )
  })
  test('is nobody’s fault where too little is free', () => {
    expect(waits('7g.80gb', 600)[0]?.verdict).toBe('clear')
    expect(waits('gpu', 600)[0]?.verdict).toBe('clear')
  })
})

const queue = (waiting: string, { tenants = [] }: Partial<AlertEvidence> = {}, minutes = 60) =>
  observe(
    evidence({
      picture: draw`
        a  A100-SXM4-80GB  [3g.40gb -] [4g.40gb -]
        b  A100-SXM4-80GB  [3g.40gb -] [4g.40gb -]
        ${waiting}`,
      now: instant(DRAWN_AT + minutes * MINUTE_MS),
      asOf: instant(DRAWN_AT + minutes * MINUTE_MS),
      tenants,
    }),
    'pending-with-free',
  ).observations

const beside = (waiting: string) =>
  observe(
    evidence({
      picture: draw`
        a  A100-SXM4-80GB  [3g.40gb lab/train] [2g.20gb -]
        b  T4              [-]
        c  A30             [4g.24gb -]
        ${waiting}`,
      now: instant(DRAWN_AT + HOUR_MS),
      asOf: instant(DRAWN_AT + HOUR_MS),
    }),
    'pending-with-free',
  ).observations[0]

describe('work that waits for one cause', () => {
  test('is told once, with how many there are and which', () => {
    const many = Array.from({ length: 7 }, (_, order) => `? lab/next-${order}  4g.40gb`).join('\n')
    const [seen, ...others] = queue(many)
    expect(others).toEqual([])
    expect(seen).toMatchObject({ object: 'waiting/lab/mig-4g.40gb', verdict: 'breach' })
    expect(seen?.message).toContain('7 workloads wait: Pod next-0 (1 × nvidia.com/mig-4g.40gb, 4 slices) for 60 min')
    expect(seen?.message).toContain('and 2 more; 14 slices are free on GPUs that offer 4g.40gb.')
  })
  test('is apart by namespace and by what it waits for; how many devices is not a cause of its own', () => {
    const seen = queue(`
      ? lab/a  4g.40gb
      ? lab/b  4g.40gb ×2
      ? lab/c  3g.40gb
      ? etl/d  4g.40gb`)
    expect(seen.map(({ object }) => object)).toEqual([
      'waiting/lab/mig-4g.40gb',
      'waiting/lab/mig-3g.40gb',
      'waiting/etl/mig-4g.40gb',
    ])
  })
  test('tells only of those for which enough is free', () => {
    const [seen] = queue(`
      ? lab/small  gpu
      ? lab/huge   gpu ×3`)
    expect(seen?.verdict).toBe('breach')
    expect(seen?.message).toContain('1 workload waits: Pod small')
  })
  test('counts only GPUs that could give what it asks for', () => {
    expect(beside('? lab/a  7g.80gb')?.verdict).toBe('clear')
    expect(beside('? lab/a  4g.40gb')).toMatchObject({
      verdict: 'breach',
      message: expect.stringContaining('4 slices are free on GPUs that offer 4g.40gb.'),
    })
    expect(beside('? lab/a  gpu ×2')).toMatchObject({
      verdict: 'breach',
      message: expect.stringContaining('Pod a (2 × nvidia.com/gpu) for 60 min; 2 whole GPUs are free.'),
    })
    expect(beside('? lab/a  gpu ×3')?.verdict).toBe('clear')
  })
  test('counts only GPUs of the models that it asks for by its node selector', () => {
    const PRODUCT = 'nvidia.com/gpu.product'
    const among = (waiting: string) =>
      observe(
        evidence({
          picture: draw`
            a  A100-SXM4-80GB  ${PRODUCT}=NVIDIA-A100-SXM4-80GB  [lab/train]
            b  T4              ${PRODUCT}=Tesla-T4               [-]
            c  T4              ${PRODUCT}=Tesla-T4               [-]
            d  H100-80GB-HBM3  ${PRODUCT}=NVIDIA-H100-80GB-HBM3  [3g.40gb -]
            ${waiting}`,
          now: instant(DRAWN_AT + HOUR_MS),
          asOf: instant(DRAWN_AT + HOUR_MS),
        }),
        'pending-with-free',
      ).observations[0]
    expect(among(`? lab/x gpu ${PRODUCT}=NVIDIA-A100-SXM4-80GB`)?.verdict).toBe('clear')
    expect(among(`? lab/x gpu ${PRODUCT}=NVIDIA-B200`)?.verdict).toBe('clear')
    // Other labels of its node say nothing of the GPU.
    expect(among('? lab/x gpu zone=a')?.message).toContain('; 3 whole GPUs are free.')
    expect(among(`? lab/x gpu ×2 ${PRODUCT}=Tesla-T4`)).toMatchObject({
      verdict: 'breach',
      message: expect.stringContaining('; 2 whole T4 GPUs are free.'),
    })
    expect(among(`? lab/x 3g.40gb ${PRODUCT}=NVIDIA-A100-SXM4-80GB`)?.verdict).toBe('clear')
    expect(among(`? lab/x 3g.40gb ${PRODUCT}=NVIDIA-H100-80GB-HBM3`)?.verdict).toBe('breach')
  })
  test('tells what is free for each of those that ask for different models', () => {
    const seen = beside('? lab/a  gpu nvidia.com/gpu.family=turing\n? lab/b  gpu')
    expect(seen?.message).toContain('1 workload waits: Pod b (1 × nvidia.com/gpu) for 60 min; 2 whole GPUs are free.')
  })
  test('tells the cause in plain words before what the scheduler said', () => {
    const message = '0/2 nodes are available: 2 Insufficient nvidia.com/mig-4g.40gb.'
    const drawn = draw`
      a  A100-SXM4-80GB  [3g.40gb -] [4g.40gb -]
      ?  lab/a  4g.40gb`
    const workloads = drawn.workloads.map((one) => ({ ...one, waiting: { reason: 'Unschedulable', message } }))
    const at = instant(DRAWN_AT + HOUR_MS)
    const [seen] = observe(
      evidence({ picture: { ...drawn, workloads }, now: at, asOf: at, tenants: [] }),
      'pending-with-free',
    ).observations
    expect(seen?.message).toContain(
      `No mig-4g.40gb is free where it may run. Scheduler message for the longest wait: ${message}`,
    )
  })
  test('has the same title however many come and go, so that receivers know it again', () => {
    expect(queue('? lab/a  4g.40gb')[0]?.title).toBe(queue('? lab/a  4g.40gb\n? lab/b  4g.40gb')[0]?.title)
  })
})

const spent = (days: number, byNamespace: Readonly<Record<string, number | undefined>>) =>
  ({
    observedSeconds: days * 86_400,
    cost: {
      byNamespace: Object.entries(byNamespace).map(([key, capacity]) => ({
        key,
        cost: { money: capacity === undefined ? undefined : { capacity } },
      })),
    },
  }) as unknown as AlertEvidence['day']

const spend = (change: Partial<AlertEvidence>) => observe(evidence(change), 'spend-change').observations

describe('what a day costs', () => {
  test('is held against the mean of the days before, the day itself left out', () => {
    // Six days at $100 and one at $150: half as much again, which a mean over all seven would hide.
    const [seen] = spend({ day: spent(1, { lab: 150 }), week: spent(7, { lab: 750 }) })
    expect(seen).toMatchObject({ object: 'namespace/lab', verdict: 'breach', figure: { value: 50 } })
    expect(seen?.message).toContain('$150.00 a day in the last 24 h; in the days before it was $100.00 a day.')
  })
  test('is not judged on fewer than three days before it', () => {
    expect(observe(evidence({ day: spent(1, { lab: 9 }), week: spent(3, { lab: 9 }) }), 'spend-change').complete).toBe(
      false,
    )
  })
  test('is told of a tenant of several namespaces as a whole, and of one namespace once', () => {
    const tenants = [
      { name: 'research', namespaces: ['lab-*'], labels: {} },
      { name: 'etl', namespaces: ['etl'], labels: {} },
    ]
    const seen = spend({
      day: spent(1, { 'lab-a': 146, 'lab-b': 154, etl: 10 }),
      week: spent(7, { 'lab-a': 746, 'lab-b': 754, etl: 70 }),
      tenants,
    })
    expect(verdicts(seen)).toEqual({
      'namespace/lab-a': 'between',
      'namespace/lab-b': 'breach',
      'namespace/etl': 'clear',
      'tenant/research': 'breach',
    })
    expect(seen.at(-1)).toMatchObject({ tenant: 'research', namespace: undefined, figure: { value: 50 } })
  })
  test('is unknown of a tenant of which a part has no price, and nothing where labels decide', () => {
    const day = spent(1, { 'lab-a': 150, 'lab-b': undefined })
    const week = spent(7, { 'lab-a': 750, 'lab-b': undefined })
    const byName = { name: 'research', namespaces: ['lab-*'], labels: {} }
    expect(verdicts(spend({ day, week, tenants: [byName] }))).toMatchObject({ 'tenant/research': 'unknown' })
    const byLabel = { name: 'x', namespaces: [], labels: { team: 'x' } }
    expect(Object.keys(verdicts(spend({ day, week, tenants: [byName, byLabel] })))).not.toContain('tenant/research')
  })
})

const mig = (state: GpuNode['mig']['state']) => {
  const picture = draw`a  A100-SXM4-80GB  [3g.40gb -]`
  const nodes = picture.nodes.map((node) => ({ ...node, mig: { ...node.mig, state } }))
  return observe(evidence({ picture: { ...picture, nodes } }), 'mig-change-failed')
}

describe('a MIG change', () => {
  test.each([
    ['failed', 'breach'],
    ['success', 'clear'],
    ['pending', 'unknown'],
    ['rebooting', 'unknown'],
  ] as const)('that is %s is %s', (state, verdict) => {
    expect(verdicts(mig(state).observations)).toEqual({ 'node/a': verdict })
  })
  test('that nobody wished for is nothing', () => {
    expect(mig(undefined)).toEqual({ observations: [], complete: true })
  })
})

const reading = (xid: number | undefined): JudgedSample => ({
  at: NOW,
  node: 'a',
  gpu: 'GPU-a-0',
  index: 0,
  model: 'NVIDIA A100-SXM4-80GB',
  busy: ratio(0.5),
  memoryUsed: mib(4000),
  quality: { kind: 'measured' },
  ...(xid === undefined ? {} : { xid }),
})

const faulty = (fault?: number) => {
  const picture = draw`a  A100-SXM4-80GB  [lab/train]`
  if (fault === undefined) return picture
  const [node] = picture.nodes
  if (node === undefined) throw new Error('nothing was drawn')
  const gpus = node.gpus.map((gpu) => ({ ...gpu, fault: faultOf(fault, gpu.id, node.name) }))
  return { ...picture, nodes: [{ ...node, gpus }] }
}

const seeXid = (newest: number | undefined, fault?: number) =>
  observe(evidence({ picture: faulty(fault), samples: new Map([['GPU-a-0', reading(newest)]]) }), 'xid').observations[0]

describe('an XID', () => {
  test('that makes a GPU unreliable fires, for anyone who holds it', () => {
    expect(seeXid(79, 79)).toMatchObject({
      verdict: 'breach',
      object: 'gpu/GPU-a-0',
      title: 'GPU 0 on a reports XID 79',
      message: expect.stringMatching(/^GPU GPU-a-0 on a reported XID 79: it fell off the bus\./u),
      figure: { value: 79 },
      namespace: 'lab',
      tenant: 'research',
    })
  })
  test('of an application, or none, after the fault is not taken for the code of the fault', () => {
    for (const newest of [0, 13, undefined])
      expect(seeXid(newest, 79)).toMatchObject({ title: 'GPU 0 on a reports XID 79', figure: { value: 79 } })
  })
  test('of an application is not a fault of the GPU', () => {
    expect(seeXid(13)?.verdict).toBe('clear')
  })
  test('that the exporter does not tell of is unknown, not 0', () => {
    expect(seeXid(undefined)?.verdict).toBe('unknown')
  })
})

const see = (change: Partial<AlertEvidence>) => observe(evidence(change), 'telemetry-missing').observations[0]

describe('missing telemetry', () => {
  test('is not told before there was a first reading', () => {
    expect(see({ asOf: undefined })?.verdict).toBe('unknown')
  })
  test('is told when the cluster no longer answers, or its newest reading is old', () => {
    expect(see({ connected: false })).toMatchObject({ object: 'cluster', verdict: 'breach' })
    const old = see({ asOf: instant(NOW - 6 * MINUTE_MS) })
    expect(old).toMatchObject({ verdict: 'breach', figure: { value: 6, threshold: 5, unit: 'minutes' } })
    expect(old?.message).toContain('utilization is unknown, not 0')
  })
  test('is over when it is read again', () => {
    expect(see({})?.verdict).toBe('clear')
  })
  test('names the exporter that fails', () => {
    const targets = [
      { target: 'http://a:9400', kind: 'down', detail: 'refused', node: 'a', lastSeen: undefined },
      { target: 'http://b:9400', kind: 'up', detail: '', node: 'b', lastSeen: NOW },
    ] as const
    const seen = observe(evidence({ targets }), 'telemetry-missing').observations
    expect(verdicts(seen)).toMatchObject({ 'target/http://a:9400': 'breach', 'target/http://b:9400': 'clear' })
    expect(seen[1]?.message).toBe('The exporter http://a:9400 of Production is down: refused')
  })
})

const mixedOn = (problems: GpuNode['problems']) => {
  const picture = draw`a  L40S  [lab/a]`
  const nodes = picture.nodes.map((node) => ({ ...node, problems }))
  return observe(evidence({ picture: { ...picture, nodes } }), 'mixed-namespaces').observations
}

describe('a node that Septet shares for one namespace', () => {
  test('is told of once pods of another are there, with what to do', () => {
    const message = 'Pods of lab and web share the GPUs of a (time-slicing), …'
    expect(mixedOn([{ code: 'shared-by-namespaces', message, object: 'node/a' }])).toMatchObject([
      { object: 'node/a', verdict: 'breach', message, namespace: undefined },
    ])
  })
  test('is well without them, whatever else is the matter with it', () => {
    expect(verdicts(mixedOn([{ code: 'withheld', message: '', object: 'node/a' }]))).toEqual({ 'node/a': 'clear' })
  })
})
