import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import { instant, seconds } from '../../units.ts'
import type { Action, Plan } from '../words/action.ts'
import { impossibleNames, isKubernetesName, isLabelValue } from './kubernetes-name.ts'

test.for<[string, boolean, boolean]>([
  ['node-a', true, true],
  ['10.0.0.7', true, true],
  ['a', true, true],
  ['', false, true],
  ['Node', false, true],
  ['a_b', false, true],
  ['-a', false, false],
  ['a-', false, false],
  ['a b', false, false],
  ['a..b', false, true],
  ['a.-b', false, true],
  ['a\n', false, false],
  ['a/b', false, false],
  ['$(reboot)', false, false],
  ['a'.repeat(63), true, true],
  ['a'.repeat(64), true, false],
  ['a'.repeat(254), false, false],
])('%j may be a name: %s, and the value of a label: %s', ([text, name, value]) => {
  expect([isKubernetesName(text), isLabelValue(text)]).toEqual([name, value])
})

const planOf = (action: Action, ...inverse: readonly Action[]): Plan => ({
  id: 'plan-1',
  cluster: 'drawn',
  madeFrom: instant(0),
  title: '',
  steps: [
    {
      number: 1,
      action,
      title: '',
      preconditions: [],
      effect: '',
      displaced: [],
      duration: { low: seconds(0), high: seconds(0), source: '' },
      inverse,
    },
  ],
  moves: [],
  refused: [],
  bound: undefined,
})
const no = (name: string): string =>
  `${JSON.stringify(name)} is no name that Kubernetes allows, so no command or file is written for this plan.`

describe('names that are in no real cluster', () => {
  const snapshot = draw`a  T4  [lab/train]`
  const [workload] = snapshot.workloads
  if (workload === undefined) throw new Error('nothing is drawn')
  const requests = { from: [], to: [] }
  test.for<[string, Action, readonly string[]]>([
    ['none of a right plan', { kind: 'resize', workload: workload.id, ...requests }, []],
    ['of a node', { kind: 'cordon', node: 'a;b' }, ['a;b']],
    [
      'of a pod and its namespace',
      { kind: 'evict', pod: 'LAB/p$q', uid: '', workload: 'lab/Pod/x', because: '' },
      ['LAB', 'p$q'],
    ],
    ['of a workload', { kind: 'scale', workload: 'lab/Job/../x', from: 1, to: 0 }, ['../x']],
    [
      'of a tenant',
      { kind: 'share', node: 'a', from: { kind: 'none' }, to: { kind: 'mps', replicas: 2 }, tenant: 'Red' },
      ['Red'],
    ],
    [
      'not that of a tenant where sharing ends',
      { kind: 'share', node: 'a', from: { kind: 'none' }, to: { kind: 'none' }, tenant: '' },
      [],
    ],
  ])('%s', ([, action, names]) => {
    expect(impossibleNames(planOf(action), snapshot)).toEqual(names.map(no))
  })
  test('of the way back', () => {
    expect(impossibleNames(planOf({ kind: 'cordon', node: 'a' }, { kind: 'uncordon', node: '`b`' }), snapshot)).toEqual(
      [no('`b`')],
    )
  })
  test('of what a forged snapshot says beside the id of a workload, once each', () => {
    const container = {
      list: 'containers',
      index: 0,
      name: 'main',
      isSidecar: false,
      requests: {},
      limits: {},
      gpus: [],
    } as const
    const forged = {
      ...workload,
      namespace: 'lab && x',
      name: 'Train',
      kind: 'Job\nx',
      templates: [
        { part: 'head/0', containers: [{ ...container, name: 'Main' }] },
        { part: 'Worker', containers: [{ ...container, name: 'Main' }] },
      ],
    }
    const plan = planOf({ kind: 'resize', workload: workload.id, ...requests })
    expect(impossibleNames(plan, { ...snapshot, workloads: [forged] })).toEqual(
      ['lab && x', 'Train', 'Main', 'head/0', 'Job\nx'].map(no),
    )
    expect(impossibleNames(plan, { ...snapshot, workloads: [{ ...forged, id: 'web/Pod/other' }] })).toEqual([])
  })
})
