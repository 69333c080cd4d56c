import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { GpuNode } from '../../cluster/node.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Pod } from '../../cluster/workload.ts'
import { withRequests } from '../../plan/steps/drawn-wishes.fixture.ts'
import type { Action, PodMove } from '../../plan/words/action.ts'
import { instant } from '../../units.ts'
import { runFor } from '../policy/drawn-run.fixture.ts'
import { unverified } from './unverified.ts'

const before = withRequests(draw`node-a T4 [lab/one]`)
const to = { kind: 'time-slicing', replicas: 4 } as const
const { plan } = runFor(before, { kind: 'share', node: 'node-a', to, tenant: 'lab', moves: [] })

const after = (node: Partial<GpuNode>, pod: Partial<Pod> = {}) =>
  unverified(
    plan,
    {
      ...before,
      takenAt: instant(before.takenAt + 1),
      nodes: before.nodes.map((each) => ({ ...each, sharing: to, ...node })),
      pods: before.pods.map((each) => ({ ...each, ...pod })),
    },
    before.takenAt,
  )

test('a node is shared as planned once it says so and who ran there runs again', () => {
  expect(after({})).toBeUndefined()
  expect(after({ sharing: { kind: 'none' } })).toMatch(/node-a does not share its GPUs as the plan says/u)
  expect(after({ sharing: { ...to, replicas: 2 } })).toMatch(/does not share/u)
  expect(after({ ready: false })).toBe('node-a is not ready.')
  expect(after({}, { node: undefined })).toBe('lab/one was displaced and waits to be scheduled.')
})

test('a node is not shared as planned with somebody of another namespace on it', () => {
  expect(after({}, { id: 'web/a', namespace: 'web' })).toBe(
    'web/a came to node-a, whose GPUs are shared inside lab only.',
  )
})

/** What is said of these actions on a cluster that was read since; the plan's other steps left out. */
function whyNot(actions: readonly Action[], seen: ClusterSnapshot, moves: readonly PodMove[] = []) {
  const [step] = plan.steps
  if (step === undefined) throw new Error('the plan has a step')
  const steps = actions.map((action, order) => ({ ...step, number: order + 1, action }))
  return unverified({ ...plan, steps, moves }, { ...seen, takenAt: instant(before.takenAt + 1) }, before.takenAt)
}

test('nothing is judged on a picture from before the change', () => {
  expect(unverified(plan, before, before.takenAt)).toBe('The cluster has not been read since the last step.')
})

const CUT: Action = {
  kind: 'repartition',
  node: 'a',
  config: 'septet-1',
  gpus: [
    {
      gpu: 'GPU-a-0',
      index: 0,
      from: { migEnabled: false, layout: [] },
      to: { migEnabled: true, geometry: { '3g.40gb': 2 } },
    },
  ],
}
const cut = draw`a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb lab/train]`
const NOT_AS_PLANNED = 'The exporter of a does not show GPU GPU-a-0 as the plan says.'
const withNode = (change: Partial<GpuNode>): ClusterSnapshot => ({
  ...cut,
  nodes: cut.nodes.map((node) => ({ ...node, ...change })),
})
const fault = { code: 'gpu-fault', message: 'GPU 0 needs a reset.', object: 'gpu/GPU-a-0' }

describe('a node is cut as planned', () => {
  test.each<[string, ClusterSnapshot, string | undefined]>([
    ['once its exporter shows the same instances', cut, undefined],
    ['not while it shows others', draw`a  A100-SXM4-80GB  [3g.40gb -] [1g.10gb -]`, NOT_AS_PLANNED],
    ['not while it shows fewer', draw`a  A100-SXM4-80GB  [3g.40gb -]`, NOT_AS_PLANNED],
    ['not while the GPU is whole', draw`a  A100-SXM4-80GB  [-]`, NOT_AS_PLANNED],
    ['not without its node', draw`b  T4  [-]`, 'a is no longer in the cluster.'],
    ['not before it is ready', withNode({ ready: false }), 'a is not ready.'],
    ['not without its GPU', withNode({ gpus: [] }), 'GPU GPU-a-0 of a is not seen by its exporter.'],
    [
      'not where the GPU broke',
      withNode({ gpus: cut.nodes.flatMap(({ gpus }) => gpus.map((gpu) => ({ ...gpu, fault }))) }),
      'GPU 0 needs a reset.',
    ],
  ])('%s', (_, seen, because) => expect(whyNot([CUT], seen)).toBe(because))
})

const instance = { profile: '3g.40gb', placement: { start: 4, size: 4 } }
const instanceStep = (kind: 'create-instance' | 'delete-instance', gpu = 'GPU-a-0'): Action => ({ kind, gpu, instance })

describe('an instance', () => {
  test.each<[string, Action, ClusterSnapshot, string | undefined]>([
    ['is made, at any place of the GPU', instanceStep('create-instance'), cut, undefined],
    [
      'is not made yet',
      instanceStep('create-instance'),
      draw`a  A100-SXM4-80GB  [1g.10gb -]`,
      'GPU GPU-a-0 has no 3g.40gb.',
    ],
    ['is gone', instanceStep('delete-instance'), draw`a  A100-SXM4-80GB  [4g.40gb -]`, undefined],
    ['is still there', instanceStep('delete-instance'), cut, 'GPU GPU-a-0 still has 3g.40gb at memory slice 4.'],
    [
      'of a GPU that nobody shows is not known',
      instanceStep('delete-instance', 'GPU-b-0'),
      cut,
      'No exporter reports GPU GPU-b-0.',
    ],
  ])('%s', (...[, action, seen, because]) => expect(whyNot([action], seen)).toBe(because))
})

describe('work', () => {
  const stop: Action = { kind: 'scale', workload: 'lab/Pod/train', from: 1, to: 0 }
  test('is stopped once it holds nothing any more', () => {
    expect(whyNot([stop], cut)).toMatch(/^lab\/train still holds GPU-a-0\/gi-\d\.$/u)
    expect(whyNot([stop], { ...cut, allocations: [] })).toBeUndefined()
    expect(whyNot([{ ...stop, to: 1 }], cut)).toBeUndefined()
  })

  test('has its new size unless one of its pods waits', () => {
    const resize: Action = { kind: 'resize', workload: 'lab/Pod/next', from: [], to: [] }
    expect(whyNot([resize], draw`? lab/next gpu`)).toBe('lab/next waits to be scheduled.')
    expect(whyNot([resize], draw`? lab/other gpu`)).toBeUndefined()
  })

  test('that was evicted runs again, unless it was said to wait, or its owner has taken it away', () => {
    const evict: Action = { kind: 'evict', pod: 'lab/next', uid: 'u', workload: 'lab/Pod/next', because: '' }
    const waits = draw`? lab/next gpu`
    const move = { pod: 'lab/next', from: 'GPU-a-0', to: undefined }
    expect(whyNot([evict], waits)).toBe('lab/next was displaced and waits to be scheduled.')
    expect(whyNot([evict], waits, [move])).toBeUndefined()
    expect(whyNot([evict], { ...waits, workloads: [] })).toBeUndefined()
  })
})

test('a machine is gone once its node is', () => {
  const remove: Action = { kind: 'remove-node', node: 'a' }
  expect(whyNot([remove], cut)).toBe('a is still there.')
  expect(whyNot([remove], draw`b  T4  [-]`)).toBeUndefined()
})

test('the end of sharing asks for no tenant', () => {
  const whole: Action = { kind: 'share', node: 'node-a', from: to, to: { kind: 'none' }, tenant: '' }
  expect(whyNot([whole], before)).toBeUndefined()
  expect(whyNot([whole], cut)).toBe('node-a is no longer in the cluster.')
})
