import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { call, toKubeconfig } from '@septet/connectors/testing/contract-server'
import { z } from 'zod'

import type { ActedOn } from '../act/acting-demo.ts'
import type { RealApiServer } from './real-api-server.ts'

/** Two nodes with two GPUs each and a Deployment that holds one, on an API server that has neither controllers nor kubelets. */
export const WORKLOAD = 'ml/Deployment/chat'

const PODS = '/api/v1/namespaces/ml/pods'
const SETS = '/apis/apps/v1/namespaces/ml/replicasets'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/ml/deployments'
const GPUS = { cpu: '64', memory: '256Gi', pods: '110', 'nvidia.com/gpu': '2' }

const ObjectSchema = z.looseObject({
  metadata: z.looseObject({ name: z.string(), uid: z.string(), generation: z.number().optional() }),
  spec: z.looseObject({ replicas: z.number().optional() }).optional(),
})
type Found = z.infer<typeof ObjectSchema>

/** Makes its objects anew, and does for them what controllers and kubelets would each time that the exporters are read. */
export async function startActedOn(server: RealApiServer): Promise<ActedOn> {
  const ask: Ask = async (method, target, body) => (await call(server, { method, target, body })).body
  const controllers = controllersOf(ask, await makeObjects(ask))
  await controllers()
  const exporters = await serveExporters(controllers)
  const path = join(mkdtempSync(join(tmpdir(), 'septet-acted-on-')), 'kubeconfig')
  writeFileSync(path, JSON.stringify(toKubeconfig(server)))
  return {
    kubeconfigPath: path,
    actorKubeconfigPath: path,
    exporterTargetsUrl: `${exporters.url}/targets`,
    journal: () => [],
    restore: () => undefined,
    close: exporters.close,
  }
}

type Ask = (method: string, target: string, body?: object) => Promise<unknown>

const listed = async (ask: Ask, target: string): Promise<readonly Found[]> =>
  z.object({ items: z.array(ObjectSchema) }).parse(await ask('GET', target)).items

/** Gives the ReplicaSet that owns the pods. */
async function makeObjects(ask: Ask): Promise<Found> {
  for (const name of ['ml', 'septet'])
    await ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  for (const target of [DEPLOYMENTS, SETS, PODS, '/api/v1/nodes'])
    for (const { metadata } of await listed(ask, target))
      await ask('DELETE', `${target}/${metadata.name}?gracePeriodSeconds=0&propagationPolicy=Background`)
  for (const name of NODES) {
    await ask('POST', '/api/v1/nodes', nodeNamed(name))
    const conditions = [{ type: 'Ready', status: 'True' }]
    await ask('PATCH', `/api/v1/nodes/${name}/status`, { status: { capacity: GPUS, allocatable: GPUS, conditions } })
    // Admission makes a new node unready; the node controller takes that away.
    await ask('PATCH', `/api/v1/nodes/${name}`, { spec: { taints: null } })
  }
  await ask('POST', DEPLOYMENTS, DEPLOYMENT)
  await ask('POST', SETS, replicaSetOf(ObjectSchema.parse(await ask('GET', `${DEPLOYMENTS}/chat`))))
  return ObjectSchema.parse(await ask('GET', `${SETS}/chat-1`))
}

/** One turn of theirs gives the pod that runs then. */
function controllersOf(ask: Ask, set: Found): () => Promise<string | undefined> {
  let made = 0
  return async () => {
    const { spec, metadata } = ObjectSchema.parse(await ask('GET', `${DEPLOYMENTS}/chat`))
    const replicas = spec?.replicas ?? 0
    const pods = await listed(ask, PODS)
    for (const pod of pods.slice(replicas)) await ask('DELETE', `${PODS}/${pod.metadata.name}?gracePeriodSeconds=0`)
    for (let count = pods.length; count < replicas; count += 1) {
      const name = `chat-1-${(made += 1)}`
      await ask('POST', PODS, podOf(set, name))
      await ask('PATCH', `${PODS}/${name}/status`, { status: RUNNING })
    }
    const { generation = 1 } = metadata
    const counts = { replicas, readyReplicas: replicas, availableReplicas: replicas, updatedReplicas: replicas }
    await ask('PATCH', `${DEPLOYMENTS}/chat/status`, { status: { observedGeneration: generation, ...counts } })
    return (await listed(ask, PODS))[0]?.metadata.name
  }
}

async function serveExporters(controllers: () => Promise<string | undefined>) {
  const metrics = async (node: string): Promise<string> => {
    const holder = node === HOLDING ? await controllers() : undefined
    // Until the watches have brought it.
    await sleep(50)
    return metricsOf(node, holder)
  }
  const server = createServer((request, response) => {
    const { host = '' } = request.headers
    const targets = NODES.map((node) => ({ targets: [host], labels: { node, __metrics_path__: `/${node}` } }))
    const answer = request.url === '/targets' ? JSON.stringify(targets) : metrics(request.url?.slice(1) ?? '')
    Promise.resolve(answer).then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

const NODES = ['gpu-1', 'gpu-2'] as const
const HOLDING = NODES[0]

const nodeNamed = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    labels: {
      'kubernetes.io/hostname': name,
      'nvidia.com/gpu.present': 'true',
      'nvidia.com/gpu.product': 'NVIDIA-L40S',
      'nvidia.com/gpu.count': '2',
    },
  },
})

const LABELS = { app: 'chat' }
const TEMPLATE = {
  metadata: { labels: LABELS },
  spec: {
    containers: [{ name: 'main', image: 'chat', resources: { limits: { 'nvidia.com/gpu': '1', cpu: '1' } } }],
    terminationGracePeriodSeconds: 0,
  },
}
const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'chat', namespace: 'ml' },
  spec: { replicas: 1, selector: { matchLabels: LABELS }, template: TEMPLATE },
}
const RUNNING = {
  phase: 'Running',
  startTime: '2026-11-01T00:00:00Z',
  conditions: [
    { type: 'PodScheduled', status: 'True' },
    { type: 'Ready', status: 'True' },
  ],
}

const ownedBy = (kind: string, { metadata: { name, uid } }: Found): object => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid, controller: true }],
})

const replicaSetOf = (deployment: Found): object => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'chat-1', namespace: 'ml', ...ownedBy('Deployment', deployment) },
  spec: { replicas: 1, selector: { matchLabels: LABELS }, template: TEMPLATE },
})

const podOf = (set: Found, name: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'ml', labels: LABELS, ...ownedBy('ReplicaSet', set) },
  spec: { ...TEMPLATE.spec, nodeName: HOLDING },
})

/** Both GPUs of a node at rest; a pod holds the first. */
const metricsOf = (node: string, holder: string | undefined): string =>
  [0, 1]
    .map((gpu) => {
      const pod = gpu === 0 && holder !== undefined ? `,namespace="ml",pod="${holder}",container="main"` : ''
      return `DCGM_FI_DEV_GPU_UTIL{gpu="${gpu}",UUID="GPU-${node}-${gpu}",modelName="NVIDIA L40S",Hostname="${node}"${pod}} 0\n`
    })
    .join('')
