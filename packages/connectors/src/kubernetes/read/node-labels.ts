import {
  amdDevice,
  findModelByCloudLabel,
  findModelByMachineType,
  mib,
  type MigState,
  type NoMigManager,
  partsPerGpu,
  readCount,
  type Sharing,
} from '@septet/domain'
import { lookUp } from '../connect/look-up.ts'

type Labels = Readonly<Record<string, string>>

/** Node pool by the label of Karpenter, GKE, EKS, AKS and others; empty where there is none. */
export const poolOf = (labels: Labels): string =>
  POOL_LABELS.map((label) => labels[label]).find((pool) => pool !== undefined && pool !== '') ?? ''

/**
 * The product as GPU feature discovery spells it; else the model a cloud's label stands for; else that label. A GPU that
 * GKE partitions gets the suffix that feature discovery would give it.
 */
export function productLabel(labels: Labels): string {
  const discovered = labels['nvidia.com/gpu.product']
  if (discovered !== undefined && discovered !== '') return discovered
  const named = PRODUCT_LABELS.map((label) => labels[label]).find((product) => product !== undefined && product !== '')
  const product = modelByCloud(labels) ?? named ?? amdProduct(labels) ?? ''
  const partition = labels[GKE_PARTITION] ?? ''
  return product === '' || partition === '' ? product : `${product}-MIG-${partition}`
}

/** By the product that AMD's node labeller names, else by the PCI device id; its older labels end in their value. */
function amdProduct(labels: Labels): string | undefined {
  const said = (kind: string): string | undefined =>
    labels[`amd.com/gpu.${kind}`] ||
    Object.keys(labels).flatMap((label) => label.split(`beta.amd.com/gpu.${kind}.`)[1] ?? [])[0]
  const device = said('device-id')
  return said('product-name') ?? (device === undefined ? undefined : amdDevice(device))
}

/** The model that the type of the machine names; empty for none. */
export const productOfMachine = (labels: Labels): string =>
  findModelByMachineType(labels['node.kubernetes.io/instance-type'] ?? '')?.name ?? ''

/** The profile in `…-MIG-<profile>`, spelled with `+` as NVML does; undefined for none and for `-MIG-INVALID`. */
export function productProfile(product: string): string | undefined {
  const profile = /-MIG-(\d+g\.\d+gb.*?)(?:-SHARED)?$/.exec(product)?.[1]
  return profile === undefined ? undefined : profile.replace(/gb\.?(?=me|gfx)/, 'gb+')
}

export function migStateOf(labels: Labels): MigState {
  return {
    strategy: lookUp(STRATEGIES, labels['nvidia.com/mig.strategy']) ?? strategyOfGke(labels),
    config: labels['nvidia.com/mig.config'],
    state: lookUp(STATES, labels['nvidia.com/mig.config.state']),
  }
}

/** How the node shares its GPUs, or its MIG devices, among several holders. */
export function sharingOf(labels: Labels): Sharing {
  if (labels[GKE_SHARING] !== undefined) return sharingOfGke(labels)
  const prefix = sharedPrefixes(labels).find((each) => SHARED.has(labels[`${each}.sharing-strategy`] ?? ''))
  // Replicas are counted per GPU, 1 where nothing is shared (k8s-device-plugin, internal/lm).
  const replicas = readCount(labels[`${prefix ?? WHOLE}.replicas`]) ?? 1
  if (replicas < 2) return { kind: 'none' }
  if (prefix !== undefined)
    return { kind: labels[`${prefix}.sharing-strategy`] === 'mps' ? 'mps' : 'time-slicing', replicas }
  // Before the strategy label existed, time-slicing showed only as replicas and as the suffix of the product.
  const implied = labels[`${WHOLE}.sharing-strategy`] === undefined && productLabel(labels).endsWith('-SHARED')
  return implied ? { kind: 'time-slicing', replicas } : { kind: 'none' }
}

/**
 * The parts that each GPU is cut into, by the mode that AMD's node labeller says, or the resources that the device plugin
 * names by it, or by vGPU types; undefined where they are whole, or cut differently.
 */
export function partitionsOf(labels: Labels, resources: readonly string[]): Sharing | undefined {
  const said = labels['amd.com/gpu.compute-memory-partition'] ?? labels['amd.com/compute-memory-partition']
  const modes = new Set([...(said === undefined ? [] : [`amd.com/${said.toLowerCase()}`]), ...resources])
  const [replicas, ...others] = new Set([...modes].flatMap((name) => partsPerGpu(name, productLabel(labels)) ?? []))
  return replicas === undefined || replicas < 2 || others.length > 0 ? undefined : { kind: 'partitions', replicas }
}

// GKE gives every GPU of a node the same partitions and offers them as whole GPUs, which is the single strategy.
// https://cloud.google.com/kubernetes-engine/docs/how-to/gpus-multi
const GKE_PARTITION = 'cloud.google.com/gke-gpu-partition-size'
const strategyOfGke = (labels: Labels): MigState['strategy'] => (labels[GKE_PARTITION] ? 'single' : 'none')

// https://cloud.google.com/kubernetes-engine/docs/concepts/timesharing-gpus
const GKE_SHARING = 'cloud.google.com/gke-gpu-sharing-strategy'
function sharingOfGke(labels: Labels): Sharing {
  const replicas = readCount(labels['cloud.google.com/gke-max-shared-clients-per-gpu']) ?? 1
  if (replicas < 2) return { kind: 'none' }
  return { kind: labels[GKE_SHARING] === 'mps' ? 'mps' : 'time-slicing', replicas }
}

const WHOLE = 'nvidia.com/gpu'
const SHARED: ReadonlySet<string> = new Set(['time-slicing', 'mps'])
const MIG_STRATEGY = /^(nvidia\.com\/mig-.+)\.sharing-strategy$/

const sharedPrefixes = (labels: Labels): readonly string[] => [
  WHOLE,
  ...Object.keys(labels).flatMap((label) => MIG_STRATEGY.exec(label)?.[1] ?? []),
]

/** GPUs by a cloud's or Intel's label, for nodes whose own labels count something else or are absent. */
export const cloudCount = (labels: Labels): number | undefined =>
  [...COUNT_LABELS, ...Object.keys(labels).filter((label) => INTEL_COUNT.test(label))]
    .map((label) => readCount(labels[label]))
    .find((count) => count !== undefined && count > 0)

/** Of Intel's plugin, which offers each of its cards as often as `shared-dev-num` says, and labels how many there are. */
const INTEL_COUNT = /^gpu\.intel\.com\/device-id\..+\.count$/u

/** Operator components whose label still says that they are paused for a MIG change. */
export const pausedComponents = (labels: Labels): readonly string[] =>
  Object.entries(labels)
    .filter(([label, value]) => label.startsWith(DEPLOY) && value === 'paused-for-mig-change')
    .map(([label]) => label.slice(DEPLOY.length))

/**
 * Why no mig-manager runs on a node. The GPU Operator labels each GPU node for the parts that run there: those of its
 * ClusterPolicy, or those of its GPUCluster, which serves GPUs by DRA and has none. NVIDIA/gpu-operator v26.7.0.
 */
export function withoutMigManager(labels: Labels): NoMigManager | undefined {
  const manager = labels[`${DEPLOY}mig-manager`]
  if (manager === 'false') return 'switched-off'
  return manager === undefined && labels[`${DEPLOY}dra-driver`] === 'true' ? 'dra-stack' : undefined
}

function modelByCloud(labels: Labels): string | undefined {
  const accelerator = labels['cloud.google.com/gke-accelerator']
  const prefix = AWS_PREFIXES.find((each) => labels[`${each}-name`] !== undefined)
  const gpuName = labels[`${prefix}-name`]
  if (accelerator !== undefined) return findModelByCloudLabel({ cloud: 'gke', accelerator })?.name
  if (gpuName === undefined) return undefined
  const memory = readCount(labels[`${prefix}-memory`])
  return findModelByCloudLabel({ cloud: 'aws', gpuName, gpuMemory: memory === undefined ? undefined : mib(memory) })
    ?.name
}

const DEPLOY = 'nvidia.com/gpu.deploy.'

/** Karpenter's labels, and the same of EKS Auto Mode. */
const AWS_PREFIXES = ['karpenter.k8s.aws/instance-gpu', 'eks.amazonaws.com/instance-gpu'] as const

/** Labels by which clouds and autoscalers name a node's pool. */
const POOL_LABELS = [
  'karpenter.sh/nodepool',
  'cloud.google.com/gke-nodepool',
  'eks.amazonaws.com/nodegroup',
  'kubernetes.azure.com/agentpool',
  'agentpool',
  'node.cluster.x-k8s.io/pool',
  'doks.digitalocean.com/node-pool',
] as const

const PRODUCT_LABELS = [
  'gpu.nvidia.com/class',
  'cloud.google.com/gke-accelerator',
  'karpenter.k8s.aws/instance-gpu-name',
  'eks.amazonaws.com/instance-gpu-name',
  'karpenter.azure.com/sku-gpu-name',
  'nvidia.com/gpu.name',
  'skypilot.co/accelerator',
  'gpu.intel.com/product',
] as const

const COUNT_LABELS = [
  'cloud.google.com/gke-accelerator-count',
  'karpenter.k8s.aws/instance-gpu-count',
  'eks.amazonaws.com/instance-gpu-count',
  'karpenter.azure.com/sku-gpu-count',
  'gpu.intel.com/device.count',
] as const

const STRATEGIES: Readonly<Record<string, MigState['strategy']>> = { single: 'single', mixed: 'mixed' }
const STATES: Readonly<Record<string, MigState['state']>> = {
  pending: 'pending',
  rebooting: 'rebooting',
  success: 'success',
  failed: 'failed',
}
