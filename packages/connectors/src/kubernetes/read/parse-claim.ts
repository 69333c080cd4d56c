import { resourceOfProfile, type GpuRequest, type PodId, WHOLE_GPU_RESOURCE, readQuantity } from '@septet/domain'
import { z } from 'zod'
import { sumRequests } from './gpu-requests.ts'
import { lookUp } from '../connect/look-up.ts'
import { isGpuDriver, plainName } from './parse-device.ts'
import { lenient, lenientList, Metadata } from './schemas.ts'

/** What we keep of a ResourceClaim that is about GPUs. */
export type ClaimFacts = {
  readonly namespace: string
  readonly name: string
  /** What it asks for, by the extended resource that would be the same; a device class we do not know keeps its name. */
  readonly asked: readonly GpuRequest[]
  /** It chooses devices by more than that, so whether one is free for it is not known. Absent: it does not. */
  readonly chooses?: true
  readonly allocated: readonly AllocatedDevice[]
  readonly reservedFor: readonly PodId[]
}
export type AllocatedDevice = {
  readonly driver: string
  readonly pool: string
  readonly device: string
  /** How much it takes of a device that several claims share, by name without the domain. Absent: all of it. */
  readonly consumed?: Readonly<Record<string, number>>
}

/** Of a claim, why it is not known whether a device is free for it. */
export const CHOOSES = 'chooses devices by rules that are not judged'

/** Reads a ResourceClaim of resource.k8s.io v1, v1beta2 or v1beta1; undefined when it asks for no GPU. */
export function parseClaim(raw: unknown): ClaimFacts | undefined {
  const { metadata, spec, status } = ClaimSchema.parse(raw)
  // Administrators look at devices that others hold, and take nothing from them.
  const allocated = (status?.allocation?.devices?.results ?? [])
    .filter(({ driver, adminAccess }) => isGpuDriver(driver) && adminAccess !== true)
    .map(({ driver, pool, device, consumedCapacity }): AllocatedDevice => ({
      driver,
      pool,
      device,
      ...(consumedCapacity === undefined ? {} : { consumed: amountsOf(consumedCapacity) }),
    }))
  const asked = sumRequests(spec.devices.requests.flatMap((request) => toRequest(request) ?? []))
  if (allocated.length === 0 && asked.length === 0) return undefined
  const { namespace, name } = metadata
  const reservedFor = (status?.reservedFor ?? [])
    .filter(({ resource }) => resource === 'pods')
    .map((consumer) => `${namespace}/${consumer.name}`)
  return { namespace, name, asked, ...choosing(spec.devices), allocated, reservedFor }
}

const amountsOf = (consumed: Readonly<Record<string, string | number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(consumed).flatMap(([name, quantity]) => {
      const amount = readQuantity(quantity)
      return amount === undefined ? [] : [[plainName(name), amount] as const]
    }),
  )

/** The extended resource that stands for a whole device of a DRA driver or its device class. */
export const wholeResource = (driver: string): string => lookUp(WHOLE, driver) ?? driver

const WHOLE: Readonly<Record<string, string>> = {
  'gpu.nvidia.com': WHOLE_GPU_RESOURCE,
  'vfio.gpu.nvidia.com': WHOLE_GPU_RESOURCE,
  'gpu.amd.com': 'amd.com/gpu',
  'gpu.intel.com': 'gpu.intel.com/xe',
}

/** The extended resource that AMD's device plugin gives a partition: `amd.com/cpx_nps1`. */
export const partitionResource = (profile: string): string => `amd.com/${profile.toLowerCase()}`

const Selector = z.object({ cel: lenient(z.object({ expression: z.string() })) })
const Exact = z.object({
  deviceClassName: lenient(z.string()),
  count: lenient(z.number()),
  selectors: lenientList(Selector),
  allocationMode: lenient(z.string()),
  /** How much of a device that claims share (consumable capacity). */
  capacity: lenient(z.record(z.string(), z.unknown())),
  adminAccess: lenient(z.boolean()),
})
type Exact = z.infer<typeof Exact>
/** v1beta1 has the fields of `exactly` in the request itself. */
const Request = Exact.extend({ exactly: lenient(Exact), firstAvailable: lenientList(Exact) })
type Request = z.infer<typeof Request>

const Devices = z.object({ requests: lenientList(Request), constraints: lenientList(z.unknown()) })

const ClaimSchema = z.object({
  metadata: Metadata,
  spec: z.object({ devices: Devices.catch({ requests: [], constraints: [] }) }),
  status: lenient(
    z.object({
      allocation: lenient(
        z.object({
          devices: lenient(
            z.object({
              results: lenientList(
                z.object({
                  driver: z.string(),
                  pool: z.string(),
                  device: z.string(),
                  adminAccess: lenient(z.boolean()),
                  consumedCapacity: lenient(z.record(z.string(), z.union([z.string(), z.number()]))),
                }),
              ),
            }),
          ),
        }),
      ),
      reservedFor: lenientList(z.object({ resource: z.string(), name: z.string() })),
    }),
  ),
})

const choosing = ({ requests, constraints }: z.infer<typeof Devices>): Pick<ClaimFacts, 'chooses'> =>
  constraints.length === 0 &&
  requests.every((each) => each.firstAvailable.length === 0 && isPlain(each.exactly ?? each))
    ? {}
    : { chooses: true }

const CLASSES: ReadonlySet<string> = new Set(['gpu.nvidia.com', 'mig.nvidia.com'])
const PROFILE = /^\s*device\.attributes\[['"]gpu\.nvidia\.com['"]\]\.profile\s*==\s*['"][\w.+-]+['"]\s*$/u

/** A number of whole GPUs, or of one MIG profile. */
function isPlain(exact: Exact): boolean {
  const { deviceClassName: name = '', selectors, allocationMode: mode, adminAccess, capacity } = exact
  const isCount = mode === undefined || mode === 'ExactCount'
  const isWhole = adminAccess !== true && capacity === undefined
  return (
    CLASSES.has(name) &&
    isCount &&
    isWhole &&
    selectors.length === (name === 'mig.nvidia.com' ? 1 : 0) &&
    selectors.every(isProfile)
  )
}

const isProfile = ({ cel }: z.infer<typeof Selector>): boolean => PROFILE.test(cel?.expression ?? '')

function toRequest(request: Request): GpuRequest | undefined {
  const { exactly, firstAvailable, deviceClassName } = request
  const exact = exactly ?? (deviceClassName === undefined ? firstAvailable[0] : request) ?? request
  const className = exact.deviceClassName ?? ''
  if (exact.adminAccess === true || !/(^|[.-])(gpu|mig)([.-]|$)/.test(className)) return undefined
  return { resource: resourceOf(className, exact), count: exact.count ?? 1 }
}

// A profile is asked for by an expression such as device.attributes['gpu.nvidia.com'].profile == '1g.10gb'. Any partition of
// an AMD GPU is no whole one; which it is, is not known.
function resourceOf(className: string, exact: Exact): string {
  const expressions = exact.selectors.map((selector) => selector.cel?.expression ?? '').join(' && ')
  const profile = /\.profile\s*==\s*['"]([^'"]+)['"]/.exec(expressions)?.[1]
  const partition = /\.partitionProfile\s*==\s*['"]([^'"]+)['"]/.exec(expressions)?.[1]
  if (profile !== undefined) return resourceOfProfile(profile)
  if (partition !== undefined) return partitionResource(partition)
  return expressions.includes('amdgpu-partition') ? className : wholeResource(className)
}
