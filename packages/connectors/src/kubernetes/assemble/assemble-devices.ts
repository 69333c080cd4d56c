import { compareText, resourceOfProfile, type GpuRequest, type InventoryDevice } from '@septet/domain'
import { sumRequests } from '../read/gpu-requests.ts'
import { wholeResource, type AllocatedDevice, type ClaimFacts } from '../read/parse-claim.ts'
import { readDynamicName, type DeviceFacts, type SliceFacts } from '../read/parse-device.ts'

/** Devices by node: those that the newest slices of each pool list, and MIG devices that exist only through a claim. */
export function devicesByNode(
  slices: readonly SliceFacts[],
  claims: readonly ClaimFacts[],
): ReadonlyMap<string, readonly InventoryDevice[]> {
  const newest = newestSlices(slices)
  const holders = holdersByDevice(claims)
  const nodes = new Map<string, InventoryDevice[]>()
  const listed = new Set<string>()
  const place = (node: string, device: DeviceFacts, key: string): void => {
    const devices = nodes.get(node) ?? []
    nodes.set(node, devices)
    devices.push({ ...device, reservedFor: [...new Set(holders.get(key))].toSorted(compareText) })
    listed.add(key)
  }
  for (const slice of newest) {
    for (const device of slice.devices) place(slice.node, device, keyOf({ ...slice, device: device.name }))
  }
  const nodeOfPool = new Map(newest.map((slice) => [`${slice.driver}/${slice.pool}`, slice.node]))
  for (const allocated of claims.flatMap((claim) => claim.allocated)) {
    const device = listed.has(keyOf(allocated)) ? undefined : dynamicDevice(allocated, newest)
    const node = nodeOfPool.get(`${allocated.driver}/${allocated.pool}`) ?? allocated.pool
    if (device !== undefined) place(node, device, keyOf(allocated))
  }
  for (const devices of nodes.values()) devices.sort((a, b) => compareText(a.name, b.name))
  return nodes
}

/** What the claim `namespace/name` stands for, as extended resources: allocated devices where there are, else what it asks. */
export function claimedRequests(
  slices: readonly SliceFacts[],
  claims: readonly ClaimFacts[],
): ReadonlyMap<string, readonly GpuRequest[]> {
  const newest = newestSlices(slices)
  const devices = new Map(
    newest.flatMap((slice) =>
      slice.devices.map((device) => [keyOf({ ...slice, device: device.name }), device] as const),
    ),
  )
  const resourceOf = (allocated: AllocatedDevice): string => {
    const device = devices.get(keyOf(allocated)) ?? dynamicDevice(allocated, newest)
    return device?.profile === undefined ? wholeResource(allocated.driver) : resourceOfProfile(device.profile)
  }
  return new Map(
    claims.map(({ namespace, name, allocated, asked }) => {
      const held = sumRequests(allocated.map((device) => ({ resource: resourceOf(device), count: 1 })))
      return [`${namespace}/${name}`, held.length > 0 ? held : asked]
    }),
  )
}

const keyOf = ({ driver, pool, device }: AllocatedDevice): string => `${driver}/${pool}/${device}`

function newestSlices(slices: readonly SliceFacts[]): readonly SliceFacts[] {
  const newest = new Map<string, number>()
  for (const { driver, pool, generation } of slices) {
    const key = `${driver}/${pool}`
    newest.set(key, Math.max(generation, newest.get(key) ?? 0))
  }
  return slices.filter(({ driver, pool, generation }) => newest.get(`${driver}/${pool}`) === generation)
}

function holdersByDevice(claims: readonly ClaimFacts[]): ReadonlyMap<string, readonly string[]> {
  const holders = new Map<string, string[]>()
  for (const claim of claims) {
    for (const allocated of claim.allocated) {
      const key = keyOf(allocated)
      holders.set(key, [...(holders.get(key) ?? []), ...claim.reservedFor])
    }
  }
  return holders
}

function dynamicDevice(allocated: AllocatedDevice, newest: readonly SliceFacts[]): DeviceFacts | undefined {
  const told = readDynamicName(allocated.device)
  if (told === undefined) return undefined
  const parent = newest
    .find(({ driver, pool }) => driver === allocated.driver && pool === allocated.pool)
    ?.devices.find(({ name }) => name === told.gpu)
  return {
    name: allocated.device,
    kind: 'mig',
    uuid: undefined,
    parent: parent?.uuid,
    profile: told.profile,
    product: parent?.product,
    start: told.start,
  }
}
