import { modeOf } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { withMode, withResumed, type ShownPolicy, type Limits } from './act-policy.ts'
import { changesOf, limitsWords, windowsWords } from './policy-fields.ts'

const NONE: Limits = { pods: null, nodes: null, gpus: null, usdPerHour: null }
const POLICY: ShownPolicy = {
  modes: {
    'reclaim-idle': 'approve',
    'right-size': 'observe',
    'fewer-gpus': 'observe',
    repartition: 'auto',
    'mig-mode': 'observe',
    share: 'observe',
    'remove-node': 'observe',
    reschedule: 'observe',
    appointment: 'observe',
  },
  auto: { classes: [], budget: { hour: NONE, day: NONE }, keptToAdvance: 3, resumedAt: {} },
  windows: [],
  protectedNamespaces: ['kube-*'],
  protectedLabels: {},
  twoPeople: [],
  limits: { run: { ...NONE, pods: 20, usdPerHour: 150 }, hour: NONE, day: NONE },
  minimum: { usdPerMonth: 50, gpuHoursPerMonth: 24, confidence: 0.5 },
  coolDown: 21_600,
  approvalHolds: 86_400,
  warning: 86_400,
  watch: 1800,
}

describe('what a class may do', () => {
  test('one on auto that is not on the list of those that may be waits for approval', () => {
    expect(modeOf(POLICY, 'repartition')).toBe('approve')
    expect(modeOf(withMode(POLICY, 'repartition', 'auto'), 'repartition')).toBe('auto')
  })
  test('auto puts it on that list, anything else takes it off', () => {
    const auto = withMode(withMode(POLICY, 'reclaim-idle', 'auto'), 'fewer-gpus', 'auto')
    expect(auto.auto.classes).toEqual(['reclaim-idle', 'fewer-gpus'])
    expect(withMode(auto, 'reclaim-idle', 'suggest').auto.classes).toEqual(['fewer-gpus'])
  })
  test('MIG mode is never on auto', () => expect(withMode(POLICY, 'mig-mode', 'auto')).toBe(POLICY))
  test('a class goes on after a setback from an instant on, or as it was', () => {
    const resumed = withResumed(POLICY, 'repartition', '2026-11-20T10:00:00Z')
    expect(resumed.auto.resumedAt).toEqual({ repartition: '2026-11-20T10:00:00Z' })
    expect(withResumed(resumed, 'repartition', undefined)).toEqual(POLICY)
  })
})

describe('what was changed', () => {
  test('nothing, where nothing is said otherwise', () => expect(changesOf(POLICY, structuredClone(POLICY))).toEqual([]))
  test('each thing with before and after, also what differs by a second', () => {
    const after: ShownPolicy = {
      ...withMode(POLICY, 'reclaim-idle', 'auto'),
      limits: { ...POLICY.limits, run: { ...POLICY.limits.run, pods: null, gpus: 4 } },
      windows: [{ weekday: 5, from: 1320, to: 120, zone: 'Europe/Berlin' }],
      protectedLabels: { tier: 'gold' },
      watch: 1801,
    }
    expect(
      changesOf(POLICY, after).map(({ name, ...change }) => `${name}: ${change.before} → ${change.after}`),
    ).toEqual([
      'Reclaim idle: Approve → Auto',
      'Per action: pods: 20 → no limit',
      'Per action: GPUs: no limit → 4',
      'Maintenance windows: at any time → Saturday 22:00 to 02:00 the next day (Europe/Berlin)',
      'Protected labels: none → tier=gold',
      'Watch: 30 min → 1801 s',
    ])
  })
})

test('limits and windows in a few words', () => {
  expect(limitsWords(POLICY.limits.run)).toBe('20 pods and $150 an hour')
  expect(limitsWords(NONE)).toBe('no limit')
  expect(windowsWords([{ weekday: 0, from: 0, to: 1440, zone: 'UTC' }])).toBe('Monday 00:00 to 00:00 (UTC)')
})
