import { expect, test } from 'vitest'
import { autoscalerOf } from './autoscaler-of.ts'

const TARGET = { kind: 'Deployment', name: 'chat' }
const hpa = (name: string, more: object = {}) => ({
  metadata: { namespace: 'lab', name, ...more },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'chat' }, minReplicas: 2, maxReplicas: 6 },
})
const scaled = (annotations: object = {}, aim: object = { name: 'chat' }) => ({
  metadata: { namespace: 'lab', name: 'chat-scaler', annotations },
  spec: { scaleTargetRef: aim },
})
const ofKeda = hpa('keda-hpa-chat-scaler', {
  ownerReferences: [{ apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', name: 'chat-scaler', controller: true }],
})

test('nobody scales it: nothing would undo the change', () => {
  expect(autoscalerOf(TARGET, 0, { hpas: [], scaledObjects: [] })).toBeUndefined()
  const others = { hpas: [hpa('other')], scaledObjects: [scaled()] }
  expect(autoscalerOf({ kind: 'Deployment', name: 'other' }, 0, others)).toBeUndefined()
  expect(autoscalerOf({ kind: 'StatefulSet', name: 'chat' }, 0, others)).toBeUndefined()
})

test('an HPA would undo it: refused, with what to do', () => {
  expect(autoscalerOf(TARGET, 0, { hpas: [hpa('chat')], scaledObjects: [] })).toEqual({
    kind: 'refuse',
    name: 'chat',
    because:
      'HorizontalPodAutoscaler chat keeps chat between 2 and 6 replicas, so 0 would not last. Delete it or stop the workload by hand, or scale it with KEDA, which can be paused at 0.',
  })
  expect(autoscalerOf(TARGET, 1, { hpas: [hpa('chat')], scaledObjects: [] })).toMatchObject({
    because: expect.stringContaining('so 1 would not last. Change its limits instead.'),
  })
})

test('KEDA is paused at the number and resumed again; the HPA that it made is its own', () => {
  const object = {
    group: 'keda.sh',
    version: 'v1alpha1',
    resource: 'scaledobjects',
    namespace: 'lab',
    name: 'chat-scaler',
  }
  const write = (value: string | null) => ({
    verb: 'patch',
    object,
    type: 'merge',
    body: { metadata: { annotations: { 'autoscaling.keda.sh/paused-replicas': value } } },
  })
  expect(autoscalerOf(TARGET, 0, { hpas: [ofKeda], scaledObjects: [scaled()] })).toEqual({
    kind: 'pause',
    name: 'chat-scaler',
    pause: write('0'),
    resume: write(null),
  })
})

test('a ScaledObject may name another kind', () => {
  const stateful = scaled({}, { kind: 'StatefulSet', name: 'chat' })
  expect(autoscalerOf(TARGET, 0, { hpas: [], scaledObjects: [stateful] })).toBeUndefined()
  expect(autoscalerOf({ kind: 'StatefulSet', name: 'chat' }, 0, { hpas: [], scaledObjects: [stateful] })).toMatchObject(
    {
      kind: 'pause',
    },
  )
})

const at = (annotations: object) => autoscalerOf(TARGET, 0, { hpas: [], scaledObjects: [scaled(annotations)] })

test('paused already: it undoes nothing; paused at another number: it would', () => {
  expect(at({ 'autoscaling.keda.sh/paused': 'true' })).toBeUndefined()
  expect(at({ 'autoscaling.keda.sh/paused': 'false' })).toMatchObject({ kind: 'pause' })
  expect(at({ 'autoscaling.keda.sh/paused-replicas': '0' })).toBeUndefined()
  expect(at({ 'autoscaling.keda.sh/paused-replicas': '3' })).toMatchObject({
    kind: 'refuse',
    because: expect.stringContaining('is paused at 3 replicas by someone else'),
  })
})

test('a ScaledObject that git keeps is not written, and an HPA of one that nobody could read names it', () => {
  const labels = { 'kustomize.toolkit.fluxcd.io/name': 'apps' }
  const kept = { ...scaled(), metadata: { namespace: 'lab', name: 'chat-scaler', labels } }
  expect(autoscalerOf(TARGET, 0, { hpas: [ofKeda], scaledObjects: [kept] })).toMatchObject({
    kind: 'refuse',
    because: expect.stringContaining('ScaledObject chat-scaler, which scales chat, is managed by Flux (apps)'),
  })
  expect(autoscalerOf(TARGET, 0, { hpas: [ofKeda], scaledObjects: [] })).toMatchObject({
    kind: 'refuse',
    because: expect.stringContaining('It belongs to ScaledObject chat-scaler: change that one.'),
  })
})
