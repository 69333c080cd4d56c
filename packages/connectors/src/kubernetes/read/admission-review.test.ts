import { instant } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { readAdmissionReview } from './admission-review.ts'

/** As a ReplicaSet's pod comes to a webhook: without name, uid and time. */
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    generateName: 'chat-7d9f4c-',
    creationTimestamp: null,
    labels: { app: 'chat', 'pod-template-hash': '7d9f4c' },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: 'chat-7d9f4c',
        uid: 'u-1',
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  },
  spec: {
    containers: [
      {
        name: 'main',
        image: 'chat:1',
        resources: { limits: { 'nvidia.com/gpu': '1' }, requests: { cpu: '2', memory: '8Gi', 'nvidia.com/gpu': '1' } },
      },
    ],
    nodeSelector: { zone: 'a' },
  },
  status: {},
}

const review = (more: object = {}, object: unknown = pod) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid: 'r-1',
    kind: { group: '', version: 'v1', kind: 'Pod' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    namespace: 'lab',
    operation: 'CREATE',
    userInfo: { username: 'system:serviceaccount:kube-system:replicaset-controller' },
    object,
    oldObject: null,
    dryRun: false,
    ...more,
  },
})
const read = (raw: unknown) => readAdmissionReview(raw, instant(0))
const withSpec = (more: object) => read(review({}, { ...pod, spec: { ...pod.spec, ...more } })).pod

test('a pod of a ReplicaSet is known by its Deployment, and by what it asks for', () => {
  expect(read(review())).toEqual({
    uid: 'r-1',
    isDryRun: false,
    pod: expect.objectContaining({
      namespace: 'lab',
      name: 'chat-7d9f4c-',
      annotations: undefined,
      owners: ['lab/ReplicaSet/chat-7d9f4c', 'lab/Deployment/chat'],
      requests: [{ resource: 'nvidia.com/gpu', count: 1 }],
      claims: false,
      queued: false,
      scheduling: expect.objectContaining({ cpuMilli: 2000, memory: 8192, nodeSelector: { zone: 'a' } }),
    }),
  })
})

describe('nothing is read of what is not a new pod with GPUs', () => {
  test.each([
    ['another operation', review({ operation: 'UPDATE' })],
    ['an eviction', review({ subResource: 'eviction' })],
    ['another resource', review({ resource: { group: 'apps', version: 'v1', resource: 'deployments' } })],
    ['a pod without GPUs', review({}, { ...pod, spec: { containers: [{ name: 'main' }] } })],
    ['a pod that is bound already', review({}, { ...pod, spec: { ...pod.spec, nodeName: 'gpu-1' } })],
  ])('%s', (_, raw) => expect(read(raw).pod).toBeUndefined())
})

test('claims, a queue, a dry run and annotations are seen', () => {
  expect(withSpec({ resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one' }] })).toMatchObject({
    claims: true,
  })
  const queued = {
    ...pod,
    metadata: { ...pod.metadata, labels: { 'kueue.x-k8s.io/queue-name': 'gpus' }, annotations: { a: 'b' } },
  }
  expect(read(review({ dryRun: true }, queued))).toMatchObject({
    isDryRun: true,
    pod: { queued: true, annotations: { a: 'b' } },
  })
})

test('a pod without owner is its own, by the name that it will have', () => {
  const bare = { ...pod, metadata: { name: 'try-1' } }
  expect(read(review({}, bare)).pod?.owners).toEqual(['lab/Pod/try-1'])
})

test.each([
  {},
  null,
  [],
  'x',
  review({ uid: '' }),
  { ...review(), apiVersion: 'admission.k8s.io/v1beta1' },
  review({}, null),
])('what is no review throws: %j', (raw) => expect(() => read(raw)).toThrow(/expected|Invalid|Too small/u))
