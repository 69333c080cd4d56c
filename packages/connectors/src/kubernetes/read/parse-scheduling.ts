import {
  mib,
  type NodeRequirement,
  type PodScheduling,
  type PriorityClass,
  type Toleration,
  readQuantity,
} from '@septet/domain'
import { z } from 'zod'
import { shareAnnotations } from './gpu-shares.ts'
import { intern } from './intern.ts'
import { podResources, type ResourceAmounts } from './pod-resources.ts'
import {
  LabelsSchema,
  lenient,
  lenientList,
  ResourceQuantities,
  type Container,
  type Metadata,
  type PodDemand,
} from './schemas.ts'

/** What the scheduler filters nodes by for this pod, and whether it may be evicted. Equal pods share one object. */
export function podScheduling(
  demand: PodDemand,
  spec: SchedulingSpec,
  { ownerReferences, annotations }: Pick<Metadata, 'ownerReferences'> & { readonly annotations: Annotations },
): PodScheduling {
  const owner = ownerReferences.find(({ controller }) => controller)
  const shares = shareAnnotations(annotations)
  const unread = [...unreadRules(spec), ...shares, ...groupRules(spec, annotations)]
  const elsewhere = elsewhereBy(spec.schedulerName ?? '', shares)
  return intern({
    ...podAmounts(demand, spec),
    nodeSelector: intern(spec.nodeSelector),
    nodeTerms: intern(termsOf(spec)),
    tolerations: intern(spec.tolerations.map(tolerationOf)),
    priority: spec.priority ?? 0,
    managed: owner !== undefined,
    evictable: !isTied(owner?.kind) && !forbidsEviction(annotations),
    ...(unread.length === 0 ? {} : { unread: intern(unread) }),
    ...(elsewhere === undefined ? {} : { elsewhere }),
    ...(demand.resourceClaims.length === 0 ? {} : { claims: true }),
  })
}

/** The name of a namespace that takes new objects: one that goes away takes none. */
export function parseNamespace(raw: unknown): string | undefined {
  const { metadata, status } = NamespaceSchema.parse(raw)
  return status?.phase === 'Terminating' ? undefined : metadata.name
}

const NamespaceSchema = z.object({
  metadata: z.object({ name: z.string().min(1) }),
  status: lenient(z.object({ phase: z.string() })),
})

/** Reads a PriorityClass of scheduling.k8s.io/v1. */
export function parsePriorityClass(raw: unknown): PriorityClass {
  const { metadata, value, globalDefault, preemptionPolicy } = PriorityClassSchema.parse(raw)
  const isDefault = globalDefault ? ({ isDefault: true } as const) : {}
  return { name: metadata.name, priority: value, preempts: preemptionPolicy !== 'Never', ...isDefault }
}

const PriorityClassSchema = z.object({
  metadata: z.object({ name: z.string().min(1) }),
  value: z.number().int(),
  globalDefault: lenient(z.boolean()),
  preemptionPolicy: lenient(z.string()),
})

function elsewhereBy(scheduler: string, [share]: readonly string[]): string | undefined {
  if (scheduler !== '' && scheduler !== 'default-scheduler')
    return `the scheduler ${scheduler} places it, by rules that Septet does not know`
  return share === undefined
    ? undefined
    : `${share} asks KAI or Run:ai for a share of a GPU, by rules that Septet does not know`
}

type Annotations = Readonly<Record<string, string>>

/** An eviction of these makes no room: the same pod comes back to the same node. */
const isTied = (kind: string | undefined): boolean => kind === 'DaemonSet' || kind === 'Node'

// Karpenter's annotation holds `true`, in newer versions also a length of time for which it counts.
const forbidsEviction = (annotations: Annotations): boolean =>
  !['', 'false'].includes(annotations['karpenter.sh/do-not-disrupt'] ?? '') ||
  annotations['cluster-autoscaler.kubernetes.io/safe-to-evict'] === 'false' ||
  annotations['kubernetes.io/config.mirror'] !== undefined

const MEBI = 1024 ** 2

/** What a pod asks for beside GPUs. */
export function podAmounts(demand: PodDemand, spec: SchedulingSpec): Pick<PodScheduling, 'cpuMilli' | 'memory'> {
  const containers = podResources(demand, requestsOf)
  // What the pod asks for as a whole stands in place of what its containers ask for.
  const whole = spec.resources === undefined ? new Map<string, number>() : requestsOf({ resources: spec.resources })
  const overhead = amountsIn(spec.overhead)
  const amount = (name: string): number => (whole.get(name) ?? containers.get(name) ?? 0) + (overhead.get(name) ?? 0)
  return { cpuMilli: toMilli(amount('cpu')), memory: mib(amount('memory') / MEBI) }
}

/** Thousandths, rounded up as Kubernetes does, but not for the sake of a binary fraction. */
const toMilli = (cores: number): number => Math.ceil(Number((cores * 1000).toFixed(6)))

/** The API server writes a limit without a request as both. */
const requestsOf = ({ resources }: Pick<Container, 'resources'>): ResourceAmounts =>
  amountsIn({ ...resources?.limits, ...resources?.requests })

function amountsIn({ cpu, memory }: Readonly<Record<string, string | number>>): ResourceAmounts {
  const amounts: ResourceAmounts = new Map()
  const [cores, bytes] = [readQuantity(cpu), readQuantity(memory)]
  if (cores !== undefined) amounts.set('cpu', cores)
  if (bytes !== undefined) amounts.set('memory', bytes)
  return amounts
}

// The API server refuses a term with neither; where one comes all the same, it matches no node.
const NOWHERE: readonly NodeRequirement[] = [{ key: 'metadata.name', operator: 'In', values: [] }]

function termsOf({ affinity }: SchedulingSpec): PodScheduling['nodeTerms'] {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  return terms.map(({ matchExpressions, matchFields }) => {
    const requirements = [...matchExpressions, ...matchFields]
    return requirements.length === 0 ? NOWHERE : requirements
  })
}

export const tolerationOf = ({ key, operator, value, effect }: z.infer<typeof TolerationSchema>): Toleration => ({
  key: key ?? '',
  operator: operator ?? 'Equal',
  value: value ?? '',
  effect: effect ?? '',
})

/**
 * Rules by which a pod goes where others of its group go, by name: the pod group of Kubernetes (`schedulingGroup`; `workloadRef`
 * in 1.35), which may ask for a topology, and the topology that Kueue is asked for. kubernetes/enhancements KEP-4671.
 */
export const groupRules = (
  { schedulingGroup, workloadRef }: SchedulingSpec,
  annotations: Annotations,
): readonly string[] => [
  ...(schedulingGroup === undefined ? [] : ['schedulingGroup']),
  ...(workloadRef === undefined ? [] : ['workloadRef']),
  ...Object.keys(annotations).filter((name) => TOPOLOGY.test(name)),
]
const TOPOLOGY = /^kueue\.x-k8s\.io\/podset-(?:slice-)?required-topology$/u

function unreadRules({ affinity, topologySpreadConstraints, volumes }: SchedulingSpec): readonly string[] {
  const rules = {
    podAffinity: (affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).length > 0,
    podAntiAffinity: (affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).length > 0,
    topologySpreadConstraints: topologySpreadConstraints.some(
      ({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway',
    ),
    persistentVolumeClaim: volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined),
  }
  return Object.entries(rules).flatMap(([name, has]) => (has ? [name] : []))
}

// A requirement that cannot be read must not widen where the pod may run, so it fails the pod.
const Requirement = z.object({
  key: z.string(),
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']),
  values: z
    .array(z.string())
    .nullish()
    .transform((values) => values ?? []),
})
const Requirements = z
  .array(Requirement)
  .nullish()
  .transform((requirements) => requirements ?? [])
export const TolerationSchema = z.object({
  key: lenient(z.string()),
  operator: lenient(z.enum(['Equal', 'Exists'])),
  value: lenient(z.string()),
  effect: lenient(z.string()),
})
const PodTerms = lenient(
  z.object({ requiredDuringSchedulingIgnoredDuringExecution: lenientList(z.record(z.string(), z.unknown())) }),
)
const Affinity = z.object({
  nodeAffinity: z
    .object({
      requiredDuringSchedulingIgnoredDuringExecution: z
        .object({
          nodeSelectorTerms: z.array(z.object({ matchExpressions: Requirements, matchFields: Requirements })),
        })
        .nullish(),
    })
    .nullish(),
  podAffinity: PodTerms,
  podAntiAffinity: PodTerms,
})

/** The part of a pod's specification that says where it may run. */
export const SchedulingSpec = z.object({
  schedulerName: lenient(z.string()),
  schedulingGroup: lenient(z.record(z.string(), z.unknown())),
  workloadRef: lenient(z.record(z.string(), z.unknown())),
  nodeSelector: LabelsSchema,
  affinity: Affinity.nullish(),
  tolerations: lenientList(TolerationSchema),
  priority: lenient(z.number()),
  overhead: ResourceQuantities,
  resources: lenient(z.object({ limits: ResourceQuantities, requests: ResourceQuantities })),
  topologySpreadConstraints: lenientList(z.object({ whenUnsatisfiable: lenient(z.string()) })),
  volumes: lenientList(z.object({ persistentVolumeClaim: lenient(z.record(z.string(), z.unknown())) })),
})
export type SchedulingSpec = z.infer<typeof SchedulingSpec>
