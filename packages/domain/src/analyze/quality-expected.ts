import type { Inventory, InventoryNode } from '../cluster/inventory.ts'
import { replicasOf } from '../cluster/holders-per-device.ts'
import { type KnownNodes, knownNodes } from '../cluster/node-of-device.ts'
import { isVmNode } from '../cluster/soundness.ts'
import { isRoundedAlike, offeredPerInstance, profileOfResource } from '../gpu/profile-name.ts'
import type { DeviceSample } from './sample.ts'

/** What a node should export, as far as the Kubernetes API says it. */
export type ExpectedNode = {
  readonly node: string
  readonly gpus: number
  /** MIG is in use, as one profile or several. */
  readonly cut: boolean
  /** MIG devices by profile, `+` written as `.` like in resource names. */
  readonly instances: ReadonlyMap<string, number>
  /** Pods that may share one device; 1 when it is not shared. */
  readonly replicas: number
  /** Its GPUs are given to virtual machines, so no exporter sees them. Absent: no. */
  readonly forVms?: boolean
}

/** What the Kubernetes API says that telemetry should tell, and how it may name nodes. */
export type Expected = {
  /** The ready ones. */
  readonly nodes: readonly ExpectedNode[]
  readonly known: KnownNodes
}

export const expectedOf = (inventory: Pick<Inventory, 'nodes' | 'pods'>): Expected => ({
  nodes: inventory.nodes.filter((node) => node.ready).map(expectedNode),
  known: knownNodes(inventory),
})

/** A profile as resource names spell it: `1g.10gb+me` becomes `1g.10gb.me`. */
export const resourceProfile = (profile: string): string => profile.replaceAll('+', '.')

/** A profile as the node's MIG devices are offered, where only its gigabytes are rounded otherwise; undefined where it needs no change. */
export function spelledOn(node: ExpectedNode | undefined, profile: string): string | undefined {
  if (node === undefined || node.instances.has(resourceProfile(profile))) return undefined
  const alike = [...node.instances.keys()].flatMap((key) => {
    const name = profileOfResource(`nvidia.com/mig-${key}`) ?? ''
    return isRoundedAlike(name, profile) ? name : []
  })
  return alike.length === 1 ? alike[0] : undefined
}

/** MIG devices that are told, by node and profile. */
export type InstanceCounts = { of(node: string, profile: string): number }

export function countInstances(samples: readonly DeviceSample[]): InstanceCounts {
  const counts = new Map<string, number>()
  for (const { node, instance, vgpu } of samples) {
    if (instance === undefined || vgpu !== undefined) continue
    const key = `${node} ${resourceProfile(instance.profile)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return { of: (node, profile) => counts.get(`${node} ${profile}`) ?? 0 }
}

/** True when the node is known to export every MIG device that it offers. */
export const isComplete = (node: ExpectedNode | undefined, told: InstanceCounts): boolean =>
  node !== undefined && [...node.instances].every(([profile, count]) => told.of(node.node, profile) >= count)

function expectedNode(node: InventoryNode): ExpectedNode {
  const replicas = replicasOf(node)
  const instances = new Map<string, number>()
  for (const [resource, count] of Object.entries(node.allocatable)) {
    const named = profileOfResource(resource)
    const profile = named === undefined ? singleProfile(node, resource) : resourceProfile(named)
    const each = replicas * offeredPerInstance(resource)
    if (profile !== undefined && count > 0) {
      instances.set(profile, (instances.get(profile) ?? 0) + Math.round(count / each))
    }
  }
  const forVms = isVmNode(node) ? { forVms: true } : {}
  return { node: node.name, gpus: node.gpuCount, cut: instances.size > 0, instances, replicas, ...forVms }
}

/** Under the single strategy MIG devices are offered as `nvidia.com/gpu`, and the product label names their profile. */
function singleProfile({ mig, product }: InventoryNode, resource: string): string | undefined {
  if (mig.strategy !== 'single' || !/^nvidia\.com\/gpu(?:\.shared)?$/.test(resource)) return undefined
  const profile = /-MIG-(\d+g\.\d+gb[\w.+]*)/.exec(product)?.[1]
  return profile === undefined ? undefined : resourceProfile(profile)
}
