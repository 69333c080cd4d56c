import type { Board } from '../gpu/board.ts'
import { inferPlacements } from '../gpu/infer-placements.ts'
import { offeredPerInstance, parseProfileName, profileOfResource } from '../gpu/profile-name.ts'
import { compareText } from '../units.ts'
import type { Device, Instance } from './assemble-devices.ts'
import { offeredWhole, replicasOf } from './holders-per-device.ts'
import type { InventoryNode } from './inventory.ts'
import type { GpuId } from './node.ts'

/** Which GPUs of a node are in MIG mode, with the instances on each; a GPU that is not a key is not in MIG mode. */
export type CutDevices = {
  readonly instances: ReadonlyMap<string, readonly Instance[]>
  /** MIG devices that the kubelet counts and no GPU of the node has room for, by profile. */
  readonly homeless: readonly string[]
  /** Whether it is not evident which GPUs are in MIG mode, so that those that show no instance are guessed. */
  readonly unclear: boolean
}

/** What the GPUs of a node are cut by. */
export type Cutting = {
  readonly node: InventoryNode
  readonly devices: readonly Device[]
  readonly boardOf: (device: Device) => Board | undefined
  /** GPUs that somebody is named to hold whole, and those that are seen to be used, by whomever. */
  readonly held: ReadonlySet<GpuId>
  readonly used: ReadonlySet<GpuId>
  /** GPUs that were in MIG mode before. */
  readonly cutBefore: ReadonlySet<GpuId>
}

/**
 * Cuts the GPUs of a node: as telemetry or a DRA driver shows them, and where they show fewer instances than the
 * kubelet counts, the rest wherever the geometry allows, so that equal GPUs are cut alike where the counts permit.
 */
export function cutDevices(cutting: Cutting): CutDevices {
  const { node, devices, boardOf } = cutting
  const counted = countedInstances(node)
  const cut = new Map(
    devices.filter(({ instances }) => instances.length > 0).map(({ id, instances }) => [id, instances]),
  )
  const missing = missingInstances(counted, cut)
  const { empty, unclear } = uncutMigDevices(cutting, missing.length > 0)
  for (const { id } of empty) cut.set(id, [])
  const hosts = devices.filter(({ id }) => cut.has(id))
  const homeless: string[] = []
  for (const [order, profile] of missing.entries()) {
    const host = hostFor(profile, { hosts, cut, boardOf, even: evenShare(counted, profile, hosts.length) })
    if (host === undefined) homeless.push(profile)
    else cut.set(host.id, [...(cut.get(host.id) ?? []), { id: `${profile}-${order}`, profile, start: undefined }])
  }
  return { instances: cut, homeless, unclear }
}

/** `<product>-MIG-<profile>`, or the same with `-SHARED`: what a node of the single strategy is cut into; undefined on any other node. */
const singleProfile = (node: InventoryNode): string | undefined =>
  parseProfileName(/-MIG-(\d.*?)(?:-SHARED)?$/u.exec(node.product)?.[1] ?? '')?.profile

/** MIG devices that the kubelet offers, by profile. */
function countedInstances(node: InventoryNode): ReadonlyMap<string, number> {
  const single = singleProfile(node)
  // Under the single strategy MIG devices are offered as if they were GPUs.
  if (single !== undefined) return new Map([[single, Math.round(offeredWhole(node))]])
  const replicas = replicasOf(node)
  const counts = new Map<string, number>()
  for (const [resource, count] of Object.entries(node.allocatable)) {
    const profile = profileOfResource(resource)
    if (profile === undefined || count <= 0) continue
    const each = (resource.endsWith('.shared') ? replicas : 1) * offeredPerInstance(resource)
    const devices = Math.round(count / each)
    counts.set(profile, (counts.get(profile) ?? 0) + devices)
  }
  return counts
}

/**
 * GPUs in MIG mode that show no instance: under the single strategy all of them; under the mixed one as many as the
 * kubelet does not offer whole. A GPU with a fault is not offered either, so it does not count. One that is held whole is
 * not among them, and one that is used only where instances are counted that nobody shows (`isHidden`): these may be what
 * is used. Of several that may be meant those are taken that were before, then the last ones.
 */
function uncutMigDevices({ node, devices, held, used, cutBefore }: Cutting, isHidden: boolean): Empty {
  const uncut = devices.filter(({ instances }) => instances.length === 0)
  if (singleProfile(node) !== undefined) return { empty: uncut, unclear: false }
  if (node.mig.strategy !== 'mixed') return { empty: [], unclear: false }
  const sound = uncut.filter(({ xid = 0 }) => xid === 0)
  const open = sound.filter(({ id }) => !held.has(id) && (isHidden || !used.has(id)))
  const candidates = open.toSorted((a, b) => rankOf(a, used, cutBefore) - rankOf(b, used, cutBefore))
  // Fewer than none: more are in use than are offered, so what is not offered need not be in MIG mode.
  const whole = Math.round(offeredWhole(node)) - (sound.length - open.length)
  const empty = candidates.slice(Math.max(0, whole))
  const usedWhole = open.filter(({ id }) => used.has(id)).length
  return { empty, unclear: empty.length > 0 && whole !== 0 && (!isHidden || whole !== usedWhole) }
}

/** Those that are surely or likely whole come first. */
const rankOf = ({ id }: Device, used: ReadonlySet<GpuId>, cutBefore: ReadonlySet<GpuId>): number =>
  used.has(id) ? 0 : cutBefore.has(id) ? 2 : 1

type Empty = { readonly empty: readonly Device[]; readonly unclear: boolean }

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
