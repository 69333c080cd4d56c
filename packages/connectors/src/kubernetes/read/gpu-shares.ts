import { type GpuRequest, type GpuShare, mib, readQuantity } from '@septet/domain'
import { z } from 'zod'
import { readYaml } from '../read-yaml.ts'

type Texts = Readonly<Record<string, string>>

/** A share of one GPU that a scheduler gave to a pod. */
export type ShareFacts = {
  /** The GPU's UUID; or KAI's name for it, which the pod that reserves it has as well. */
  readonly gpu: string
  /** Share of the GPU that it may compute on, or undefined where memory alone is limited. */
  readonly fraction: number | undefined
  /** MiB. */
  readonly memory: number | undefined
  /** It is a MIG instance. Absent: no. */
  readonly instance?: GpuShare['instance']
}

/** Of HAMi, and of Volcano, whose vGPUs are HAMi's under other names. */
const GIVEN = ['hami.io/vgpu-devices-allocated', 'volcano.sh/vgpu-ids-new']
const GROUP = 'runai-gpu-group'

/** The shares that a pod has, as the annotations of HAMi, Volcano or KAI say it; empty where none were given. */
export const givenShares = (labels: Texts, annotations: Texts): readonly ShareFacts[] => [
  ...GIVEN.flatMap((name) => hamiShares(annotations[name] ?? '')),
  ...kaiGpus(labels, annotations).map((gpu) => ({ gpu, ...kaiShare(annotations) })),
]

/**
 * HAMi ends each container with `;` and each device with `:`, as `UUID,type,MiB,percent of cores`. 0 cores are no limit.
 * Project-HAMi/HAMi docs/develop/protocol.md.
 */
function hamiShares(text: string): readonly ShareFacts[] {
  const devices = Map.groupBy(text.split(/[;:]/u).flatMap(hamiDevice), ({ gpu }) => gpu)
  return [...devices].map(([name, own]) => ({
    // `GPU-…[1-0]` is the first instance of the second geometry that HAMi knows for that GPU.
    gpu: name.replace(/\[.*\]$/u, ''),
    ...(name.endsWith(']') && { instance: { memory: mib(own.reduce((sum, { memory }) => sum + memory, 0)) } }),
    fraction: own.reduce((sum, { cores }) => sum + cores, 0) / 100,
    memory: own.reduce((sum, { memory }) => sum + memory, 0),
  }))
}

function hamiDevice(text: string): ReadonlyArray<{ gpu: string; memory: number; cores: number }> {
  const [, gpu = '', memory, cores] = /^([^,]+),[^,]*,(\d+),(\d+)$/u.exec(text.trim()) ?? []
  return gpu === '' ? [] : [{ gpu, memory: Number(memory), cores: Number(cores) }]
}

/** One GPU is named in the label's value, several each in a label of its own. */
const kaiGroups = (labels: Texts): readonly string[] =>
  Object.entries(labels).flatMap(([key, value]) =>
    key === GROUP ? value : key.startsWith(`${GROUP}/`) ? key.slice(GROUP.length + 1) : [],
  )

/** What NvFractions says of a container: what it requests, may grow to, and has. The limit alone is the request too. */
const NV_FRACTION = /^nvidia\.com\/container\..+\.(?:gpu-memory\.(?:request|limit)|gpus\.devices)$/u
const valueOf = (annotations: Texts, end: string): string | undefined =>
  Object.entries(annotations).find(([name]) => NV_FRACTION.test(name) && name.endsWith(end))?.[1]

/** By UUID where KAI wrote that down for the container, else by its own name for the GPU. */
function kaiGpus(labels: Texts, annotations: Texts): readonly string[] {
  const named = valueOf(annotations, '.gpus.devices')?.match(/GPU-[^,\s]+/gu) ?? []
  return named.length > 0 ? named : kaiGroups(labels)
}

/**
 * What KAI schedules a pod by: NvFractions, which Run:ai 3.0 writes too, comes before the older annotations, and memory that
 * it may grow to is promised to nobody. kai-scheduler/KAI-Scheduler docs/gpu-sharing/README.md; NVIDIA Run:ai 3.0,
 * "Migrate GPU Fractions".
 */
function kaiShare(annotations: Texts): Pick<ShareFacts, 'fraction' | 'memory'> {
  const bytes = valueOf(annotations, '.gpu-memory.request') ?? valueOf(annotations, '.gpu-memory.limit')
  if (bytes !== undefined) return { fraction: undefined, memory: positive((readQuantity(bytes) ?? 0) / 1024 ** 2) }
  const [fraction, memory] = SHARES.map((name) => Number(annotations[name] ?? NaN))
  return { fraction: positive(fraction), memory: positive(memory) }
}
const SHARES = ['gpu-fraction', 'gpu-memory']

/** Names of the annotations by which KAI is asked for a share of a GPU, and finds one where no other scheduler would. */
export const shareAnnotations = (annotations: Texts): readonly string[] =>
  Object.keys(annotations).filter(
    (name) => SHARES.includes(name) || (NV_FRACTION.test(name) && !name.endsWith('.gpus.devices')),
  )

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined

/** What a pod asks KAI for in annotations alone: it requests no GPU as a resource. */
export function requestedShares(annotations: Texts): readonly GpuRequest[] {
  const { fraction, memory } = kaiShare(annotations)
  if (fraction === undefined && memory === undefined) return []
  const devices = Number(annotations['gpu-fraction-num-devices'] ?? 1)
  return [{ resource: SHARE, count: Number.isInteger(devices) && devices > 0 ? devices : 1 }]
}

/** A share of a GPU, as the device plugin calls it where its resources are renamed. */
export const SHARE = 'nvidia.com/gpu.shared'

const KAI_RESERVES: ReadonlySet<string> = new Set(['kai-resource-reservation', 'runai-reservation'])
const KAI_SCALES = 'kai-scale-adjust'

/**
 * Whether it stands for other pods: KAI lets one of its own hold each GPU of which it gives shares, and has others wait so
 * that an autoscaler adds nodes.
 */
export const isPlaceholder = (namespace: string, labels: Texts): boolean =>
  namespace === KAI_SCALES || (KAI_RESERVES.has(namespace) && labels[GROUP] !== undefined)

/** Which GPU KAI's name for one means, as the pod that reserves it says; undefined for others. */
export function reservedGpu(
  labels: Texts,
  annotations: Texts,
): { readonly group: string; readonly gpu: string } | undefined {
  const [group, gpu] = [labels[GROUP], annotations['run.ai/reserve_for_gpu_index']]
  return group === undefined || gpu === undefined ? undefined : { group, gpu }
}

/** A GPU of which HAMi or Volcano gives shares. */
export type DividedGpu = {
  readonly id: string
  readonly index: number
  /** Shares that it gives at most. */
  readonly count: number
  /** MiB, which may be more than there is. */
  readonly memory: number
  readonly product: string
  readonly isMig: boolean
}

/**
 * The GPUs that the device plugin of HAMi or of Volcano registers in a node's annotation: JSON, or a text of commas and colons,
 * as HAMi's was before version 2.5.
 */
export function dividedGpus(annotations: Texts): readonly DividedGpu[] {
  const hami = annotations['hami.io/node-nvidia-register']
  const text = hami ?? annotations['volcano.sh/node-vgpu-register'] ?? ''
  if (text.startsWith('[')) return registered(text)
  return text.split(':').flatMap((device, index) => registeredText(device, index, hami !== undefined))
}

const Registered = z.array(
  z.object({
    id: z.string().min(1),
    index: z.number().int().min(0).catch(0),
    count: z.number().int().min(1),
    devmem: z.number().min(0),
    type: z.string().catch(''),
    mode: z.string().catch(''),
  }),
)

function registered(text: string): readonly DividedGpu[] {
  const read = Registered.safeParse(yamlOf(text))
  if (!read.success) return []
  return read.data.map(({ id, index, count, devmem, type, mode }) => ({
    id,
    index,
    count,
    memory: devmem,
    product: productOf(type),
    isMig: mode === 'mig',
  }))
}

// JSON is YAML, and there is one reader of it.
function yamlOf(text: string): unknown {
  try {
    return readYaml(text)
  } catch {
    return undefined
  }
}

/** `UUID,count,MiB,` and then of HAMi the percent of cores and the type, of Volcano the type, its health and its mode. */
function registeredText(device: string, index: number, isHami: boolean): readonly DividedGpu[] {
  const [id = '', count = '', memory = '', ...more] = device.trim().split(',')
  if (id === '' || !/^\d+$/u.test(count) || !/^\d+$/u.test(memory)) return []
  const product = productOf(more[isHami ? 1 : 0] ?? '')
  return [{ id, index, count: Number(count), memory: Number(memory), product, isMig: !isHami && more[2] === 'mig' }]
}

const productOf = (type: string): string => type.replace(/^NVIDIA-/u, '')
