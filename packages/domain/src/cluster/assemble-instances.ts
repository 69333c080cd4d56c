import { WHOLE_GPU_RESOURCE } from '../gpu/whole-gpu.ts'
import type { Board } from '../gpu/board.ts'
import { inferPlacements } from '../gpu/infer-placements.ts'
import { parseProfileName, profileOfResource } from '../gpu/profile-name.ts'
import { compareText } from '../units.ts'
import type { Device, Instance } from './assemble-devices.ts'
import type { InventoryNode } from './inventory.ts'

/** Which GPUs of a node are in MIG mode, with the instances on each; a GPU that is not a key is not in MIG mode. */
export type CutDevices = {
  readonly instances: ReadonlyMap<string, readonly Instance[]>
  /** MIG devices that the kubelet counts and no GPU of the node has room for, by profile. */
  readonly homeless: readonly string[]
}

/**
 * Cuts the GPUs of a node: as telemetry or a DRA driver shows them, and where they show fewer instances than the
 * kubelet counts, the rest wherever the geometry allows, so that equal GPUs are cut alike where the counts permit.
 */
export function cutDevices(
  node: InventoryNode,
  devices: readonly Device[],
  boardOf: (device: Device) => Board | undefined,
): CutDevices {
  const counted = countedInstances(node)
  const cut = new Map(
    devices.filter(({ instances }) => instances.length > 0).map(({ id, instances }) => [id, instances]),
  )
  for (const { id } of uncutMigDevices(node, devices)) cut.set(id, [])
  const missing = missingInstances(counted, cut)
  const hosts = devices.filter(({ id }) => cut.has(id))
  const homeless: string[] = []
  for (const [order, profile] of missing.entries()) {
    const host = hostFor(profile, { hosts, cut, boardOf, even: evenShare(counted, profile, hosts.length) })
    if (host === undefined) homeless.push(profile)
    else cut.set(host.id, [...(cut.get(host.id) ?? []), { id: `${profile}-${order}`, profile, start: undefined }])
  }
  return { instances: cut, homeless }
}

/** `<product>-MIG-<profile>`, or the same with `-SHARED`: what a node of the single strategy is cut into; undefined on any other node. */
const singleProfile = (node: InventoryNode): string | undefined =>
  parseProfileName(/-MIG-(\d.*?)(?:-SHARED)?$/u.exec(node.product)?.[1] ?? '')?.profile

/** MIG devices that the kubelet offers, by profile. */
function countedInstances(node: InventoryNode): ReadonlyMap<string, number> {
  const single = singleProfile(node)
  // Under the single strategy MIG devices are offered as if they were GPUs.
  if (single !== undefined) return new Map([[single, offeredWhole(node)]])
  const replicas = replicasOf(node)
  const counts = new Map<string, number>()
  for (const [resource, count] of Object.entries(node.allocatable)) {
    const profile = profileOfResource(resource)
    if (profile === undefined || count <= 0) continue
    const devices = resource.endsWith('.shared') ? Math.round(count / replicas) : count
    counts.set(profile, (counts.get(profile) ?? 0) + devices)
  }
  return counts
}

/**
 * GPUs in MIG mode that show no instance: under the single strategy all of them; under the mixed one as many as the
 * kubelet does not offer whole, the last ones first. A GPU with a fault is not offered either, so it does not count.
 */
function uncutMigDevices(node: InventoryNode, devices: readonly Device[]): readonly Device[] {
  const uncut = devices.filter(({ instances }) => instances.length === 0)
  if (singleProfile(node) !== undefined) return uncut
  if (node.mig.strategy !== 'mixed') return []
  const sound = uncut.filter(({ xid = 0 }) => xid === 0)
  return sound.slice(Math.min(offeredWhole(node), sound.length))
}

/** What the kubelet offers as whole GPUs, each counted once however many may share it. */
const offeredWhole = (node: InventoryNode): number =>
  Math.round(
    ((node.allocatable[WHOLE_GPU_RESOURCE] ?? 0) + (node.allocatable['nvidia.com/gpu.shared'] ?? 0)) / replicasOf(node),
  )

function missingInstances(
  counted: ReadonlyMap<string, number>,
  cut: ReadonlyMap<string, readonly Instance[]>,
): readonly string[] {
  const shown = new Map<string, number>()
  for (const { profile } of [...cut.values()].flat()) shown.set(profile, (shown.get(profile) ?? 0) + 1)
  return [...counted]
    .flatMap(([profile, count]) =>
      Array.from({ length: Math.max(0, count - (shown.get(profile) ?? 0)) }, () => profile),
    )
    .toSorted((a, b) => slicesOf(b) - slicesOf(a) || compareText(a, b))
}

type Hosting = {
  readonly hosts: readonly Device[]
  readonly cut: ReadonlyMap<string, readonly Instance[]>
  readonly boardOf: (device: Device) => Board | undefined
  /** How many instances of the profile each GPU has when all are cut alike; undefined when they cannot be. */
  readonly even: number | undefined
}

/** The first GPU that has room, cutting all alike where the counts divide evenly; undefined when none has. */
function hostFor(profile: string, { hosts, cut, boardOf, even }: Hosting): Device | undefined {
  const fits = (device: Device): boolean => {
    const board = boardOf(device)
    const profiles = (cut.get(device.id) ?? []).map((instance) => instance.profile)
    return board === undefined || inferPlacements(board, [...profiles, profile]) !== undefined
  }
  const has = ({ id }: Device): number => (cut.get(id) ?? []).filter((instance) => instance.profile === profile).length
  return (
    hosts.find((device) => even !== undefined && has(device) < even && fits(device)) ??
    hosts.find((device) => fits(device))
  )
}

function evenShare(counted: ReadonlyMap<string, number>, profile: string, hosts: number): number | undefined {
  const share = (counted.get(profile) ?? 0) / hosts
  return Number.isInteger(share) ? share : undefined
}

const slicesOf = (profile: string): number => parseProfileName(profile)?.computeSlices ?? 0

const replicasOf = ({ sharing }: InventoryNode): number => (sharing.kind === 'none' ? 1 : Math.max(1, sharing.replicas))
