import { describe, expect, test } from 'vitest'
import type { LiveObject } from '../cluster-writer.ts'
import {
  IDLE_WARNING,
  isStoppable,
  REPLICAS_BEFORE,
  startWrite,
  STOPPABLE,
  type StoppableKind,
  stopWrite,
  type StopWrite,
} from './stop-write.ts'

const live = (
  spec: object,
  more: { readonly metadata?: object; readonly [key: string]: unknown } = {},
): LiveObject => ({
  ...more,
  metadata: { namespace: 'lab', name: 'chat', resourceVersion: '7', ...more.metadata },
  spec,
})
const bodyOf = (written: StopWrite): unknown =>
  written.kind === 'write' && 'body' in written.write ? written.write.body : written

/** A merge as RFC 7386 has it, so that what is stopped can be started again. */
function merged(object: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null) return patch
  const result = new Map<string, unknown>(typeof object === 'object' && object !== null ? Object.entries(object) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key)
    else result.set(key, merged(result.get(key), value))
  }
  return Object.fromEntries(result)
}

describe('each kind is stopped and started again as it was', () => {
  const cases: ReadonlyArray<readonly [StoppableKind, LiveObject, object]> = [
    ['Deployment', live({ replicas: 3, paused: true }), { spec: { replicas: 0 } }],
    ['StatefulSet', live({ replicas: 2 }), { spec: { replicas: 0 } }],
    ['LeaderWorkerSet', live({ replicas: 2 }), { spec: { replicas: 0 } }],
    ['Job', live({ suspend: false }), { spec: { suspend: true } }],
    ['JobSet', live({ suspend: false }), { spec: { suspend: true } }],
    ['RayCluster', live({ suspend: false }), { spec: { suspend: true } }],
    ['PyTorchJob', live({ runPolicy: { suspend: false } }), { spec: { runPolicy: { suspend: true } } }],
    [
      'Notebook',
      live({}, { metadata: { annotations: { 'notebooks.kubeflow.org/last-activity': '2026-06-15' } } }),
      { metadata: { annotations: { 'kubeflow-resource-stopped': 'true' } } },
    ],
    [
      'InferenceService',
      live({ predictor: { minReplicas: 2 } }, { metadata: { annotations: {} } }),
      { metadata: { annotations: { 'serving.kserve.io/stop': 'true' } } },
    ],
    [
      'InferenceService',
      live({ predictor: { minReplicas: 2 } }, { status: { deploymentMode: 'Knative' } }),
      { spec: { predictor: { minReplicas: 0 } } },
    ],
    ['Workload', live({ active: true }), { spec: { active: false } }],
  ]

  test.each(cases)('%s %#', (kind, before, stopped) => {
    const stop = stopWrite(kind, before)
    const object = { ...STOPPABLE[kind], namespace: 'lab', name: 'chat' }
    expect(stop).toMatchObject({ kind: 'write', write: { verb: 'patch', object, type: 'merge', body: stopped } })
    expect(bodyOf(stop)).toMatchObject({ metadata: { resourceVersion: '7' } })
    const after = merged(before, bodyOf(stop)) as LiveObject
    expect(stopWrite(kind, after)).toMatchObject({ kind: 'done' })
    const again = merged(after, bodyOf(startWrite(kind, after))) as LiveObject
    expect(startWrite(kind, again)).toMatchObject({ kind: 'done' })
    expect(again).toMatchObject(before)
    expect(JSON.stringify(again)).not.toContain('replicas-before')
  })

  test('every kind of the table is among them', () => {
    expect([...new Set(cases.map(([kind]) => kind))].toSorted()).toEqual(Object.keys(STOPPABLE).toSorted())
    expect(['Deployment', 'DaemonSet', 'Pod', 'constructor'].filter(isStoppable)).toEqual(['Deployment'])
  })
})

test('the replicas from before stand in an annotation, so that anyone can start it again', () => {
  expect(bodyOf(stopWrite('Deployment', live({ replicas: 3 })))).toEqual({
    metadata: { annotations: { [REPLICAS_BEFORE]: '3' }, resourceVersion: '7' },
    spec: { replicas: 0 },
  })
})

test.each([undefined, '', '0', '-1', '2.5', 'many'])('with %s replicas written down it is not started', (before) => {
  const annotations = before === undefined ? {} : { 'septet.io/replicas-before': before }
  expect(startWrite('Deployment', live({ replicas: 0 }, { metadata: { annotations } }))).toMatchObject({
    kind: 'refused',
    because: expect.stringContaining('Scale it by hand.'),
  })
})

test('a notebook is stopped by the annotation whatever it holds', () => {
  const stopped = live({}, { metadata: { annotations: { 'kubeflow-resource-stopped': 'false' } } })
  expect(stopWrite('Notebook', stopped)).toMatchObject({ kind: 'done' })
  expect(bodyOf(startWrite('Notebook', stopped))).toMatchObject({
    metadata: { annotations: { 'kubeflow-resource-stopped': null } },
  })
})

test('an inference service of Knative or KEDA sleeps, any other is stopped', () => {
  const keda = live({}, { metadata: { annotations: { 'serving.kserve.io/autoscalerClass': 'keda' } } })
  expect(stopWrite('InferenceService', keda)).toMatchObject({
    kind: 'write',
    wakes: true,
    says: 'Let lab/chat sleep until the next request',
  })
  const raw = live({}, { metadata: { annotations: { 'serving.kserve.io/deploymentMode': 'RawDeployment' } } })
  expect(stopWrite('InferenceService', raw)).toMatchObject({ kind: 'write', says: 'Stop lab/chat' })
  const asleep = live({ predictor: { minReplicas: 0 } }, { status: { deploymentMode: 'Serverless' } })
  expect(stopWrite('InferenceService', asleep)).toMatchObject({
    kind: 'done',
    because: expect.stringContaining('scales to zero by itself'),
  })
  expect(startWrite('InferenceService', asleep)).toMatchObject({ kind: 'done' })
})

test('what a controller made, and what Kueue suspends itself, is stopped elsewhere', () => {
  const ownerReferences = [{ apiVersion: 'ray.io/v1', kind: 'RayJob', name: 'tune', controller: true }]
  expect(stopWrite('RayCluster', live({}, { metadata: { ownerReferences } }))).toEqual({
    kind: 'refused',
    because: 'RayJob tune owns lab/chat and would change it back. Stop that one instead.',
  })
  const queued = { metadata: { labels: { 'kueue.x-k8s.io/queue-name': 'gpus' } } }
  expect(stopWrite('Job', live({ suspend: false }, queued))).toMatchObject({
    kind: 'refused',
    because: expect.stringContaining('Deactivate its Workload instead (spec.active: false).'),
  })
  expect(stopWrite('Deployment', live({ replicas: 1 }, queued))).toMatchObject({ kind: 'write' })
  const jobs = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'train', controller: true }]
  expect(stopWrite('Workload', live({ active: true }, { metadata: { ownerReferences: jobs } }))).toMatchObject({
    kind: 'write',
  })
})

test('a job that has ended needs no stop', () => {
  const status = { conditions: [{ type: 'Complete', status: 'True' }] }
  expect(stopWrite('Job', live({ suspend: false }, { status }))).toEqual({
    kind: 'done',
    because: 'lab/chat has ended.',
  })
  const running = { conditions: [{ type: 'Failed', status: 'False' }] }
  expect(stopWrite('Job', live({ suspend: false }, { status: running }))).toMatchObject({ kind: 'write' })
})

test('an object is patched in the version in which it was read', () => {
  const queued = live({ active: true }, { apiVersion: 'kueue.x-k8s.io/v1beta2' })
  expect(stopWrite('Workload', queued)).toMatchObject({ write: { object: { version: 'v1beta2' } } })
})

test('the warning to its owner goes with the stop that it is about, and with the start again', () => {
  const warned = { metadata: { annotations: { [IDLE_WARNING]: 'It is stopped at 12:00.', team: 'lab' } } }
  const stopped = merged(live({ replicas: 2 }, warned), bodyOf(stopWrite('Deployment', live({ replicas: 2 }, warned))))
  expect(stopped).toMatchObject({ metadata: { annotations: { team: 'lab', [REPLICAS_BEFORE]: '2' } } })
  expect(JSON.stringify(stopped)).not.toContain(IDLE_WARNING)
  expect(bodyOf(stopWrite('Job', live({ suspend: false }, warned)))).toMatchObject({
    metadata: { annotations: { [IDLE_WARNING]: null } },
  })
})

test.each<[StopWrite, string]>([
  [stopWrite('Deployment', live({ replicas: 0 })), 'lab/chat is stopped already.'],
  [startWrite('Deployment', live({ replicas: 2 })), 'lab/chat is not stopped.'],
  [
    startWrite('InferenceService', live({ predictor: { minReplicas: 0 } }, { status: { deploymentMode: 'Knative' } })),
    'lab/chat starts by itself with the next request.',
  ],
])('%#: where nothing has to be done it says why', (written, because) => {
  expect(written).toEqual({ kind: 'done', because })
})

test('what a controller made is not started either', () => {
  const ownerReferences = [{ apiVersion: 'ray.io/v1', kind: 'RayJob', name: 'tune', controller: true }]
  expect(startWrite('RayCluster', live({ suspend: true }, { metadata: { ownerReferences } }))).toMatchObject({
    kind: 'refused',
  })
})
