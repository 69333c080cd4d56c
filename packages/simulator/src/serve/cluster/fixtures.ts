import { readFileSync } from 'node:fs'

import { boardFor } from '@septet/domain'
import type { NodeSpec } from '../../model/fleet.ts'
import { mix, pick, seedOf, suffix, uuidOf } from '../../model/hash.ts'
import { objectAt, parseYaml, textIn, type JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { keyOf } from '../kube/store.ts'
import { NODE, POD, type Demo } from './cluster.ts'
import { PLUGIN_CONFIG } from './device-plugin.ts'
import { generatedConfig } from './mig-config.ts'
import { OPERATOR_NAMESPACE, OWN_CONFIG } from './mig-manager.ts'
import { nodeObject, sharedConfig } from './node-object.ts'
import { putOwner, referenceTo } from './owner-objects.ts'
import { podObject, type PodState } from './pod-object.ts'
import { objectOf, putObject } from './put-object.ts'
import { NO_RULES, type FitRules } from './pod-rules.ts'

const BEGAN = Date.UTC(2025, 1, 3, 8)

/** Everything that stands in a cluster whoever works there: nodes, namespaces, system pods, services without GPUs. */
export function furnish(cluster: Demo): void {
  for (const name of [...SYSTEM_NAMESPACES, ...cluster.world.tenants]) {
    putObject(cluster, 'Namespace', [
      { name, createdAt: BEGAN, metadata: { labels: { 'kubernetes.io/metadata.name': name } } },
      { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } },
    ])
  }
  for (const node of cluster.world.nodes) putNode(cluster, node)
  putOperator(cluster)
  putActorPolicy(cluster)
  for (const daemon of DAEMONS) putDaemon(cluster, daemon)
}

/** The operator's ClusterPolicy, which names ConfigMaps of the cluster's own for mig-manager and the device plugin. */
function putOperator(cluster: Demo): void {
  const spec = {
    mig: { strategy: 'mixed' },
    migManager: { enabled: true, config: { name: OWN_CONFIG } },
    devicePlugin: { enabled: true, config: { name: PLUGIN_CONFIG, default: '' } },
  }
  const status = { state: 'ready', namespace: OPERATOR_NAMESPACE }
  putObject(cluster, 'ClusterPolicy', [
    { name: 'cluster-policy', createdAt: BEGAN },
    { spec, status },
  ])
  putConfigMap(cluster, OWN_CONFIG, {
    'config.yaml':
      'version: v1\nmig-configs:\n  all-disabled:\n    - devices: all\n      mig-enabled: false\n' +
      '  all-enabled:\n    - devices: all\n      mig-enabled: true\n      mig-devices: {}\n',
  })
  putConfigMap(cluster, PLUGIN_CONFIG, {
    [sharedConfig(4)]:
      'version: v1\nflags:\n  migStrategy: none\nsharing:\n  timeSlicing:\n    resources:\n' +
      '      - name: nvidia.com/gpu\n        replicas: 4\n',
  })
}

const ACTOR_POLICY = new URL('../../../../../deploy/actor-policy.yaml', import.meta.url)

/** What is shipped to bound the actor, so that whatever acts on the demo acts under it. */
function putActorPolicy(cluster: Demo): void {
  for (const text of readFileSync(ACTOR_POLICY, 'utf8').split('\n---\n')) {
    const object = objectAt(parseYaml(text))
    putObject(cluster, textIn(object, 'kind'), [
      { name: textIn(object, 'metadata', 'name'), createdAt: BEGAN },
      { spec: object['spec'] ?? null },
    ])
  }
}

const putConfigMap = (cluster: Demo, name: string, data: Readonly<Record<string, string>>): void =>
  putObject(cluster, 'ConfigMap', [{ name, namespace: OPERATOR_NAMESPACE, createdAt: BEGAN }, { data }])

const SYSTEM_NAMESPACES = [
  'default',
  'kube-system',
  'kube-node-lease',
  'kube-public',
  OPERATOR_NAMESPACE,
  'monitoring',
  'kueue-system',
]

function putNode(cluster: Demo, node: NodeSpec): void {
  const units = cluster.world.unitsOf(node.name)
  const object = nodeObject(node, { units, now: cluster.now() })
  cluster.store.put(NODE, node.name, () => object)
  const config = generatedConfig(node)
  if (config !== undefined) {
    const name = `${node.name}-mig-config`
    const labels = { 'app.kubernetes.io/component': 'nvidia-mig-manager', 'nvidia.com/node-name': node.name }
    const named = { name, namespace: OPERATOR_NAMESPACE, createdAt: BEGAN, metadata: { labels } }
    putObject(cluster, 'ConfigMap', [named, { data: { 'config.yaml': config } }])
  }
  cluster.store.put(kindNamed('Lease'), keyOf('kube-node-lease', node.name), () => leaseOf(cluster, node))
}

/** The kubelet's heartbeat, told when asked for instead of written every ten seconds. */
function leaseOf(cluster: Demo, node: NodeSpec): JsonObject {
  const renewed = node.defect === 'not-ready' ? node.createdAt : Math.floor(cluster.now() / 10_000) * 10_000
  const renewTime = new Date(renewed).toISOString().replace('Z', '000Z')
  const named = { name: node.name, namespace: 'kube-node-lease', createdAt: BEGAN }
  return objectOf('Lease', named, { spec: { holderIdentity: node.name, leaseDurationSeconds: 40, renewTime } })
}

type Daemon = { readonly name: string; readonly namespace: string; readonly mig?: true; readonly image: string }
const DAEMONS: readonly Daemon[] = [
  { name: 'nvidia-driver-daemonset', namespace: OPERATOR_NAMESPACE, image: 'nvcr.io/nvidia/driver:580.105.08' },
  {
    name: 'nvidia-container-toolkit-daemonset',
    namespace: OPERATOR_NAMESPACE,
    image: 'nvcr.io/nvidia/k8s/container-toolkit:v1.19.0',
  },
  {
    name: 'nvidia-device-plugin-daemonset',
    namespace: OPERATOR_NAMESPACE,
    image: 'nvcr.io/nvidia/k8s-device-plugin:v0.20.0',
  },
  { name: 'gpu-feature-discovery', namespace: OPERATOR_NAMESPACE, image: 'nvcr.io/nvidia/k8s-device-plugin:v0.20.0' },
  { name: 'nvidia-dcgm-exporter', namespace: OPERATOR_NAMESPACE, image: 'nvcr.io/nvidia/k8s/dcgm-exporter:4.5.1' },
  { name: 'nvidia-operator-validator', namespace: OPERATOR_NAMESPACE, image: 'nvcr.io/nvidia/gpu-operator:v26.7.0' },
  {
    name: 'nvidia-mig-manager',
    namespace: OPERATOR_NAMESPACE,
    mig: true,
    image: 'nvcr.io/nvidia/cloud-native/k8s-mig-manager:v0.15.0',
  },
  { name: 'kube-proxy', namespace: 'kube-system', image: 'registry.k8s.io/kube-proxy:v1.32.13' },
  { name: 'node-exporter', namespace: 'monitoring', image: 'quay.io/prometheus/node-exporter:v1.10.2' },
]

function putDaemon(cluster: Demo, daemon: Daemon): void {
  const labels = { app: daemon.name, 'app.kubernetes.io/name': daemon.name }
  const nodes = cluster.world.nodes.filter(
    (node) => daemon.mig === undefined || boardFor(node.hardware.modelName) !== undefined,
  )
  const owner = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    name: daemon.name,
    uid: uuidOf(seedOf(`${daemon.namespace}/DaemonSet/${daemon.name}`)),
  }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: daemon.image }] } }
  const status = {
    desiredNumberScheduled: nodes.length,
    currentNumberScheduled: nodes.length,
    numberReady: nodes.length,
    numberAvailable: nodes.length,
  }
  putObject(cluster, 'DaemonSet', [
    { name: daemon.name, namespace: daemon.namespace, createdAt: BEGAN, metadata: { labels } },
    { spec: { selector: { matchLabels: labels }, template }, status },
  ])
  for (const node of nodes) {
    const seed = mix(node.seed, seedOf(daemon.name))
    const name = `${daemon.name}-${suffix(seed, 5)}`
    const of = { namespace: daemon.namespace, labels, owner, container: 'main', image: daemon.image }
    putPlainPod(cluster, {
      ...PLAIN,
      ...of,
      rules: EVERYWHERE,
      name,
      seed,
      uid: uuidOf(seed),
      createdAt: node.createdAt + 60_000,
      startedAt: node.createdAt + 70_000,
      node,
    })
  }
}

/** A DaemonSet of the operator runs on every node. */
const EVERYWHERE: FitRules = { ...NO_RULES, tolerations: [{ operator: 'Exists' }] }
const PLAIN = {
  requests: { cpu: '100m', memory: '128Mi' },
  rules: NO_RULES,
  restart: 'Always',
  phase: 'running',
  boundAt: undefined,
  endedAt: undefined,
  message: undefined,
} as const

const putPlainPod = (cluster: Demo, state: PodState): void =>
  void cluster.store.put(POD, keyOf(state.namespace, state.name), () => podObject(state))

const SERVICES = ['api-gateway', 'web', 'feature-store', 'ingest', 'scheduler', 'metadata', 'cache', 'model-registry']
const REPLICAS = 25

/** Services that ask for no GPU; a cluster is full of them. `total` is how many pods there shall be in all, at least 60 of these. */
export function putServices(cluster: Demo, total: number): void {
  const pods = Math.max(60, total - cluster.store.size(POD))
  for (let made = 0, index = 0; made < pods; index++) {
    const seed = mix(cluster.world.seed, 500_000 + index)
    const replicas = Math.min(pods - made, pods < 200 ? 4 : REPLICAS)
    const namespace = pick(cluster.world.tenants, (seed % 9973) / 9973)
    const name = `${pick(SERVICES, (seed % 977) / 977)}-${suffix(seed, 4)}`
    const owner = { kind: 'ReplicaSet', name: `${name}-${suffix(seed + 1, 9)}` } as const
    const labels = { 'app.kubernetes.io/name': name }
    const owned = {
      namespace,
      role: 'inference',
      replicas,
      requests: PLAIN.requests,
      createdAt: BEGAN,
      labels,
    } as const
    putOwner(cluster, { ...owned, owner: { kind: 'Deployment', name }, above: undefined })
    putOwner(cluster, { ...owned, owner, above: { kind: 'Deployment', name } })
    for (let replica = 0; replica < replicas; replica++) {
      const own = mix(seed, replica)
      const node = pick(cluster.world.nodes, (own % 99_991) / 99_991)
      const of = { namespace, labels, container: 'app', image: 'registry.example.com/app/service:2026.11', node }
      putPlainPod(cluster, {
        ...PLAIN,
        ...of,
        owner: referenceTo(namespace, owner),
        name: `${owner.name}-${suffix(own, 5)}`,
        seed: own,
        uid: uuidOf(own),
        createdAt: BEGAN,
        startedAt: BEGAN + 5000,
      })
    }
    made += replicas
  }
}
