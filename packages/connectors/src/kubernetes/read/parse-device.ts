import { z } from 'zod'
import { lenient, lenientList, Metadata } from './schemas.ts'

/** A device of a ResourceSlice that exists now, or a whole GPU. */
export type DeviceFacts = {
  readonly name: string
  readonly kind: 'gpu' | 'mig'
  readonly uuid: string | undefined
  readonly parent: string | undefined
  readonly profile: string | undefined
  readonly product: string | undefined
  readonly start: number | undefined
}

export type SliceFacts = {
  readonly driver: string
  readonly pool: string
  /** Only slices of a pool's newest generation count. */
  readonly generation: number
  readonly node: string
  readonly devices: readonly DeviceFacts[]
}

/** True for drivers whose devices are GPUs (`gpu.nvidia.com`); not for networks or compute domains. */
export const isGpuDriver = (driver: string): boolean => driver.startsWith('gpu.')

/**
 * Reads a ResourceSlice of resource.k8s.io v1, v1beta2 or v1beta1. Undefined for other drivers' slices, and for those
 * that hold counters only. A MIG device without UUID is one of the many placements that a driver could make, not one
 * that exists: those are left out, and made from a claim once one is allocated.
 */
export function parseResourceSlice(raw: unknown): SliceFacts | undefined {
  const { spec } = SliceSchema.parse(raw)
  if (!isGpuDriver(spec.driver)) return undefined
  const devices = spec.devices.flatMap((device) => {
    const facts = toDevice(device, spec.driver)
    return facts.kind === 'mig' && facts.uuid === undefined ? [] : [facts]
  })
  if (devices.length === 0) return undefined
  const { name: pool, generation } = spec.pool
  return { driver: spec.driver, pool, generation, node: spec.nodeName ?? pool, devices }
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
const Body = { attributes: Attributes, capacity: Capacity }
const Device = z.object({
  name: z.string(),
  ...Body,
  /** v1beta1 wraps the body. */
  basic: lenient(z.object(Body)),
})
type Device = z.infer<typeof Device>

const SliceSchema = z.object({
  metadata: Metadata,
  spec: z.object({
    driver: z.string(),
    nodeName: lenient(z.string().min(1)),
    pool: z.object({ name: z.string(), generation: z.number().catch(0) }),
    devices: lenientList(Device),
  }),
})

function toDevice(device: Device, driver: string): DeviceFacts {
  const { attributes, capacity } = device.basic ?? device
  const text = (name: string): string | undefined => {
    const value = attributes[name] ?? attributes[`${driver}/${name}`]
    return value?.string ?? value?.version
  }
  const kind = text('type') === 'mig' ? 'mig' : 'gpu'
  return {
    name: device.name,
    kind,
    uuid: text('uuid'),
    parent: kind === 'mig' ? text('parentUUID') : undefined,
    profile: kind === 'mig' ? text('profile') : undefined,
    product: text('productName'),
    start: kind === 'mig' ? firstMemorySlice(Object.keys(capacity)) : undefined,
  }
}

// A static MIG device lists the memory slices it takes as memorySlice0, memorySlice1 …
function firstMemorySlice(capacities: readonly string[]): number | undefined {
  const taken = capacities.flatMap((name) => {
    const number = /(?:^|\/)memorySlice(\d+)$/.exec(name)?.[1]
    return number === undefined ? [] : [Number(number)]
  })
  return taken.length === 0 ? undefined : Math.min(...taken)
}
