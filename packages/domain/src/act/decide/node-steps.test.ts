import { describe, expect, test } from 'vitest'

import type { Action } from '../../plan/words/action.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { context, decided, type LiveCluster } from './decide.fixture.ts'
import { decideStep } from './decide-step.ts'
import { DEFAULT_PATIENCE, type StepContext } from './decision.ts'
import { isReady } from './node-steps.ts'

const step = (action: Action, cluster: LiveCluster, more: Partial<StepContext> = {}) =>
  decided(decideStep(action, context(more)), cluster)

const BY = 'septet.io/cordoned-by'
const open: LiveObject = { metadata: { resourceVersion: '7' }, spec: {} }
const cordonedBy = (run: string, metadata: object = {}): LiveObject => ({
  metadata: { resourceVersion: '7', annotations: { [BY]: run }, ...metadata },
  spec: { unschedulable: true },
})

const cordon = (...nodes: LiveObject[]) => step({ kind: 'cordon', node: 'a' }, { nodes })
const running = (name: string, metadata: object = {}): LiveObject => ({
  metadata: { name, ...metadata },
  status: { phase: 'Running' },
})

describe('a cordon', () => {
  test('says on the node who closed it, and fails where somebody has changed it meanwhile', () => {
    expect(cordon(open)).toMatchObject({
      kind: 'write',
      key: 'cordon',
      says: 'Cordon a',
      write: {
        object: { resource: 'nodes', name: 'a' },
        type: 'merge',
        body: { metadata: { resourceVersion: '7', annotations: { [BY]: 'action-1' } }, spec: { unschedulable: true } },
      },
    })
  })

  test.each([
    [[cordonedBy('action-1')], { kind: 'done', because: 'a is cordoned.' }],
    [[cordonedBy('')], { kind: 'done', because: 'Someone else cordoned a; it stays cordoned afterwards.' }],
    [[], { kind: 'failed', because: 'a is no longer in the cluster.' }],
  ])('%#: is not written twice, nor over somebody else’s, nor to what is gone', (nodes, decision) => {
    expect(cordon(...nodes)).toEqual(decision)
  })
})

test('a node that someone uncordons meanwhile is not cordoned again', () => {
  const opened = { nodes: [{ ...cordonedBy('action-1'), spec: {} }] }
  const again = (more: Partial<StepContext>) => step({ kind: 'cordon', node: 'a' }, opened, more)
  expect(again({})).toEqual({
    kind: 'failed',
    because: 'Someone uncordoned a meanwhile, and Septet does not cordon it again.',
  })
  // On the way back it is cordoned once.
  expect(again({ isUndo: true })).toMatchObject({ kind: 'write' })
  expect(again({ isUndo: true, written: new Map([['cordon', 1]]) })).toMatchObject({ kind: 'done' })
})

describe('an uncordon', () => {
  const landed = [{ workload: 'lab/Deployment/chat', pods: 2 }]
  const uncordon = (cluster: LiveCluster, more: Partial<StepContext> = {}) =>
    step({ kind: 'uncordon', node: 'a', landed }, cluster, more)

  test.each([
    [[], 'a is no longer in the cluster.'],
    [[cordonedBy('action-1', { deletionTimestamp: '2026-11-01T00:00:00Z' })], 'The machine of a is being terminated.'],
    [[open], 'a accepts pods.'],
    [[cordonedBy('action-2')], 'Someone else cordoned a, so it stays cordoned.'],
  ])('%#: leaves what is not its own', (nodes, because) => {
    expect(uncordon({ nodes })).toEqual({ kind: 'done', because })
  })

  test('waits until all who left run elsewhere, pods that stop not counted', () => {
    const nodes = [cordonedBy('action-1')]
    const pods = [running('chat-1'), running('chat-2', { deletionTimestamp: '2026-11-01T00:00:00Z' })]
    expect(uncordon({ nodes, pods })).toEqual({
      kind: 'wait',
      because: 'lab/Deployment/chat has 1 of 2 pods running elsewhere.',
      atMostMs: DEFAULT_PATIENCE.leave,
    })
    expect(uncordon({ nodes, pods: [...pods, running('chat-3')] })).toMatchObject({
      kind: 'write',
      key: 'uncordon',
      write: { body: { metadata: { annotations: { [BY]: null } }, spec: { unschedulable: null } } },
    })
  })

  test('waits for nobody on the way back: those who left come to the node again', () => {
    expect(uncordon({ nodes: [cordonedBy('action-1')] }, { isUndo: true })).toMatchObject({ key: 'uncordon' })
  })
})

describe('an eviction', () => {
  const EVICT = { kind: 'evict', pod: 'lab/a', uid: 'u1', workload: 'lab/Pod/a', because: '' } as const
  const evict = (metadata: object, phase = 'Running') =>
    step(EVICT, { pods: [{ metadata: { uid: 'u1', ...metadata }, status: { phase } }] })

  test('is over once the pod has left, or has ended by itself', () => {
    expect(step(EVICT, {})).toEqual({ kind: 'done', because: 'lab/a has left.' })
    expect(evict({ uid: 'u2' })).toEqual({ kind: 'done', because: 'lab/a has left.' })
    expect(evict({}, 'Succeeded')).toEqual({ kind: 'done', because: 'lab/a has ended by itself.' })
  })

  test.each([
    [{}, 30_000],
    [{ deletionGracePeriodSeconds: 3600 }, 3_600_000],
  ])('gives a pod its own time to stop: %j', (metadata, grace) => {
    expect(evict({ ...metadata, deletionTimestamp: '2026-11-01T00:00:00Z' })).toEqual({
      kind: 'wait',
      because: 'lab/a is stopping.',
      atMostMs: DEFAULT_PATIENCE.leave + grace,
    })
  })
})

test.each([
  ['ready', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }, true],
  ['not ready', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }, false],
  ['of unknown health', { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } }, false],
  ['of no conditions', { status: {} }, false],
  [
    'ready and on its way out',
    { metadata: { deletionTimestamp: 'now' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    false,
  ],
])('what is %s', (_, object, ready) => expect(isReady(object)).toBe(ready))

test('a step that only the files of a plan can bring about is left to a person', () => {
  const place = { pool: '', model: '', requests: [] }
  const action = {
    kind: 'reschedule',
    workload: 'lab/Job/train',
    rules: { nodeSelector: {}, hasAffinity: false },
    from: place,
    to: place,
  } as const
  expect(step(action, {})).toEqual({
    kind: 'failed',
    because: 'Septet does not apply this step. Apply it by hand from the files of the plan.',
  })
})
