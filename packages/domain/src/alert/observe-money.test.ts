import { describe, expect, test } from 'vitest'

import { type Figure, known, unknown } from '../analyze/figure.ts'
import { ratio, SECONDS_PER_DAY, SECONDS_PER_HOUR, usd } from '../units.ts'
import { DEFAULT_ALERT_RULES } from './alert-rule.ts'
import { evidence, verdicts } from './drawn-evidence.fixture.ts'
import type { AlertEvidence } from './observation.ts'
import { observe } from './observe.ts'

/** A day of which is known how busy what was held was: of the cluster, and of namespaces. */
const busyDay = (cluster: Figure, byNamespace: Readonly<Record<string, Figure>> = {}): AlertEvidence['day'] =>
  ({
    observedSeconds: 15 * SECONDS_PER_HOUR,
    utilization: { busyOfAllocated: cluster },
    cost: { byNamespace: Object.entries(byNamespace).map(([key, busyOfAllocated]) => ({ key, busyOfAllocated })) },
  }) as unknown as AlertEvidence['day']

const EFFICIENCY = DEFAULT_ALERT_RULES.efficiency
const among = (scope: Partial<(typeof EFFICIENCY)['scope']>): AlertEvidence['rules'] => ({
  ...DEFAULT_ALERT_RULES,
  efficiency: { ...EFFICIENCY, scope: { ...EFFICIENCY.scope, ...scope } },
})

const efficiency = (change: Partial<AlertEvidence>) => observe(evidence(change), 'efficiency').observations

describe('how busy held GPUs are', () => {
  test.each<[string, Figure, string]>([
    ['under the floor', known(ratio(0.299)), 'breach'],
    ['at the floor', known(ratio(0.3)), 'between'],
    ['a tenth over the floor', known(ratio(0.331)), 'clear'],
    ['of which a fifth was not measured', known(ratio(0.1), 0.8), 'breach'],
    ['of which more was not measured', known(ratio(0.1), 0.79), 'unknown'],
    ['where nobody held any', unknown('Nothing was held.'), 'unknown'],
  ])('%s', (_, busy, verdict) => {
    expect(efficiency({ day: busyDay(busy) })).toMatchObject([{ object: 'cluster', verdict }])
  })

  test('is told with its floor, and for how long it was watched and measured', () => {
    const [seen] = efficiency({ day: busyDay(known(ratio(0.123), 0.9)) })
    expect(seen).toMatchObject({
      title: 'GPUs held in Production are busy 12.3% of the time',
      message:
        'Over the last 24 h the GPUs that Production holds were busy for 12.3% of the time that was measured ' +
        '(floor 30%; Septet watched 15 h, of which 90% was measured).',
      figure: { value: 12.3, threshold: 30, unit: 'percent', coverage: 0.9 },
    })
  })

  test.each([{ namespaces: ['lab'] }, { tenants: ['research'] }])(
    'is told of namespaces where the rule is for %j',
    (scope) => {
      const day = busyDay(known(ratio(0.9)), { '': unknown(''), lab: known(ratio(0.1)), web: known(ratio(0.8)) })
      const seen = efficiency({ day, rules: among(scope) })
      expect(verdicts(seen)).toEqual({ 'namespace/lab': 'breach', 'namespace/web': 'clear' })
      expect(seen.map(({ namespace, tenant }) => [namespace, tenant])).toEqual([
        ['lab', 'research'],
        ['web', undefined],
      ])
    },
  )

  test('is not told before a day was looked at', () => {
    expect(observe(evidence({ day: undefined }), 'efficiency')).toEqual({ observations: [], complete: false })
  })
})

test('a budget of nothing has no share that could be spent', () => {
  const budget = { id: 'b', name: 'Lab', thresholds: [100], namespace: 'lab', tenant: undefined }
  const seen = observe(evidence({ budgets: [{ ...budget, spent: usd(5), limit: usd(0) }] }), 'budget').observations
  expect(seen.map(({ verdict }) => verdict)).toEqual(['unknown'])
})

test('a budget under its limit that still fires is not told as one that has passed it', () => {
  const budget = { id: 'b', name: 'Lab', thresholds: [100], namespace: 'lab', tenant: undefined }
  const seen = observe(evidence({ budgets: [{ ...budget, spent: usd(95), limit: usd(100) }] }), 'budget').observations
  expect(seen).toMatchObject([
    {
      verdict: 'between',
      title: '95% of budget Lab is spent',
      message: '$95.00 of the $100.00 of budget Lab are spent (limit 100%).',
    },
  ])
})

const spent = (days: number, byNamespace: Readonly<Record<string, number>>): AlertEvidence['day'] =>
  ({
    observedSeconds: days * SECONDS_PER_DAY,
    cost: {
      byNamespace: Object.entries(byNamespace).map(([key, capacity]) => ({ key, cost: { money: { capacity } } })),
    },
  }) as unknown as AlertEvidence['day']

const spends = (today: Readonly<Record<string, number>>, week: Readonly<Record<string, number>>, days = 7) =>
  observe(evidence({ day: spent(1, today), week: spent(days, week) }), 'spend-change').observations

describe('what a day costs beside the days before', () => {
  test('is told from the threshold on, and not for less than ten dollars a day', () => {
    expect(verdicts(spends({ a: 150, b: 149, c: 134, d: 19 }, { a: 750, b: 749, c: 734, d: 79 }))).toEqual({
      'namespace/a': 'breach',
      'namespace/b': 'between',
      'namespace/c': 'clear',
      // It nearly doubled, from $10 to $19.
      'namespace/d': 'clear',
    })
  })

  test('is not held against nothing: a namespace that is new has no mean', () => {
    expect(verdicts(spends({ new: 500 }, { new: 500 }))).toEqual({ 'namespace/new': 'unknown' })
    expect(verdicts(spends({ new: 500 }, {}))).toEqual({ 'namespace/new': 'unknown' })
  })

  test('that was seen for part of the time only is held against as much of the days before', () => {
    // Of the week four days were seen: three before the last, at $100 each.
    expect(spends({ a: 200 }, { a: 500 }, 4)[0]).toMatchObject({ verdict: 'breach', figure: { value: 100 } })
  })

  test('is nobody’s where nobody held it', () => {
    expect(spends({ '': 900, a: 100 }, { '': 900, a: 700 }).map(({ object }) => object)).toEqual(['namespace/a'])
  })

  test('of less than a day is not judged yet', () => {
    const change = { day: spent(0.8, { a: 900 }), week: spent(7, { a: 1000 }) }
    expect(observe(evidence(change), 'spend-change')).toEqual({ observations: [], complete: false })
  })
})
