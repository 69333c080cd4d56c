import { readQuantity } from '@septet/domain'
import { z } from 'zod'
import { lenient, lenientList, Metadata } from './schemas.ts'

/** A device of a ResourceSlice that exists now, or a whole GPU. */
export type DeviceFacts = {
  readonly name: string
  /** A partition is a part of a GPU that is not a MIG device: AMD's, or any that counters say is not all of its GPU. */
  readonly kind: 'gpu' | 'mig' | 'partition'
  readonly uuid: string | undefined
  readonly parent: string | undefined
  readonly profile: string | undefined
  readonly product: string | undefined
  readonly start: number | undefined
  /** How much there is of what claims may take parts of. Absent: one claim has all of it. */
  readonly shareable?: Readonly<Record<string, number>>
  /** As in `InventoryDevice`. */
  readonly taint?: string
}

export type SliceFacts = {
  readonly driver: string
  readonly pool: string
  /** Only slices of a pool's newest generation count. */
  readonly generation: number
  /** How many slices the pool has in all; before they are all there, not all of its devices are. */
  readonly slicesInPool: number
  /** Undefined where it is not a node's own. */
  readonly node: string | undefined
  readonly devices: readonly DeviceFacts[]
  /** The physical GPUs that the listed devices are on, those included that a driver could yet make. */
  readonly gpus: readonly string[]
}

/** True for drivers whose devices are GPUs (`gpu.nvidia.com`); not for networks or compute domains. */
export const isGpuDriver = (driver: string): boolean => driver.startsWith('gpu.')

/**
 * Reads a ResourceSlice of resource.k8s.io v1, v1beta2 or v1beta1; undefined for other drivers' slices. A slice of counters
 * has no devices. A MIG device without UUID is one of the many placements that a driver could make, not one that exists:
 * those are left out, and made from a claim once one is allocated.
 */
export function parseResourceSlice(raw: unknown): SliceFacts | undefined {
  const { spec } = SliceSchema.parse(raw)
  if (!isGpuDriver(spec.driver)) return undefined
  const { name: pool, generation, resourceSliceCount: slicesInPool } = spec.pool
  const read = spec.devices.map((device) => readDevice(device, spec))
  return {
    driver: spec.driver,
    pool,
    generation,
    slicesInPool,
    node: spec.nodeName,
    devices: read.flatMap(({ facts }) => (facts.kind === 'mig' && facts.uuid === undefined ? [] : [facts])),
    gpus: [...new Set(read.map(({ gpu }) => gpu))],
  }
}

/**
 * The profile and place that the name of a dynamic MIG device tells:
 * `gpu-<minor>-mig-<profile without dots>-<profile id>-<start>` (kubernetes-sigs/dra-driver-nvidia-gpu).
 */
export function readDynamicName(name: string): { profile: string; start: number; gpu: string } | undefined {
  const groups = /^(?<gpu>gpu-\d+)-mig-(?<slices>\d+)g(?<memory>\d+)gb(?<variant>.*)-\d+-(?<start>\d+)$/.exec(
    name,
  )?.groups
  if (groups === undefined) return undefined
  const variant = (groups['variant'] ?? '').replace(/^-?(me|gfx)/, '+$1').replace(/^\+meall$/, '+me.all')
  return {
    profile: `${groups['slices']}g.${groups['memory']}gb${variant}`,
    start: Number(groups['start']),
    gpu: groups['gpu'] ?? '',
  }
}

const Value = z.object({
  string: lenient(z.string()),
  version: lenient(z.string()),
})
const Attributes = z
  .record(z.string(), Value.catch({ string: undefined, version: undefined }))
  .nullish()
  .transform((attributes) => attributes ?? {})
const Capacity = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((capacity) => capacity ?? {})
const Counters = z.record(z.string(), z.object({ value: z.union([z.string(), z.number()]) }))
const Body = {
  allowMultipleAllocations: lenient(z.boolean()),
  attributes: Attributes,
  capacity: Capacity,
  consumesCounters: lenientList(z.object({ counterSet: z.string(), counters: Counters })),
  taints: lenientList(z.object({ key: z.string(), value: lenient(z.string()), effect: z.string() })),
}
const Device = z.object({
  name: z.string(),
  ...Body,
  /** v1beta1 wraps the body. */
  basic: lenient(z.object(Body)),
})
type Device = z.infer<typeof Device>

const SliceSpec = z.object({
  driver: z.string(),
  nodeName: lenient(z.string().min(1)),
  pool: z.object({
    name: z.string(),
    generation: z.number().catch(0),
    resourceSliceCount: z.number().int().min(1).catch(1),
  }),
  devices: lenientList(Device),
})
type SliceSpec = z.infer<typeof SliceSpec>
const SliceSchema = z.object({ metadata: Metadata, spec: SliceSpec })

/** What a device is, and the physical GPU that it is on: the same text for all devices of one. */
type ReadDevice = { readonly facts: DeviceFacts; readonly gpu: string }

function readDevice(device: Device, spec: SliceSpec): ReadDevice {
  const { attributes, capacity, allowMultipleAllocations, taints } = device.basic ?? device
  const text = (name: string): string | undefined => {
    const value = attributes[name] ?? attributes[`${spec.driver}/${name}`]
    return value?.string ?? value?.version
  }
  const kind = kindOf(device, spec, text)
  const facts = {
    name: device.name,
    kind,
    uuid: text('uuid'),
    parent: kind === 'mig' ? text('parentUUID') : undefined,
    profile: kind === 'gpu' ? undefined : (text('profile') ?? text('partitionProfile')),
    product: productOf(text),
    start: kind === 'mig' ? firstMemorySlice(Object.keys(capacity)) : undefined,
    ...(allowMultipleAllocations === true ? { shareable: amountsIn(capacity) } : {}),
    ...taintIn(taints),
  }
  return { facts, gpu: counterSetOf(device) ?? gpuOf(facts, text) }
}

/** With the effect None a taint only informs. */
function taintIn(taints: Device['taints']): Pick<DeviceFacts, 'taint'> {
  const found = taints.find(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute')
  if (found === undefined) return {}
  return { taint: `${found.key}${found.value === undefined ? '' : `=${found.value}`}:${found.effect}` }
}

const Amount = z.object({ value: z.union([z.string(), z.number()]) })

/** By name without the domain, which drivers may leave out. */
function amountsIn(capacity: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  const amounts = Object.entries(capacity).flatMap(([name, each]) => {
    const amount = readQuantity(Amount.safeParse(each).data?.value)
    return amount === undefined ? [] : [[plainName(name), amount] as const]
  })
  return Object.fromEntries(amounts)
}
export const plainName = (name: string): string => name.replace(/^.*\//u, '')

/** AMD's partitions of one GPU all have its deviceID (ROCm/k8s-gpu-dra-driver docs/driver-attributes.md). */
function gpuOf({ kind, name, parent, uuid }: DeviceFacts, text: Text): string {
  const whole = kind === 'partition' ? text('deviceID') : parent
  return whole ?? uuid ?? name
}

type Text = (name: string) => string | undefined

function kindOf(device: Device, { devices }: SliceSpec, text: Text): DeviceFacts['kind'] {
  const type = text('type')
  if (type === 'mig' || (type === undefined && text('profile') !== undefined)) return 'mig'
  if (type === 'amdgpu-partition') return 'partition'
  return type === undefined && isPart(device, devices) ? 'partition' : 'gpu'
}

// Intel's driver says Unknown of a GPU that it has no name for.
const productOf = (text: Text): string | undefined =>
  [text('productName'), text('model')].find((name) => name !== undefined && name !== 'Unknown')

const countersOf = (device: Device) => (device.basic ?? device).consumesCounters

/** Devices that draw on one set of counters are on one GPU (KEP-4815). */
const counterSetOf = (device: Device): string | undefined => countersOf(device)[0]?.counterSet

/** Whether another device draws more on the same counters: then this one is not all of the GPU. */
function isPart(device: Device, devices: readonly Device[]): boolean {
  const set = counterSetOf(device)
  if (set === undefined) return false
  const drawn = totalOf(device)
  return devices.some((other) => other !== device && counterSetOf(other) === set && totalOf(other) > drawn)
}

const totalOf = (device: Device): number =>
  countersOf(device)
    .flatMap(({ counters }) => Object.values(counters))
    .reduce((sum, { value }) => sum + (readQuantity(value) ?? 0), 0)

// A static MIG device lists the memory slices it takes as memorySlice0, memorySlice1 …
function firstMemorySlice(capacities: readonly string[]): number | undefined {
  const taken = capacities.flatMap((name) => {
    const number = /(?:^|\/)memorySlice(\d+)$/.exec(name)?.[1]
    return number === undefined ? [] : [Number(number)]
  })
  return taken.length === 0 ? undefined : Math.min(...taken)
}
