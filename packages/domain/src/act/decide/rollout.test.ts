import { describe, expect, test } from 'vitest'

import { instantOf } from '../../analyze/time-range.ts'
import { instant, MINUTE_MS } from '../../units.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { gpuAsksOf, resizableOf, resourcesOf, type Resize } from '../owners/gpu-asks.ts'
import { context, decided, type LiveCluster } from './decide.fixture.ts'
import { DEFAULT_PATIENCE, type StepContext } from './decision.ts'
import { decideRollout, replacedPods } from './rollout.ts'

type Rollout = Parameters<typeof decideRollout>[0]

const GPU = 'nvidia.com/gpu'
const SLICE = 'nvidia.com/mig-3g.40gb'
const MADE = '2026-11-23T10:00:00Z'
const NOW = instant((instantOf(MADE) ?? 0) + MINUTE_MS)

const spec = (resource: string): LiveObject => ({
  containers: [
    { name: 'main', resources: { limits: { [resource]: '1' } } },
    { name: 'proxy', resources: {} },
  ],
})
/** What makes two pods of the new size, with what its controller says of them. */
const live = (status: LiveObject = {}, of: LiveObject = {}): LiveObject => ({
  metadata: { namespace: 'lab', name: 'chat', uid: 'owner', generation: 3 },
  spec: { replicas: 2, template: { spec: spec(SLICE) }, selector: { matchLabels: { app: 'chat' } }, ...of },
  status: { observedGeneration: 3, replicas: 2, updatedReplicas: 2, availableReplicas: 2, readyReplicas: 2, ...status },
})
const pod = (
  name: string,
  resource: string,
  ...[status = {}, metadata = {}]: readonly [LiveObject?, LiveObject?]
): LiveObject => ({
  metadata: { namespace: 'lab', name, uid: name, creationTimestamp: MADE, ...metadata },
  spec: { ...spec(resource), nodeName: 'node-a' },
  status,
})
const container = (state: LiveObject, lastState: LiveObject = {}): LiveObject => ({
  containerStatuses: [{ name: 'main', state, lastState }],
})
const UNPLACED = { conditions: [{ type: 'PodScheduled', status: 'False', message: 'Too few GPUs.' }] }

/** The rollout of a workload of this kind whose template says the new size. */
function rolloutOf(kind: string, object: LiveObject): Rollout {
  const action: Resize = {
    kind: 'resize',
    workload: `lab/${kind}/chat`,
    from: [{ resource: GPU, count: 1 }],
    to: [{ resource: SLICE, count: 1 }],
  }
  const target = resizableOf(action.workload)
  if (target === undefined) throw new Error(`a ${kind} is not resized`)
  const asks = gpuAsksOf(target.kind, object, resourcesOf(action))
  if (typeof asks === 'string') throw new Error(asks)
  return { action, target, live: object, asks }
}

const roll = (object: LiveObject, cluster: LiveCluster = {}, more: Partial<StepContext> = {}) =>
  decided(decideRollout(rolloutOf('Deployment', object), context({ now: NOW, ...more })), cluster)

describe('a rollout', () => {
  test('is over once every pod is made again and runs', () => {
    expect(roll(live())).toEqual({
      kind: 'done',
      because: 'Every pod of lab/Deployment/chat asks for 1 × nvidia.com/mig-3g.40gb and runs.',
    })
  })

  test.each([
    [{ observedGeneration: 2 }, 'its controller has not seen the change yet.'],
    [{ updatedReplicas: 1 }, '1 of 2 are replaced.'],
    [{ replicas: 3 }, '1 old pod is still stopping.'],
    [{ replicas: 4 }, '2 old pods are still stopping.'],
    [{ availableReplicas: 1 }, '1 of 2 run.'],
    // The API leaves zeros out.
    [{ availableReplicas: undefined }, '0 of 2 run.'],
  ])('is waited for while %j', (status, left) => {
    expect(roll(live(status))).toEqual({
      kind: 'wait',
      because: `lab/Deployment/chat: ${left}`,
      atMostMs: DEFAULT_PATIENCE.rollout,
    })
  })

  test.each([
    [{ phase: 'Failed', reason: 'Evicted' }, 'Evicted'],
    [{ phase: 'Failed' }, 'it has failed'],
    [container({ waiting: { reason: 'CreateContainerConfigError' } }), 'main is in CreateContainerConfigError'],
    [
      container({ waiting: { reason: 'CrashLoopBackOff' } }, { terminated: { reason: 'Error' } }),
      'main is in CrashLoopBackOff after Error',
    ],
    [container({ running: {} }, { terminated: { reason: 'OOMKilled' } }), 'main ran out of memory'],
    [
      { initContainerStatuses: [{ name: 'fetch', state: { waiting: { reason: 'InvalidImageName' } } }] },
      'fetch is in InvalidImageName',
    ],
  ])('fails where a pod of the new size is %j', (status, why) => {
    expect(roll(live({ availableReplicas: 1 }), { pods: [pod('chat-1', SLICE, status)] })).toEqual({
      kind: 'failed',
      because: `lab/chat-1 does not run with 1 × nvidia.com/mig-3g.40gb: ${why}.`,
    })
  })

  test('goes on where a pod may still come up, or is on its way out', () => {
    const waits = live({ availableReplicas: 1 })
    for (const each of [
      pod('chat-1', SLICE, container({ waiting: { reason: 'ImagePullBackOff' } })),
      pod('chat-1', SLICE, container({ waiting: { reason: 'ContainerCreating' } })),
      pod('chat-1', SLICE, { phase: 'Failed' }, { deletionTimestamp: MADE }),
      pod('chat-1', SLICE, UNPLACED),
    ]) {
      expect(roll(waits, { pods: [each] })).toMatchObject({ kind: 'wait' })
    }
  })

  test('gives a pod that finds no place some minutes, and none on the way back, where its place comes later', () => {
    const pods = [pod('chat-1', SLICE, UNPLACED)]
    const late = instant(NOW + DEFAULT_PATIENCE.settle)
    expect(roll(live({ availableReplicas: 1 }), { pods }, { now: late })).toEqual({
      kind: 'failed',
      because: 'lab/chat-1 cannot be scheduled with 1 × nvidia.com/mig-3g.40gb: Too few GPUs.',
    })
    expect(roll(live({ availableReplicas: 1 }), { pods }, { isUndo: true })).toEqual({
      kind: 'done',
      because: 'lab/Deployment/chat asks for 1 × nvidia.com/mig-3g.40gb again; lab/chat-1 waits to be scheduled.',
    })
  })
})

const replaced = (cluster: LiveCluster) => decided(replacedPods(rolloutOf('Notebook', live())), cluster)

/** A StatefulSet whose second pod has still the former size, and is so. */
const statefulSet = (status: LiveObject) => {
  const mine = { ownerReferences: [{ uid: 'owner' }] }
  return decided(decideRollout(rolloutOf('StatefulSet', live({ updatedReplicas: 1 })), context({ now: NOW })), {
    pods: [pod('chat-0', GPU, status, mine)],
  })
}

describe('of a Notebook', () => {
  const notebook = live()
  const own = (cluster: LiveCluster) =>
    decided(decideRollout(rolloutOf('Notebook', notebook), context({ now: NOW })), cluster)

  test('its StatefulSet tells how far it is, once that has the new size, too', () => {
    const unseen = {
      kind: 'wait',
      because: 'The controller of lab/Notebook/chat has not seen it yet.',
      atMostMs: DEFAULT_PATIENCE.settle,
    }
    expect(own({})).toEqual(unseen)
    expect(own({ statefulsets: [live({}, { template: { spec: spec(GPU) } })] })).toEqual(unseen)
    expect(own({ statefulsets: [live()] })).toMatchObject({ kind: 'done' })
  })

  test('the pods that make way are those of its StatefulSet, and none before it has one', () => {
    expect(replaced({ pods: [pod('chat-0', GPU)] })).toEqual([])
    expect(replaced({ statefulsets: [live()], pods: [pod('chat-0', GPU), pod('chat-1', SLICE)] })).toEqual([
      'lab/chat-0',
    ])
  })
})

test('a broken pod of the former size is evicted from a StatefulSet, which would wait for it for ever', () => {
  expect(statefulSet(UNPLACED)).toEqual({
    kind: 'write',
    key: 'evict chat-0',
    says: 'Evict lab/chat-0, which does not run and would hold up the others',
    write: {
      verb: 'evict',
      object: { group: '', version: 'v1', resource: 'pods', namespace: 'lab', name: 'chat-0' },
      uid: 'chat-0',
    },
    stops: [],
  })
  expect(statefulSet({ phase: 'Running' })).toMatchObject({
    kind: 'wait',
    because: 'lab/StatefulSet/chat: 1 of 2 are replaced.',
  })
})

test.each([
  ['InferenceService', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }, 'done'],
  ['InferenceService', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }, 'wait'],
  ['LeaderWorkerSet', { status: { replicas: 2, updatedReplicas: 2, readyReplicas: 2 } }, 'done'],
  ['LeaderWorkerSet', { status: { replicas: 2, updatedReplicas: 2, availableReplicas: 2 } }, 'wait'],
])('%s tells by %j: %s', (kind, told, decision) => {
  const limits = { [SLICE]: '1' }
  const template =
    kind === 'InferenceService'
      ? { predictor: { model: { resources: { limits } } } }
      : { replicas: 2, leaderWorkerTemplate: { workerTemplate: { spec: spec(SLICE) } } }
  const object = { metadata: { namespace: 'lab', name: 'chat' }, spec: template, ...told }
  expect(decided(decideRollout(rolloutOf(kind, object), context({ now: NOW })), {})).toMatchObject({ kind: decision })
})
