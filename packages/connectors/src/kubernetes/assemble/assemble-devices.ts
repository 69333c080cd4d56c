import {
  compareText,
  resourceOfProfile,
  type GpuRequest,
  type GpuShare,
  type InventoryDevice,
  type Problem,
  WHOLE_GPU_RESOURCE,
  ratio,
} from '@septet/domain'
import { sumRequests } from '../read/gpu-requests.ts'
import { SHARE } from '../read/gpu-shares.ts'
import { partitionResource, wholeResource, type AllocatedDevice, type ClaimFacts } from '../read/parse-claim.ts'
import { readDynamicName, type DeviceFacts, type SliceFacts } from '../read/parse-device.ts'

/** What DRA drivers publish of a node. */
export type Published = {
  readonly devices: readonly InventoryDevice[]
  /** Of GPUs that claims share. */
  readonly shares: readonly GpuShare[]
  /** How many physical GPUs these and all that could yet be made of them are on. */
  readonly gpuCount: number
  readonly product: string | undefined
  readonly problems: readonly Problem[]
}

/** Devices by node: those that the newest slices of each pool list, and MIG devices that exist only through a claim. */
export function publishedByNode(
  slices: readonly SliceFacts[],
  claims: readonly ClaimFacts[],
): ReadonlyMap<string, Published> {
  const newest = newestSlices(slices)
  const devices = devicesByNode(newest, claims)
  const nodeOf = nodesOfPools(newest)
  const incomplete = Map.groupBy(incompletePools(newest), nodeOf)
  const slicesOf = Map.groupBy(newest, nodeOf)
  const nodes = new Set([...devices.keys(), ...slicesOf.keys()])
  return new Map(
    [...nodes].map((node) => [
      node,
      {
        devices: devices.get(node)?.devices ?? [],
        shares: devices.get(node)?.shares ?? [],
        ...gpusIn(slicesOf.get(node) ?? []),
        problems: (incomplete.get(node) ?? []).map((pool) => incompleteOn(node, pool)),
      },
    ]),
  )
}

const gpusIn = (slices: readonly SliceFacts[]): Pick<Published, 'gpuCount' | 'product'> => ({
  gpuCount: new Set(slices.flatMap(({ driver, gpus }) => gpus.map((gpu) => `${driver}/${gpu}`))).size,
  product: slices.flatMap(({ devices }) => devices.flatMap(({ product }) => product ?? []))[0],
})

type OnNode = { readonly devices: InventoryDevice[]; readonly shares: GpuShare[] }

function devicesByNode(newest: readonly SliceFacts[], claims: readonly ClaimFacts[]): ReadonlyMap<string, OnNode> {
  const holders = holdersByDevice(claims)
  const nodeOf = nodesOfPools(newest)
  const sharers = sharersByDevice(claims)
  const nodes = new Map<string, OnNode>()
  const listed = new Set<string>()
  const place = (node: string, device: DeviceFacts, key: string): void => {
    const { kind, shareable: _shareable, ...published } = device
    listed.add(key)
    // A partition is counted by the resource that offers it: its GPU is known, its place on it is not.
    if (kind === 'partition') return
    const on = nodes.get(node) ?? { devices: [], shares: [] }
    nodes.set(node, on)
    const shares = claimedShares(device, sharers.get(key) ?? [])
    on.shares.push(...shares)
    const reservedFor = shares.length > 0 ? [] : [...new Set(holders.get(key))].toSorted(compareText)
    on.devices.push({ ...published, kind, reservedFor })
  }
  for (const slice of newest) {
    for (const device of slice.devices) place(nodeOf(slice), device, keyOf({ ...slice, device: device.name }))
  }
  for (const allocated of claims.flatMap((claim) => claim.allocated)) {
    const device = listed.has(keyOf(allocated)) ? undefined : dynamicDevice(allocated, newest)
    if (device !== undefined) place(nodeOf(allocated), device, keyOf(allocated))
  }
  for (const { devices } of nodes.values()) devices.sort((a, b) => compareText(a.name, b.name))
  return nodes
}

type Pool = Pick<SliceFacts, 'driver' | 'pool'>

/** The node of a pool, which not each of its slices names: those that hold counters do not. */
function nodesOfPools(newest: readonly SliceFacts[]): (pool: Pool & { readonly node?: string | undefined }) => string {
  const nodes = new Map<string, string>()
  for (const { driver, pool, node } of newest) if (node !== undefined) nodes.set(`${driver}/${pool}`, node)
  return ({ driver, pool, node }) => node ?? nodes.get(`${driver}/${pool}`) ?? pool
}

type Incomplete = Pool & { readonly seen: number; readonly all: number }

/** The scheduler allocates from no pool before it sees all of its slices of one generation. */
function incompletePools(newest: readonly SliceFacts[]): readonly Incomplete[] {
  const pools = Map.groupBy(newest, ({ driver, pool }) => `${driver}/${pool}`)
  return [...pools.values()].flatMap((slices) =>
    slices
      .slice(0, 1)
      .map(({ driver, pool, slicesInPool }) => ({ driver, pool, seen: slices.length, all: slicesInPool }))
      .filter(({ seen, all }) => seen < all),
  )
}

const incompleteOn = (node: string, { driver, pool, seen, all }: Incomplete): Problem => ({
  code: 'dra-pool-incomplete',
  message:
    `${node}: the DRA driver ${driver} has published ${seen} of ${all} ResourceSlices of its pool ${pool}, so Kubernetes ` +
    'allocates nothing from it; see the log of the driver on this node if that stays so.',
  object: `node/${node}`,
})

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
    const whole = wholeResource(allocated.driver)
    if (device?.shareable !== undefined && allocated.consumed !== undefined && whole === WHOLE_GPU_RESOURCE)
      return SHARE
    if (device?.profile === undefined) return whole
    return device.kind === 'mig' ? resourceOfProfile(device.profile) : partitionResource(device.profile)
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

/** Claims that take a part of a device each, by device. */
type Sharers = ReadonlyMap<string, readonly Sharer[]>
type Sharer = { readonly claim: ClaimFacts; readonly consumed: Readonly<Record<string, number>> }

function sharersByDevice(claims: readonly ClaimFacts[]): Sharers {
  const parts = claims.flatMap((claim) =>
    claim.allocated.flatMap((device) =>
      device.consumed === undefined ? [] : [{ key: keyOf(device), claim, consumed: device.consumed }],
    ),
  )
  return Map.groupBy(parts, ({ key }) => key)
}

/** Which pod has how much of a GPU that claims share: the largest part that it takes of anything. Pods of one claim share alike. */
function claimedShares({ uuid: gpu, kind, shareable }: DeviceFacts, sharers: readonly Sharer[]): readonly GpuShare[] {
  if (gpu === undefined || kind !== 'gpu' || shareable === undefined) return []
  return sharers
    .flatMap(({ claim, consumed }) => {
      const parts = Object.entries(consumed).flatMap(([name, amount]) => {
        const all = shareable[name] ?? 0
        return all > 0 ? [amount / all] : []
      })
      // A claim may take 0 of a device that any number may share: what it uses then is limited by nothing.
      const share = Math.min(1, Math.max(0, ...parts) || 1)
      return claim.reservedFor.map((pod) => ({
        gpu,
        index: undefined,
        pod,
        share: ratio(share / claim.reservedFor.length),
      }))
    })
    .toSorted((a, b) => compareText(a.pod, b.pod))
}
