import { describe, expect, test } from 'vitest'

import type { Alert } from '../words/alert-kinds.ts'
import { addsToFigure, byKind, figureWords, objectName, objectPlace } from './alert-words.ts'

const alert = (change: Partial<Alert>): Alert =>
  ({ kind: 'idle-held', value: 9.3, threshold: 8, unit: 'hours', coverage: null, ...change }) as Alert

describe('the value beside what it is held against', () => {
  test.each([
    [{}, '9.3 h, limit 8 h'],
    [{ kind: 'budget', unit: 'USD', value: 12_480, threshold: 10_000 }, '12,480 USD, limit 10,000 USD'],
    [{ kind: 'spend-change', unit: 'percent', value: 62.25, threshold: 50 }, '62.3%, limit 50%'],
    [{ kind: 'efficiency', unit: 'percent', value: 0, threshold: 20, coverage: 0.914 }, '0%, floor 20%, 91% measured'],
    [{ kind: 'pending-with-free', unit: 'minutes', value: 45, threshold: 30 }, '45 min, limit 30 min'],
    [{ kind: 'pending-with-free', unit: 'minutes', value: 150, threshold: 30 }, '2.5 h, limit 30 min'],
    [{ kind: 'xid', unit: 'code', value: 79, threshold: 1 }, 'XID 79'],
    [{ kind: 'xid', unit: 'code', value: 0, threshold: 1 }, undefined],
    [{ kind: 'telemetry-missing', unit: 'count', value: 3, threshold: 1 }, undefined],
  ] as const)('%j reads %j', (change, words) => expect(figureWords(alert(change))).toBe(words))

  test('is not followed by a message that says the same again', () => {
    expect(addsToFigure(alert({ kind: 'idle-held' }))).toBe(false)
    expect(addsToFigure(alert({ kind: 'efficiency' }))).toBe(false)
    expect(addsToFigure(alert({ kind: 'xid' }))).toBe(true)
  })
})

describe('an alert leads to its object', () => {
  test.each([
    ['workload/lab/Job/train', '/workloads', { workload: 'lab/Job/train' }],
    ['gpu/GPU-5c0b', '/fleet', { gpu: 'GPU-5c0b' }],
    ['node/gpu-a', '/partitions', { node: 'gpu-a' }],
    ['namespace/lab', '/workloads', { namespace: 'lab' }],
    ['tenant/vision', '/cost', {}],
    ['budget/q4', '/cost', {}],
  ])('%s on %s', (object, path, search) => expect(objectPlace(object)).toEqual({ path, search }))

  test.each([
    ['waiting/lab/mig-3g.40gb', { view: 'waiting', namespace: 'lab', for: 'nvidia.com/mig-3g.40gb' }],
    // No single resource is waited for: the list shows all that wait there.
    ['waiting/lab/mig-3g.40gb+gpu', { view: 'waiting', namespace: 'lab' }],
    ['waiting/lab', { view: 'waiting', namespace: 'lab' }],
  ])('%s to who waits', (object, search) => expect(objectPlace(object)).toEqual({ path: '/workloads', search }))

  test.each(['cluster', 'target/10.0.0.4:9400', 'something-new/x'])('%s leads nowhere', (object) =>
    expect(objectPlace(object)).toBeUndefined(),
  )

  test('is named by what stands behind its kind', () => {
    expect(objectName('workload/lab/Job/train')).toBe('lab/Job/train')
    expect(objectName('cluster')).toBe('cluster')
  })
})

test('alerts come by kind, what may break work first, and no kind without one', () => {
  const alerts = (['spend-change', 'idle-held', 'xid', 'idle-held'] as const).map((kind, at) =>
    alert({ kind, id: String(at) }),
  )
  expect(byKind(alerts).map(({ kind, alerts: some }) => [kind, some.map(({ id }) => id)])).toEqual([
    ['xid', ['2']],
    ['idle-held', ['1', '3']],
    ['spend-change', ['0']],
  ])
  expect(byKind([])).toEqual([])
})
