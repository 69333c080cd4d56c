import type { Raw } from './scripted-api-server.fake.ts'

const CREATED = '2026-11-01T08:00:00Z'

/** A node with eight H100, whole. */
export const node = (
  name: string,
  changes: {
    labels?: object
    spec?: object
    capacity?: object
    allocatable?: object
    addresses?: object[]
    conditions?: object[]
  } = {},
): Raw => ({
  metadata: {
    name,
    uid: `node-${name}`,
    creationTimestamp: CREATED,
    labels: {
      'nvidia.com/gpu.present': 'true',
      'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3',
      'nvidia.com/gpu.count': '8',
      'nvidia.com/gpu.replicas': '1',
      'nvidia.com/mig.strategy': 'mixed',
      'karpenter.sh/nodepool': 'h100',
      ...changes.labels,
    },
  },
  spec: changes.spec ?? {},
  status: {
    capacity: changes.capacity ?? { cpu: '64', 'nvidia.com/gpu': '8' },
    allocatable: changes.allocatable ?? changes.capacity ?? { cpu: '64', 'nvidia.com/gpu': '8' },
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: CREATED }, ...(changes.conditions ?? [])],
    addresses: changes.addresses ?? [],
  },
})

/** A running pod that holds one GPU. */
export const pod = (
  namespace: string,
  name: string,
  changes: { metadata?: object; spec?: object; status?: object; resources?: Record<string, string> } = {},
): Raw => {
  const resources = changes.resources ?? { 'nvidia.com/gpu': '1' }
  return {
    metadata: { name, namespace, uid: `pod-${namespace}-${name}`, creationTimestamp: CREATED, ...changes.metadata },
    spec: {
      nodeName: 'gpu-0',
      containers: [{ name: 'main', resources: { limits: resources, requests: resources } }],
      ...changes.spec,
    },
    status: { phase: 'Running', startTime: CREATED, conditions: [], ...changes.status },
  }
}

export const ownedBy = (kind: string, name: string, apiVersion = 'apps/v1'): object => ({
  ownerReferences: [{ apiVersion, kind, name, uid: `uid-${kind}-${name}`, controller: true }],
})

/** An owner such as a ReplicaSet, with its own owner. */
export const owner = (namespace: string, [kind, name]: [string, string], above: object = {}): Raw => ({
  kind,
  metadata: { name, namespace, uid: `uid-${kind}-${name}`, creationTimestamp: CREATED, ...above },
})
