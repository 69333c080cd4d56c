import { describe, expect, test } from 'vitest'
import type { Action } from '../../plan/words/action.ts'
import { instant } from '../../units.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { decideStep } from './decide-step.ts'
import { context as anyContext, decided as followed } from './decide.fixture.ts'
import { DEFAULT_PATIENCE, type StepDecision } from './decision.ts'

/** 2026-11-23T10:00:00Z */
const NOON = 1_795_428_000_000
const GPU = 'nvidia.com/gpu'
const SLICE = 'nvidia.com/mig-1g.10gb'
const TO = [{ resource: SLICE, count: 1 }]
const FROM = [{ resource: GPU, count: 1 }]

const resize = (kind: string): Action => ({ kind: 'resize', workload: `lab/${kind}/chat`, from: FROM, to: TO })
const context = (more: Parameters<typeof anyContext>[0] = {}) => anyContext({ now: instant(NOON), ...more })

function decided(kind: string, cluster: Readonly<Record<string, readonly LiveObject[]>>, more = {}): StepDecision {
  return followed(decideStep(resize(kind), context(more)), cluster)
}

const metadata = { namespace: 'lab', name: 'chat', resourceVersion: '7', generation: 2, uid: 'owner' }
const container = (resource: string, more: LiveObject = {}) => ({
  name: 'main',
  resources: { limits: { cpu: '4', [resource]: '1' } },
  ...more,
})
const podSpec = (resource: string, more: LiveObject = {}) => ({ containers: [container(resource)], ...more })
const deployment = (resource: string, more: { spec?: LiveObject; status?: LiveObject } = {}) => ({
  metadata,
  spec: {
    replicas: 1,
    template: { spec: podSpec(resource) },
    selector: { matchLabels: { app: 'chat' } },
    ...more.spec,
  },
  status: { observedGeneration: 2, replicas: 1, updatedReplicas: 1, availableReplicas: 1, ...more.status },
})
const pod = (resource: string, status: LiveObject) => ({
  metadata: {
    namespace: 'lab',
    name: 'chat-1',
    uid: 'u1',
    creationTimestamp: '2026-11-23T09:50:00Z',
    ownerReferences: [{ uid: 'owner' }],
  },
  spec: podSpec(resource),
  status,
})
const placed = (name: string, resource: string, more: LiveObject = {}) => ({
  metadata: { namespace: 'lab', name, ...more },
  spec: podSpec(resource, { nodeName: 'node-a' }),
})
const bodyOf = (decision: StepDecision): unknown =>
  decision.kind === 'write' && decision.write.verb === 'patch' ? decision.write.body : decision

const paths = (decision: StepDecision): string => JSON.stringify(bodyOf(decision))

test('a size that someone sets back after it was written is not written again', () => {
  const written = new Map([['resize', 1]])
  const again = (isUndo: boolean) => decided('Deployment', { deployments: [deployment(GPU)] }, { written, isUndo })
  expect([again(false).kind, again(true).kind]).toEqual(['failed', 'done'])
})

describe('where the size of pods is written', () => {
  test('only the GPUs change, and only limits where only limits are written', () => {
    expect(bodyOf(decided('Deployment', { deployments: [deployment(GPU)] }))).toEqual([
      { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
      { op: 'test', path: '/spec/template/spec/containers/0/name', value: 'main' },
      { op: 'remove', path: '/spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu' },
      { op: 'add', path: '/spec/template/spec/containers/0/resources/limits/nvidia.com~1mig-1g.10gb', value: '1' },
      { op: 'add', path: '/metadata/annotations', value: {} },
      {
        op: 'add',
        path: '/metadata/annotations/septet.io~1requests-before',
        value: JSON.stringify({
          run: 'action-1',
          containers: [{ path: '/spec/template/spec/containers/0', limits: { [GPU]: '1' } }],
        }),
      },
    ])
  })

  test('a group has leaders and workers, and an inference service the model that it serves', () => {
    const group = {
      metadata,
      spec: {
        leaderWorkerTemplate: { leaderTemplate: { spec: podSpec(GPU) }, workerTemplate: { spec: podSpec(GPU) } },
      },
    }
    expect(paths(decided('LeaderWorkerSet', { leaderworkersets: [group] }))).toMatch(
      /workerTemplate\/spec\/containers\/0\/resources.*leaderTemplate\/spec\/containers\/0\/resources/u,
    )
    const model = { resources: { limits: { [GPU]: '1' }, requests: { [GPU]: '1' } } }
    const service = { metadata, spec: { predictor: { model } } }
    expect(paths(decided('InferenceService', { inferenceservices: [service] }))).toContain(
      '/spec/predictor/model/resources/requests/nvidia.com~1mig-1g.10gb',
    )
    const silent = { metadata, spec: { predictor: { model: {} } } }
    expect(decided('InferenceService', { inferenceservices: [silent] })).toMatchObject({ kind: 'failed' })
  })

  test.for([
    ['Job', /cannot be changed after creation\. Recreate lab\/Job\/chat/u],
    ['RayCluster', /KubeRay takes another template/u],
    ['CronJob', /Septet does not change what the pods of a CronJob ask for/u],
  ] as const)('a %s is left to a person, in words', ([kind, words]) => {
    expect(decided(kind, {})).toMatchObject({ kind: 'failed', because: expect.stringMatching(words) })
  })
})

describe('what a Notebook made', () => {
  const owned = (object: LiveObject): LiveObject => ({
    ...object,
    metadata: {
      ...metadata,
      ownerReferences: [{ apiVersion: 'kubeflow.org/v1', kind: 'Notebook', name: 'chat', controller: true }],
    },
  })
  const notebook = { apiVersion: 'kubeflow.org/v1', metadata, spec: { template: { spec: podSpec(GPU) } } }

  test('is given its size, and stopped, by the Notebook', () => {
    const cluster = { statefulsets: [owned(deployment(GPU))], notebooks: [notebook] }
    const target = { write: { object: { resource: 'notebooks', name: 'chat' } } }
    expect(decided('StatefulSet', cluster)).toMatchObject(target)
    const stop: Action = { kind: 'scale', workload: 'lab/StatefulSet/chat', from: 1, to: 0 }
    expect(followed(decideStep(stop, context()), cluster)).toMatchObject(target)
  })

  test('by a kind that Septet does not know says whom to change', () => {
    const foreign = owned(deployment(GPU))
    const metadataOf = {
      ...metadata,
      ownerReferences: [{ apiVersion: 'x/v1', kind: 'Thing', name: 'it', controller: true }],
    }
    expect(decided('StatefulSet', { statefulsets: [{ ...foreign, metadata: metadataOf }] })).toMatchObject({
      kind: 'failed',
      because: expect.stringMatching(/made by Thing it/u),
    })
  })
})

describe('the way back to a size names the pods that it stops', () => {
  const pods = [
    placed('chat-b', GPU),
    placed('chat-a', GPU),
    placed('chat-former', SLICE),
    placed('chat-leaves', GPU, { deletionTimestamp: '2026-11-23T09:59:00Z' }),
    { ...pod(GPU, UNPLACED), metadata: { namespace: 'lab', name: 'chat-waits' } },
  ]
  const back = (spec: LiveObject = {}, isUndo = true) =>
    decided('Deployment', { deployments: [deployment(GPU, { spec })], pods }, { isUndo })

  test('those that run with the other size and no others', () => {
    expect(back()).toMatchObject({ kind: 'write', stops: ['lab/chat-a', 'lab/chat-b'] })
    expect(back({}, false)).not.toHaveProperty('stops')
  })

  test('by the StatefulSet that a Notebook made', () => {
    const notebook = { metadata, spec: { template: { spec: podSpec(GPU) } } }
    const cluster = { notebooks: [notebook], statefulsets: [deployment(GPU)], pods }
    expect(decided('Notebook', cluster, { isUndo: true })).toMatchObject({ stops: ['lab/chat-a', 'lab/chat-b'] })
  })

  test('none where the rollout is paused', () => {
    expect(back({ paused: true })).toMatchObject({ kind: 'write', stops: [] })
  })
})

describe('it is not begun', () => {
  test.for<readonly [string, string, LiveObject, RegExp]>([
    ['a paused rollout', 'Deployment', deployment(GPU, { spec: { paused: true } }), /rollout .* is paused/u],
    [
      'pods replaced on deletion',
      'StatefulSet',
      deployment(GPU, { spec: { updateStrategy: { type: 'OnDelete' } } }),
      /OnDelete/u,
    ],
    [
      'a partition',
      'StatefulSet',
      deployment(GPU, { spec: { updateStrategy: { rollingUpdate: { partition: 2 } } } }),
      /first 2 pods/u,
    ],
    ['another size since', 'Deployment', deployment('nvidia.com/mig-2g.20gb'), /ask for|does not define/u],
    [
      'what is kept',
      'Deployment',
      { ...deployment(GPU), metadata: { ...metadata, annotations: { 'septet.io/keep': 'true' } } },
      /is kept for good/u,
    ],
    [
      'two that ask',
      'Deployment',
      deployment(GPU, {
        spec: { template: { spec: { containers: [container(GPU), container(GPU, { name: 'two' })] } } },
      }),
      /main and two .* ask for GPUs each/u,
    ],
  ])('with %s', ([, kind, live, words]) => {
    const resource = kind === 'Deployment' ? 'deployments' : 'statefulsets'
    expect(decided(kind, { [resource]: [live] })).toMatchObject({
      kind: 'failed',
      because: expect.stringMatching(words),
    })
  })
})

const UNPLACED = { conditions: [{ type: 'PodScheduled', status: 'False', message: '0/9 nodes are available.' }] }
const CRASHES = {
  containerStatuses: [
    {
      name: 'main',
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { reason: 'OOMKilled' } },
    },
  ],
}

const rolling = (status: LiveObject, pods: readonly LiveObject[] = [], more = {}) =>
  decided('Deployment', { deployments: [deployment(SLICE, { status })], pods }, more)

describe('what becomes of its pods', () => {
  test('is waited for until its controller has seen it and every pod is made again and available', () => {
    expect(rolling({})).toMatchObject({ kind: 'done' })
    for (const status of [
      { observedGeneration: 1 },
      { updatedReplicas: 0 },
      { replicas: 2 },
      { availableReplicas: 0 },
    ]) {
      expect(rolling(status)).toMatchObject({ kind: 'wait', atMostMs: DEFAULT_PATIENCE.rollout })
    }
  })

  test('fails it when one crashes, or finds no place for five minutes; not on the way back', () => {
    const waits = { availableReplicas: 0 }
    expect(rolling(waits, [pod(SLICE, CRASHES)])).toMatchObject({
      kind: 'failed',
      because: expect.stringMatching(/CrashLoopBackOff after OOMKilled/u),
    })
    expect(rolling(waits, [pod(SLICE, UNPLACED)])).toMatchObject({ kind: 'failed' })
    const soon = instant(NOON - 360_000)
    expect(rolling(waits, [pod(SLICE, UNPLACED)], { now: soon })).toMatchObject({ kind: 'wait' })
    expect(rolling(waits, [pod(SLICE, UNPLACED)], { isUndo: true })).toMatchObject({ kind: 'done' })
    // Of the former size it is on its way out.
    expect(rolling(waits, [pod(GPU, CRASHES)])).toMatchObject({ kind: 'wait' })
  })

  test('is not held up by a pod of a StatefulSet that never runs', () => {
    const set = { statefulsets: [deployment(SLICE, { status: { updatedReplicas: 0 } })] }
    expect(decided('StatefulSet', { ...set, pods: [pod(GPU, CRASHES)] })).toMatchObject({
      kind: 'write',
      write: { verb: 'evict', uid: 'u1' },
    })
    const foreign = { ...pod(GPU, CRASHES), metadata: { name: 'chat-2', uid: 'u2' } }
    expect(decided('StatefulSet', { ...set, pods: [foreign] })).toMatchObject({ kind: 'wait' })
  })
})
