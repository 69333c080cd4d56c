import { boardFor, WHOLE_GPU_RESOURCE } from '@septet/domain'
import type { Unit } from '../../model/slots.ts'
import type { NodeSpec } from '../../model/fleet.ts'
import { draw, uuidOf, mix } from '../../model/hash.ts'
import type { JsonObject } from '../kube/json.ts'
import { kubeTime } from '../kube/write.ts'
import { featureLabels } from './feature-labels.ts'
import { dedicatedTo } from '../../model/stage.ts'
import { DEDICATED, taintsOf } from './pod-rules.ts'
import { layoutName } from './mig-config.ts'

/** Components that mig-manager pauses during a change. */
export const PAUSED_COMPONENTS = ['device-plugin', 'gpu-feature-discovery', 'dcgm-exporter', 'dcgm', 'nvsm'] as const
export const deployLabel = (component: string): string => `nvidia.com/gpu.deploy.${component}`

/** A node as the API server shows it. */
export function nodeObject(node: NodeSpec, of: { units: readonly Unit[]; now: number }): JsonObject {
  const { units } = of
  const resources = nodeResources(units)
  const taints = [...(node.defect === 'not-ready' ? UNREACHABLE : []), ...taintsOf(node)]
  return {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: {
      name: node.name,
      uid: uuidOf(mix(node.seed, 1)),
      creationTimestamp: kubeTime(node.createdAt),
      labels: { ...baseLabels(node), ...featureLabels(node, units) },
      annotations: {
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
    },
    spec: {
      podCIDR: `10.${64 + (node.index >> 8)}.${node.index & 255}.0/24`,
      providerID: `metal://${uuidOf(mix(node.seed, 3))}`,
      ...(taints.length === 0 ? {} : { taints }),
    },
    status: {
      capacity: { ...machine(node, 0), ...resources.capacity },
      allocatable: { ...machine(node, 1), ...resources.allocatable },
      conditions: conditionsOf(node, of.now),
      addresses: [
        { type: 'InternalIP', address: nodeAddress(node) },
        { type: 'Hostname', address: node.name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        machineID: uuidOf(mix(node.seed, 4)).replaceAll('-', ''),
        systemUUID: uuidOf(mix(node.seed, 5)),
        bootID: uuidOf(mix(node.seed, 6)),
        kernelVersion: '6.8.0-85-generic',
        osImage: 'Ubuntu 24.04.3 LTS',
        containerRuntimeVersion: 'containerd://2.1.4',
        kubeletVersion: 'v1.32.13',
        kubeProxyVersion: 'v1.32.13',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  }
}

export const nodeAddress = (node: NodeSpec): string => `10.20.${node.index >> 8}.${node.index & 255}`

/** What the node controller puts on a node whose kubelet is silent. */
export const UNREACHABLE = ['NoSchedule', 'NoExecute'].map((effect) => ({
  key: 'node.kubernetes.io/unreachable',
  effect,
}))

/** What the device plugin has told the kubelet: devices by resource. An unhealthy device is no longer allocatable. */
export function nodeResources(
  units: readonly Unit[],
  withheld?: Unit,
): {
  capacity: Record<string, string>
  allocatable: Record<string, string>
} {
  const capacity: Record<string, number> = { [WHOLE_GPU_RESOURCE]: 0 }
  const allocatable: Record<string, number> = { [WHOLE_GPU_RESOURCE]: 0 }
  for (const unit of units) {
    capacity[unit.resource] = (capacity[unit.resource] ?? 0) + 1
    allocatable[unit.resource] =
      (allocatable[unit.resource] ?? 0) + (unit.gpu.xid === undefined && unit !== withheld ? 1 : 0)
  }
  return { capacity: texts(capacity), allocatable: texts(allocatable) }
}
const texts = (counts: Record<string, number>): Record<string, string> =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]))

const machine = (node: NodeSpec, reserved: 0 | 1): Record<string, string> => ({
  cpu: String(node.hardware.cpu - reserved * 2),
  memory: `${(node.hardware.memoryGib - reserved * 8) * 1024 * 1024}Ki`,
  'ephemeral-storage': reserved === 1 ? '1699511627776' : '1843200Mi',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  pods: '110',
})

function baseLabels(node: NodeSpec): Record<string, string> {
  const { hardware } = node
  const team = dedicatedTo(node.name)
  return {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': node.name,
    'kubernetes.io/os': 'linux',
    'node.kubernetes.io/instance-type': `${hardware.machine.toLowerCase()}-${node.gpus.length}x`,
    'topology.kubernetes.io/region': 'datacenter-1',
    'topology.kubernetes.io/zone': `hall-${'abc'[Math.floor(draw(node.seed, 9) * 3)] ?? 'a'}`,
    'node.cluster.x-k8s.io/pool': `${hardware.key}-${node.offer.kind === 'whole' ? 'whole' : node.offer.kind}`,
    ...Object.fromEntries(PAUSED_COMPONENTS.map((component) => [deployLabel(component), 'true'])),
    ...(boardFor(hardware.modelName) === undefined ? {} : migLabels(node)),
    ...(team === undefined ? {} : { [DEDICATED]: team }),
    ...(node.offer.kind === 'time-sliced' ? { [PLUGIN_LABEL]: sharedConfig(node.offer.replicas) } : {}),
  }
}

/** Which entry of its ConfigMap the device plugin goes by. */
export const PLUGIN_LABEL = 'nvidia.com/device-plugin.config'
export const sharedConfig = (replicas: number): string => `shared-${replicas}`

const migLabels = (node: NodeSpec): Record<string, string> => ({
  'nvidia.com/gpu.deploy.mig-manager': 'true',
  'nvidia.com/mig.config': configName(node),
  'nvidia.com/mig.config.state': node.defect === 'mig-failed' ? 'failed' : 'success',
})

function configName(node: NodeSpec): string {
  if (node.defect === 'mig-failed') return 'all-balanced'
  if (node.offer.kind === 'mixed') return layoutName(node)
  return node.offer.kind === 'single' ? `all-${node.offer.profile}` : 'all-disabled'
}

function conditionsOf(node: NodeSpec, now: number): readonly JsonObject[] {
  const down = node.defect === 'not-ready'
  const since = kubeTime(node.createdAt + 90_000)
  // A kubelet reports its status every five minutes when nothing changes.
  const heartbeat = down ? since : kubeTime(Math.floor(now / 300_000) * 300_000)
  const pressure = [
    ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
    ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
    ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ].map(([type, reason, message]) => condition({ type, status: 'False', reason, message }, down))
  return [...pressure, readyCondition(down)].map((each) => ({
    ...each,
    lastHeartbeatTime: heartbeat,
    lastTransitionTime: since,
  }))
}

export const readyCondition = (down: boolean): Record<string, string | undefined> =>
  condition({ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }, down)

const condition = (of: Record<string, string | undefined>, down: boolean): Record<string, string | undefined> =>
  down ? { ...of, status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' } : of
