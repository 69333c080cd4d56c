import {
  boardFor,
  boardOfVm,
  findModel,
  mib,
  partsPerGpu,
  profileOf,
  type GpuNode,
  type Instant,
  type Mib,
  type NoMigManager,
  type Sharing,
  type Taint,
  WHOLE_GPU_RESOURCE,
  isGpuResource,
  readCount,
  readQuantity,
} from '@septet/domain'
import { z } from 'zod'
import { dividedGpus, type DividedGpu } from './gpu-shares.ts'
import { intern } from './intern.ts'
import {
  cloudCount,
  migStateOf,
  partitionsOf,
  pausedComponents,
  poolOf,
  productLabel,
  productOfMachine,
  productProfile,
  sharingOf,
  withoutMigManager,
} from './node-labels.ts'
import { ConditionSchema, LabelsSchema, lenient, lenientList, Metadata, ResourceQuantities, Time } from './schemas.ts'

/** What we keep of a node. */
export type NodeFacts = Omit<GpuNode, 'gpus' | 'model' | 'problems' | 'room'> & {
  /** Some label or resource says that it has GPUs. Others are kept for a ResourceSlice may yet name them. */
  readonly isGpuNode: boolean
  /** GPUs in the machine, also under the single MIG strategy, whose label counts MIG devices; 0 when nothing says so. */
  readonly gpuCount: number
  /** GPU resources that the kubelet knows of, healthy or not. */
  readonly capacity: Readonly<Record<string, number>>
  /** Devices that labels count, by the resource that should offer them, replicas included. */
  readonly labelled: Readonly<Record<string, number>>
  /** GPUs of which HAMi gives shares. */
  readonly divided: readonly DividedGpu[]
  /** Of each of its GPUs, where a label says it. */
  readonly gpuMemory: Mib | undefined
  /** Operator components paused for a MIG change. */
  readonly paused: readonly string[]
  readonly noMigManager: NoMigManager | undefined
  /** What a health monitor reports of the GPUs, as conditions of the node. */
  readonly unhealthy: readonly string[]
  /** When the writer of `mig.config.state` last changed the labels it owns, by `managedFields`. */
  readonly migChangedAt: Instant | undefined
  /** Allocatable, thousandths of a core. */
  readonly cpuMilli: number | undefined
  readonly memory: Mib | undefined
  readonly taints: readonly Taint[]
  readonly labels: Readonly<Record<string, string>>
  /** Addresses and host names, of whatever kind. */
  readonly addresses: readonly string[]
}

export function parseNode(raw: unknown): NodeFacts {
  const { metadata, spec, status } = NodeSchema.parse(raw)
  const { labels } = metadata
  const capacity = gpusIn(status?.capacity)
  const divided = dividedGpus(metadata.annotations)
  const facts = {
    name: metadata.name,
    pool: poolOf(labels),
    ...healthIn(status?.conditions ?? []),
    schedulable: spec?.unschedulable !== true,
    createdAt: metadata.creationTimestamp,
    ...(spec?.providerID === undefined ? {} : { providerId: spec.providerID }),
    product: productOf(labels, divided, capacity),
    mig: migStateOf(labels),
    sharing: sharingWith(labels, divided, capacity),
    divided,
    gpuMemory: memoryOf(labels),
    allocatable: gpusIn(status?.allocatable),
    capacity,
    labelled: labelledDevices(labels, divided),
    paused: pausedComponents(labels),
    noMigManager: withoutMigManager(labels),
    migChangedAt: migChangedAt(metadata.managedFields),
    ...roomIn(spec, status),
    labels,
    addresses: addressesIn(status),
  }
  const isGpuNode = hasGpus(labels, facts)
  // The type of the machine is asked last: it also names machines on which no device plugin runs.
  const product = isGpuNode && facts.product === '' ? productOfMachine(labels) : facts.product
  return { ...facts, product, isGpuNode, gpuCount: gpuCount(labels, facts) }
}

/** Whether it is ready, and what of its GPUs is not well. */
const healthIn = (
  conditions: readonly ConditionSchema[],
): Pick<NodeFacts, 'ready' | 'notReadySince' | 'unhealthy'> => ({
  ...readinessOf(conditions),
  unhealthy: unhealthyIn(conditions),
})

function readinessOf(conditions: readonly ConditionSchema[]): Pick<NodeFacts, 'ready' | 'notReadySince'> {
  const found = conditions.find(({ type }) => type === 'Ready')
  if (found?.status === 'True') return { ready: true }
  const since = found?.lastTransitionTime
  return { ready: false, ...(since === undefined ? {} : { notReadySince: since }) }
}

/**
 * Conditions that are true where something is wrong (node-problem-detector of AKS: XIDErrors, GPUMissing, NVLinkStatusInactive;
 * NVSentinel: GpuMemWatch, SysLogsXIDError), or false (EKS: AcceleratedHardwareReady). A GPU that is slowed down works.
 */
const unhealthyIn = (conditions: readonly ConditionSchema[]): readonly string[] =>
  conditions.flatMap(({ type, status, reason, message }) => {
    const isOfGpus = /gpu|nvidia|nvlink|nvswitch|xid|acceleratedhardware/iu.test(type) && !/throttl/iu.test(type)
    const isWrong = status === (type.endsWith('Ready') ? 'False' : 'True')
    return isOfGpus && isWrong ? [`${type}: ${message === '' ? reason : message}`] : []
  })

const hasGpus = (labels: LabelMap, { product, capacity }: Pick<NodeFacts, 'product' | 'capacity'>): boolean =>
  product !== '' ||
  Object.keys(capacity).length > 0 ||
  labels['nvidia.com/gpu.present'] === 'true' ||
  cloudCount(labels) !== undefined

const ManagedFields = z.object({
  time: lenient(Time),
  fieldsV1: lenient(
    z.object({ 'f:metadata': lenient(z.object({ 'f:labels': lenient(z.record(z.string(), z.unknown())) })) }),
  ),
})

const TaintList = lenientList(z.object({ key: z.string(), value: lenient(z.string()), effect: z.string() })).transform(
  (taints) => intern(taints.map(({ key, value = '', effect }): Taint => ({ key, value, effect }))),
)
const NodeSchema = z.object({
  metadata: Metadata.extend({ annotations: LabelsSchema, managedFields: lenientList(ManagedFields) }),
  spec: lenient(z.object({ unschedulable: lenient(z.boolean()), providerID: lenient(z.string()), taints: TaintList })),
  status: z
    .object({
      capacity: ResourceQuantities,
      allocatable: ResourceQuantities,
      conditions: lenientList(ConditionSchema),
      addresses: lenientList(z.object({ address: z.string() })),
    })
    .nullish(),
})

type LabelMap = z.infer<typeof LabelsSchema>

function gpusIn(quantities: Readonly<Record<string, string | number>> | undefined): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [name, quantity] of Object.entries(quantities ?? {})) {
    const count = isGpuResource(name) ? readCount(quantity) : undefined
    if (count !== undefined) counts[name] = count
  }
  return counts
}

const addressesIn = (status: z.infer<typeof NodeSchema>['status']): readonly string[] =>
  status?.addresses.map(({ address }) => address) ?? []

function roomIn(
  spec: z.infer<typeof NodeSchema>['spec'],
  status: z.infer<typeof NodeSchema>['status'],
): Pick<NodeFacts, 'cpuMilli' | 'memory' | 'taints'> {
  const cores = readQuantity(status?.allocatable['cpu'])
  const bytes = readQuantity(status?.allocatable['memory'])
  return {
    cpuMilli: cores === undefined ? undefined : Math.floor(cores * 1000),
    memory: bytes === undefined ? undefined : mib(bytes / 1024 ** 2),
    taints: spec?.taints ?? [],
  }
}

// GPU feature discovery counts replicas per GPU (k8s-device-plugin, internal/lm), so devices offered = count × replicas.
function labelledDevices(labels: LabelMap, divided: readonly DividedGpu[]): Record<string, number> {
  const devices: Record<string, number> = {}
  // Labels count the GPUs of which HAMi offers shares.
  if (divided.length > 0) return devices
  for (const label of Object.keys(labels)) {
    const resource = /^(nvidia\.com\/(?:gpu|mig-.+))\.count$/.exec(label)?.[1]
    const count = readCount(labels[label])
    const replicas = readCount(labels[`${resource}.replicas`]) ?? 1
    if (resource !== undefined && count !== undefined) devices[resource] = count * replicas
  }
  return devices
}

const productOf = (labels: LabelMap, [divided]: readonly DividedGpu[], capacity: NodeFacts['capacity']): string =>
  productLabel(labels) || (divided?.product ?? Object.keys(capacity).flatMap((name) => boardOfVm(name) ?? [])[0] ?? '')

// HAMi offers shares under the name of whole GPUs, as many of each as it is told to.
function sharingWith(labels: LabelMap, divided: readonly DividedGpu[], capacity: NodeFacts['capacity']): Sharing {
  const shared = divided.filter(({ isMig }) => !isMig)
  if (shared.length > 0) return { kind: 'fractions', replicas: Math.max(...shared.map(({ count }) => count)) }
  return partitionsOf(labels, Object.keys(capacity)) ?? sharingOf(labels)
}

function memoryOf(labels: LabelMap): Mib | undefined {
  const memory = readCount(labels['nvidia.com/gpu.memory'])
  return memory === undefined ? undefined : mib(memory)
}

type Counted = Pick<NodeFacts, 'product' | 'mig' | 'capacity' | 'sharing' | 'divided'>

function gpuCount(labels: LabelMap, facts: Counted): number {
  if (facts.divided.length > 0) return facts.divided.length
  const labelled = readCount(labels['nvidia.com/gpu.count'])
  if (facts.mig.strategy === 'single' && facts.product.includes('-MIG-')) {
    return cloudCount(labels) ?? gpusBehind(facts.product, labelled ?? offeredGpus(facts))
  }
  return labelled ?? cloudCount(labels) ?? offeredGpus(facts)
}

function offeredGpus({ capacity, sharing, product }: Pick<NodeFacts, 'capacity' | 'sharing' | 'product'>): number {
  const replicas = sharing.kind === 'none' ? 1 : sharing.replicas
  const whole = capacity[WHOLE_GPU_RESOURCE] ?? capacity['nvidia.com/gpu.shared'] ?? 0
  if (whole > 0) return Math.round(whole / replicas)
  const others = Object.entries(capacity).filter(([name]) => !/^nvidia\.com\/(?:gpu|mig-)/u.test(name))
  return Math.round(others.reduce((sum, [name, count]) => sum + count / (partsPerGpu(name, product) ?? replicas), 0))
}

// Every GPU of a node with the single strategy has the same geometry, so it is as full as the profile allows.
function gpusBehind(product: string, migDevices: number): number {
  const profile = productProfile(product)
  const model = findModel(product)
  const board = model === undefined ? undefined : boardFor(model)
  const row = board === undefined || profile === undefined ? undefined : profileOf(board, profile)
  return row === undefined ? 0 : Math.ceil(migDevices / row.max)
}

function migChangedAt(fields: readonly z.infer<typeof ManagedFields>[]): Instant | undefined {
  return fields.find(({ fieldsV1 }) => fieldsV1?.['f:metadata']?.['f:labels']?.['f:nvidia.com/mig.config.state'])?.time
}
