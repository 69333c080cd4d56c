import { describe, expect, test } from 'vitest'

import type { JudgedSample } from '../analyze/sample.ts'
import { draw, DRAWN_AT } from '../cluster/draw.ts'
import type { GpuNode } from '../cluster/node.ts'
import { instant, mib, ratio, usd } from '../units.ts'
import { DEFAULT_ALERT_RULES } from './alert-rule.ts'
import { observe } from './observe.ts'
import type { AlertEvidence, BudgetReading, Observation } from './observation.ts'

const MINUTE = 60_000
const NOW = instant(DRAWN_AT + 60 * MINUTE)

/** A cluster that answers and was read just now, of which nothing else is known. */
const evidence = (change: Partial<AlertEvidence> = {}): AlertEvidence => ({
  cluster: 'c',
  clusterName: 'Production',
  now: NOW,
  connected: true,
  asOf: NOW,
  picture: draw`a  A100-SXM4-80GB  [3g.40gb lab/train] [4g.40gb -]`,
  samples: new Map(),
  targets: [],
  problems: [],
  idle: new Set(),
  day: undefined,
  week: undefined,
  budgets: [],
  tenants: [{ name: 'research', namespaces: ['lab*'], labels: {} }],
  rules: DEFAULT_ALERT_RULES,
  ...change,
})
const verdicts = (observations: readonly Observation[]): Record<string, Observation['verdict']> =>
  Object.fromEntries(observations.map(({ object, verdict }) => [object, verdict]))

describe('what is not known fires nothing and ends nothing', () => {
  const kinds = ['idle-held', 'efficiency', 'pending-with-free', 'mig-change-failed', 'xid', 'spend-change'] as const
  test.each(kinds)('%s, of a cluster that does not answer', (kind) => {
    expect(observe(evidence({ connected: false }), kind)).toEqual({ observations: [], complete: false })
  })
  test.each(kinds)('%s, of a reading that is five minutes old', (kind) => {
    const old = evidence({ asOf: instant(NOW - 5 * MINUTE) })
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
      message: '$1,234.50 of the $1,000.00 of budget Lab are spent: 123.5 %.',
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
      now: instant(DRAWN_AT + minutes * MINUTE),
      asOf: instant(DRAWN_AT + minutes * MINUTE),
    }),
    'pending-with-free',
  ).observations

describe('work that waits', () => {
  test('fires from the rule’s minutes on, with what it asks for, and whose it is', () => {
    expect(waits('4g.40gb', 14)[0]?.verdict).toBe('clear')
    const [seen] = waits('4g.40gb', 15)
    expect(seen).toMatchObject({ verdict: 'breach', namespace: 'lab', tenant: 'research' })
    expect(seen?.message).toContain('1 × nvidia.com/mig-4g.40gb; 4 slices are free in total and it asks for 4.')
  })
  test('is nobody’s fault where too little is free', () => {
    expect(waits('7g.80gb', 600)[0]?.verdict).toBe('clear')
    expect(waits('gpu', 600)[0]?.verdict).toBe('clear')
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

const faulty = (message?: string) => {
  const picture = draw`a  A100-SXM4-80GB  [lab/train]`
  if (message === undefined) return picture
  const [node] = picture.nodes
  if (node === undefined) throw new Error('nothing was drawn')
  const gpus = node.gpus.map((gpu) => ({ ...gpu, fault: { code: 'gpu-fault', object: `gpu/${gpu.id}`, message } }))
  return { ...picture, nodes: [{ ...node, gpus }] }
}

const seeXid = (xid: number | undefined, message?: string) =>
  observe(evidence({ picture: faulty(message), samples: new Map([['GPU-a-0', reading(xid)]]) }), 'xid').observations[0]

describe('an XID', () => {
  test('that makes a GPU unreliable fires, for whoever holds it', () => {
    expect(seeXid(79, 'GPU has fallen off the bus.')).toMatchObject({
      verdict: 'breach',
      object: 'gpu/GPU-a-0',
      title: 'GPU 0 on a reports XID 79',
      message: 'GPU has fallen off the bus.',
      figure: { value: 79 },
      namespace: 'lab',
      tenant: 'research',
    })
  })
  test('of an application is no fault of the GPU', () => {
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
    const old = see({ asOf: instant(NOW - 6 * MINUTE) })
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
