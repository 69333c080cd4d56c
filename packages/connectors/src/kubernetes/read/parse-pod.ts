import {
  instant,
  seconds,
  type GpuContainer,
  type GpuRequest,
  type Instant,
  type Pod,
  type PodScheduling,
  type Seconds,
  type Waiting,
  type WorkMarks,
} from '@septet/domain'
import { z } from 'zod'
import { gpuContainers, gpuRequests } from './gpu-requests.ts'
import { givenShares, isPlaceholder, requestedShares, reservedGpu, type ShareFacts } from './gpu-shares.ts'
import { intern } from './intern.ts'
import { podScheduling, SchedulingSpec } from './parse-scheduling.ts'
import {
  ConditionSchema,
  LabelsSchema,
  lenient,
  lenientList,
  Metadata,
  PodDemand,
  Time,
  type OwnerReferenceSchema,
} from './schemas.ts'
import { StartedContainer, workMarks } from './work-marks.ts'

/** What we keep of a pod that asks for GPUs; its workload is resolved later. */
export type PodFacts = {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly owner: OwnerReferenceSchema | undefined
  readonly node: string | undefined
  readonly phase: Pod['phase']
  /** Extended resources only. */
  readonly requests: readonly GpuRequest[]
  readonly containers: readonly GpuContainer[]
  readonly marks: WorkMarks
  /** Names of its ResourceClaims; whether they are claims for GPUs is known from the claims. */
  readonly claims: readonly string[]
  readonly scheduling: PodScheduling
  readonly createdAt: Instant
  readonly startedAt: Instant | undefined
  readonly waiting: Waiting | undefined
  readonly refusedAt?: Instant
  readonly endsBy?: Instant
  readonly stuck?: Pod['stuck']
  readonly grace?: Seconds
  /** Shares of GPUs that a scheduler gave it. Absent: it has whole ones, or none yet. */
  readonly shares?: readonly ShareFacts[]
  /** It only stands for other pods, and is no work. */
  readonly isPlaceholder?: true
  readonly reserves?: { readonly group: string; readonly gpu: string }
}

/** Undefined for a pod that has finished or asks for no GPU and no device claim: most pods of most clusters. */
export const parsePod = (raw: unknown): PodFacts | undefined => parseWhere(raw, { finished: false })

/** A pod that has finished after it held a GPU, for how long it had waited; undefined for all others. */
export function parseFinishedPod(raw: unknown): PodFacts | undefined {
  const facts = parseWhere(raw, { finished: true })
  return facts?.node === undefined ? undefined : facts
}

function parseWhere(raw: unknown, { finished }: { readonly finished: boolean }): PodFacts | undefined {
  const demand = DemandSchema.parse(raw)
  if (FINISHED.has(demand.status?.phase ?? '') !== finished) return undefined
  const asked = gpuRequests(demand.spec)
  const requests = intern(asked.length > 0 ? asked : requestedShares(demand.metadata?.annotations ?? {}))
  if (requests.length === 0 && demand.spec.resourceClaims.length === 0) return undefined
  const { metadata, spec, status } = PodSchema.parse(raw)
  const containers = intern(gpuContainers(demand.spec))
  return {
    uid: metadata.uid,
    namespace: metadata.namespace,
    name: metadata.name,
    labels: intern(metadata.labels),
    owner: controllerOf(metadata.ownerReferences),
    node: spec.nodeName,
    phase: status.phase,
    requests,
    containers,
    marks: workMarks(spec.containers, containers),
    claims: intern(claimNames(demand.spec, status.resourceClaimStatuses)),
    scheduling: podScheduling(demand.spec, spec, metadata),
    createdAt: metadata.creationTimestamp,
    ...progress(spec, status, metadata.creationTimestamp),
    ...limits(spec, status),
    ...stuckBy(metadata.deletionTimestamp, status, spec.nodeName),
    ...sharesOf(metadata),
  }
}

function sharesOf({
  namespace,
  labels,
  annotations,
}: z.infer<typeof PodSchema>['metadata']): Pick<PodFacts, 'shares' | 'isPlaceholder' | 'reserves'> {
  if (isPlaceholder(namespace, labels)) {
    const reserves = reservedGpu(labels, annotations)
    return { isPlaceholder: true, ...(reserves === undefined ? {} : { reserves }) }
  }
  const shares = givenShares(labels, annotations)
  return shares.length === 0 ? {} : { shares }
}

/** The kubelet counts a pod's deadline from when it took the pod on, which it writes down as the pod's start. */
function limits(
  { activeDeadlineSeconds, terminationGracePeriodSeconds: grace }: PodSpec,
  { startTime }: PodStatus,
): Pick<PodFacts, 'endsBy' | 'grace'> {
  const endsBy =
    startTime === undefined || activeDeadlineSeconds === undefined
      ? undefined
      : instant(startTime + (activeDeadlineSeconds + (grace ?? USUAL_GRACE)) * 1000)
  return {
    ...(endsBy === undefined ? {} : { endsBy }),
    ...(grace === undefined ? {} : { grace: seconds(grace) }),
  }
}

// The API server writes it where a pod says nothing.
const USUAL_GRACE = 30

function progress(
  { nodeName: node, schedulerName }: PodSpec,
  status: PodStatus,
  createdAt: Instant,
): Pick<PodFacts, 'startedAt' | 'waiting' | 'refusedAt'> {
  const scheduled = status.conditions.find((condition) => condition.type === 'PodScheduled')
  if (node === undefined) {
    const refusedAt = scheduled?.status === 'False' ? scheduled.lastTransitionTime : undefined
    return {
      startedAt: undefined,
      waiting: waitingFor(scheduled, schedulerName),
      ...(refusedAt === undefined ? {} : { refusedAt }),
    }
  }
  const boundAt = scheduled?.status === 'True' ? scheduled.lastTransitionTime : undefined
  return { startedAt: boundAt ?? status.startTime ?? createdAt, waiting: undefined }
}

/** Reasons for which a container of a bound pod waits; an image may yet come, but its GPUs are held until then. */
const BROKEN = /^(?:ImagePullBackOff|ErrImage\w*|InvalidImageName|CrashLoopBackOff|Create\w+Error|RunContainerError)$/u

function stuckBy(
  deletedAt: Instant | undefined,
  { conditions, containerStatuses, initContainerStatuses, startTime }: PodStatus,
  node: string | undefined,
): Pick<PodFacts, 'stuck'> {
  if (node === undefined) return {}
  // The API server writes when it is to be gone by.
  if (deletedAt !== undefined) return { stuck: { because: 'Terminating', since: deletedAt } }
  const reasons = [...initContainerStatuses, ...containerStatuses].map(({ state }) => state?.waiting?.reason ?? '')
  const because = reasons.find((reason) => BROKEN.test(reason))
  const since = conditions.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? startTime
  return because === undefined || since === undefined ? {} : { stuck: { because, since } }
}

const FINISHED: ReadonlySet<string> = new Set(['Succeeded', 'Failed'])

/** The owner that controls the object, or the only one there is. */
export function controllerOf(references: readonly OwnerReferenceSchema[]): OwnerReferenceSchema | undefined {
  return references.find((reference) => reference.controller) ?? (references.length === 1 ? references[0] : undefined)
}

const DemandSchema = z.object({
  metadata: lenient(z.object({ annotations: LabelsSchema })),
  spec: PodDemand,
  status: lenient(z.object({ phase: lenient(z.string()) })),
})

const ClaimStatus = z.object({ name: z.string(), resourceClaimName: lenient(z.string()) })
type ClaimStatus = z.infer<typeof ClaimStatus>

const ContainerStatus = z.object({
  state: lenient(z.object({ waiting: lenient(z.object({ reason: lenient(z.string()) })) })),
})

const PodStatus = z.object({
  phase: z.enum(['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']).catch('Unknown'),
  startTime: lenient(Time),
  conditions: lenientList(ConditionSchema),
  containerStatuses: lenientList(ContainerStatus),
  initContainerStatuses: lenientList(ContainerStatus),
  resourceClaimStatuses: lenientList(ClaimStatus),
})
type PodStatus = z.infer<typeof PodStatus>

const PodSpec = SchedulingSpec.extend({
  containers: lenientList(StartedContainer),
  nodeName: lenient(z.string().min(1)),
  activeDeadlineSeconds: lenient(z.number().positive()),
  terminationGracePeriodSeconds: lenient(z.number().nonnegative()),
})
type PodSpec = z.infer<typeof PodSpec>

const PodSchema = z.object({
  metadata: Metadata.extend({ annotations: LabelsSchema, deletionTimestamp: lenient(Time) }),
  spec: PodSpec,
  status: z.preprocess((value) => value ?? {}, PodStatus),
})

function waitingFor(scheduled: ConditionSchema | undefined, scheduler = 'default-scheduler'): Waiting {
  if (scheduled === undefined || scheduled.status !== 'False') {
    return { reason: 'Pending', message: `The scheduler ${scheduler} has not looked at this pod yet.` }
  }
  return { reason: scheduled.reason, message: scheduled.message }
}

// A claim made from a template has a generated name, which only the status tells.
function claimNames(spec: PodDemand, statuses: readonly ClaimStatus[]): readonly string[] {
  return spec.resourceClaims.flatMap((claim) => {
    const generated = statuses.find((status) => status.name === claim.name)?.resourceClaimName
    const name = claim.resourceClaimName ?? generated
    return name === undefined ? [] : [name]
  })
}
