import { describe, expect, test } from 'vitest'

import type { LiveObject } from '../cluster-writer.ts'
import { REPLICAS_BEFORE } from '../owners/stop-write.ts'
import { context, decided, type LiveCluster } from './decide.fixture.ts'
import { decideStep } from './decide-step.ts'
import { DEFAULT_PATIENCE, type StepContext } from './decision.ts'

const live = (spec: object, metadata: object = {}): LiveObject => ({
  metadata: { namespace: 'lab', name: 'chat', resourceVersion: '7', ...metadata },
  spec,
})

type Asked = { readonly from: number; readonly to: number; readonly workload?: string }

const scale = (
  { from, to, workload = 'lab/Deployment/chat' }: Asked,
  cluster: LiveCluster,
  more: Partial<StepContext> = {},
) => decided(decideStep({ kind: 'scale', workload, from, to }, context(more)), cluster)

const THREE: LiveCluster = { deployments: [live({ replicas: 3 })] }
const was = (metadata: object): LiveCluster => ({ deployments: [live({ replicas: 0 }, metadata)] })
const pod = (name: string, phase: string): LiveObject => ({ metadata: { name }, status: { phase } })

describe('fewer or more replicas', () => {
  test('are written with the version that was read, so that whoever is faster wins', () => {
    expect(scale({ from: 3, to: 2 }, THREE)).toEqual({
      kind: 'write',
      key: 'scale',
      says: 'Scale lab/Deployment/chat to 2',
      write: {
        verb: 'patch',
        object: { group: 'apps', version: 'v1', resource: 'deployments', namespace: 'lab', name: 'chat' },
        type: 'merge',
        body: { metadata: { resourceVersion: '7' }, spec: { replicas: 2 } },
      },
    })
  })

  test('are there already, and nothing is written', () => {
    expect(scale({ from: 5, to: 3 }, THREE)).toEqual({ kind: 'done', because: 'lab/Deployment/chat is at 3.' })
  })

  test.each([
    [{ replicas: 4 }, '4'],
    [{}, 'no'],
  ])('are not written over what somebody has set since: %j', (spec, replicas) => {
    expect(scale({ from: 3, to: 2 }, { deployments: [live(spec)] })).toEqual({
      kind: 'failed',
      because: `lab/Deployment/chat has ${replicas} replicas, and the plan was made for 3. Someone changed it since.`,
    })
  })
})

test('what someone sets again after it was written is not set a second time', () => {
  const written = new Map([['scale', 1]])
  const because = 'Someone changed the replicas of lab/Deployment/chat meanwhile, and Septet does not set them again.'
  expect(scale({ from: 3, to: 0 }, THREE, { written })).toEqual({ kind: 'failed', because })
  const stopped = was({ annotations: { [REPLICAS_BEFORE]: '3' } })
  expect(scale({ from: 0, to: 3 }, stopped, { written, isUndo: true })).toEqual({ kind: 'done', because })
})

describe('work that is stopped', () => {
  test('is stopped by its own switch, and remembers how many replicas it had', () => {
    expect(scale({ from: 3, to: 0 }, THREE)).toMatchObject({
      kind: 'write',
      says: 'Stop lab/chat',
      write: { body: { metadata: { annotations: { [REPLICAS_BEFORE]: '3' } }, spec: { replicas: 0 } } },
    })
  })

  test('is stopped once none of its pods is left, those that have ended not counted', () => {
    const stopped = { deployments: [live({ replicas: 0 })] }
    const pods = [pod('chat-1', 'Running'), pod('chat-2', 'Succeeded'), pod('chatter-1', 'Running')]
    expect(scale({ from: 3, to: 0 }, { ...stopped, pods })).toEqual({
      kind: 'wait',
      because: '1 pod of lab/Deployment/chat still stops.',
      atMostMs: DEFAULT_PATIENCE.leave,
    })
    expect(scale({ from: 3, to: 0 }, stopped)).toEqual({
      kind: 'done',
      because: 'lab/Deployment/chat is stopped.',
    })
  })

  test('starts as it was, and only where that was written down', () => {
    expect(scale({ from: 0, to: 3 }, was({ annotations: { [REPLICAS_BEFORE]: '3' } }))).toMatchObject({
      kind: 'write',
      says: 'Start lab/chat',
    })
    expect(scale({ from: 0, to: 3 }, was({}))).toMatchObject({
      kind: 'failed',
      because: expect.stringContaining('How many replicas lab/chat had is not recorded'),
    })
  })
})

describe('what is not scaled, and why', () => {
  test.each<[string, Asked, LiveCluster, string]>([
    [
      'a kind without a switch',
      { from: 1, to: 0, workload: 'lab/Pod/chat' },
      {},
      'lab/Pod/chat is of a kind that Septet does not stop.',
    ],
    ['what is gone', { from: 3, to: 0 }, {}, 'lab/Deployment/chat is no longer in the cluster.'],
    [
      'what its owner keeps',
      { from: 3, to: 2 },
      { deployments: [live({ replicas: 3 }, { annotations: { 'septet.io/keep': 'true' } })] },
      'lab/chat is kept for good by its septet.io/keep.',
    ],
    [
      'what an autoscaler would scale back',
      { from: 3, to: 2 },
      {
        ...THREE,
        horizontalpodautoscalers: [
          { metadata: { name: 'h' }, spec: { scaleTargetRef: { kind: 'Deployment', name: 'chat' }, minReplicas: 3 } },
        ],
      },
      'HorizontalPodAutoscaler h keeps chat between 3 and 3 replicas, so 2 would not last. Change its limits instead.',
    ],
    [
      'what KEDA would scale back',
      { from: 3, to: 2 },
      { ...THREE, scaledobjects: [{ metadata: { name: 'k' }, spec: { scaleTargetRef: { name: 'chat' } } }] },
      'ScaledObject k scales chat and would undo it. Pause it with the annotation autoscaling.keda.sh/paused-replicas: "2" instead.',
    ],
  ])('%s', (...[, asked, cluster, because]) => {
    expect(scale(asked, cluster)).toEqual({ kind: 'failed', because })
  })

  test('an autoscaler of other work is nobody’s hindrance', () => {
    const other = { metadata: { name: 'h' }, spec: { scaleTargetRef: { kind: 'StatefulSet', name: 'chat' } } }
    expect(scale({ from: 3, to: 2 }, { ...THREE, horizontalpodautoscalers: [other] })).toMatchObject({ kind: 'write' })
  })

  test('what its owner keeps is still put back as it was', () => {
    const kept = { deployments: [live({ replicas: 2 }, { annotations: { 'septet.io/keep': 'true' } })] }
    expect(scale({ from: 2, to: 3 }, kept, { isUndo: true })).toMatchObject({ kind: 'write' })
  })

  test('of a notebook’s StatefulSet the Notebook is what is stopped', () => {
    const cluster = {
      'statefulsets/nb': [
        live(
          { replicas: 1 },
          {
            name: 'nb',
            ownerReferences: [{ apiVersion: 'kubeflow.org/v1', kind: 'Notebook', name: 'nb', controller: true }],
          },
        ),
      ],
      'notebooks/nb': [live({}, { name: 'nb' })],
    }
    expect(scale({ from: 1, to: 0, workload: 'lab/StatefulSet/nb' }, cluster)).toMatchObject({
      kind: 'write',
      write: { object: { resource: 'notebooks', name: 'nb' } },
    })
  })
})
