import {
  type Queue,
  type Quota,
  type QuotaFlavor,
  type Waiting,
  type Cohort,
  type CohortQuota,
  isGpuResource,
  readQuantity,
} from '@septet/domain'
import { z } from 'zod'
import { gpuRequests, sumRequests, timesOver } from './gpu-requests.ts'
import { controllerOf } from './parse-pod.ts'
import { admissionRules } from './queue-rules.ts'
import { tolerationOf, TolerationSchema } from './parse-scheduling.ts'
import type { QueuedFacts } from './queued-facts.ts'
import { Flavor, QueueSpec, type FlavorAmounts, type ResourceGroup } from './queue-spec.ts'
import { ConditionSchema, LabelsSchema, lenient, lenientList, Metadata, PodDemand } from './schemas.ts'

/** Reads a Workload of kueue.x-k8s.io v1beta2 or v1beta1. */
export function parseKueueWorkload(raw: unknown): QueuedFacts | undefined {
  const { metadata, spec, status } = WorkloadSchema.parse(raw)
  const conditions = status?.conditions ?? []
  if (conditions.some(({ type, status: is }) => type === 'Finished' && is === 'True')) return undefined
  // Deactivated, by a person or because it was evicted too often: it waits for nothing until a person activates it again.
  if (spec.active === false) return undefined
  const requests = sumRequests(
    spec.podSets.flatMap(({ count, template }) => timesOver(gpuRequests(template.spec), count)),
  )
  if (requests.length === 0) return undefined
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    owner: controllerOf(metadata.ownerReferences),
    ownerUids: metadata.ownerReferences.map(({ uid }) => uid),
    localQueue: spec.queueName,
    clusterQueue: status?.admission?.clusterQueue,
    requests,
    createdAt: metadata.creationTimestamp,
    waiting: waitingFor(conditions, status?.admissionChecks ?? []),
  }
}

/** What we keep of a ClusterQueue: its lengths, and how much of each GPU resource it is promised. */
export type ClusterQueueFacts = {
  readonly queue: Queue
  readonly quotas: readonly Quota[]
  /** Its admission checks by name. Absent: none. */
  readonly checks?: readonly string[]
}

export function parseClusterQueue(raw: unknown): ClusterQueueFacts {
  const { metadata, spec, status } = ClusterQueueSchema.parse(raw)
  const { name } = metadata
  const { pendingWorkloads = 0, admittedWorkloads = 0 } = status ?? {}
  const checks = checksOf(spec)
  return {
    queue: { name, pendingWorkloads, admittedWorkloads, ...admissionRules(spec, status ?? NO_STATUS) },
    quotas: quotasOf(name, spec, status?.flavorsReservation ?? []),
    ...(checks.length === 0 ? {} : { checks }),
  }
}

const checksOf = (spec: QueueSpec | undefined): readonly string[] => [
  ...(spec?.admissionChecks ?? []),
  ...(spec?.admissionChecksStrategy?.admissionChecks ?? []).map(({ name }) => name),
]

const NO_STATUS = { conditions: [], flavorsReservation: [] }

function quotasOf(name: string, spec: QueueSpec | undefined, reserved: readonly Flavor[]): readonly Quota[] {
  const groups = spec?.resourceGroups ?? []
  const cohort = spec?.cohortName ?? spec?.cohort
  const hard = amounts(
    groups.flatMap(({ flavors }) => flavors),
    'nominalQuota',
  )
  const used = amounts(reserved, 'total')
  return [...hard].map(([resource, amount]) => ({
    id: `clusterqueue/${name}/${resource}`,
    namespace: '',
    queue: name,
    ...(cohort === undefined ? {} : { cohort }),
    resource,
    hard: amount,
    used: used.get(resource) ?? 0,
    flavors: flavorsOf(groups, resource, reserved),
  }))
}

/** Where the manifest says what each flavor gives of a resource. */
const flavorsOf = (
  groups: readonly ResourceGroup[],
  resource: string,
  reserved: readonly Flavor[],
): readonly QuotaFlavor[] =>
  groups.flatMap(({ flavors }, group) =>
    flavors.flatMap(({ name, resources }, flavor) =>
      resources.flatMap((each, index): readonly QuotaFlavor[] => {
        if (each.name !== resource || each.nominalQuota === undefined) return []
        const path = `/spec/resourceGroups/${group}/flavors/${flavor}`
        const line = { name, path, resourcePath: `/resources/${index}`, nominal: String(each.nominalQuota) }
        return [{ ...line, used: usedOf(reserved, name, resource), ...amountsOf(each) }]
      }),
    ),
  )

/** How much it is, and how much of it is borrowed and lent at most. */
const amountsOf = ({ nominalQuota, borrowingLimit, lendingLimit }: FlavorAmounts) => {
  const [amount, lending] = [nominalQuota, lendingLimit].map((each) =>
    each === undefined ? undefined : readQuantity(each),
  )
  return {
    ...(amount === undefined ? {} : { amount }),
    ...(borrowingLimit === undefined ? {} : { borrowing: String(borrowingLimit) }),
    ...(lending === undefined ? {} : { lending }),
  }
}

const usedOf = (reserved: readonly Flavor[], flavor: string, resource: string): number =>
  amounts(
    reserved.filter(({ name }) => name === flavor),
    'total',
  ).get(resource) ?? 0

/** Sums over flavors, by GPU resource. */
function amounts(flavors: readonly Flavor[], field: 'nominalQuota' | 'total'): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const resource of flavors.flatMap(({ resources }) => resources)) {
    const amount = isGpuResource(resource.name) ? readQuantity(resource[field]) : undefined
    if (amount !== undefined) sums.set(resource.name, (sums.get(resource.name) ?? 0) + amount)
  }
  return sums
}

/** The nodes that a ResourceFlavor stands for, and what it adds to the pods that are let in. */
export type FlavorFacts = { readonly name: string } & Pick<QuotaFlavor, 'nodeLabels' | 'tolerations' | 'chosenBy'>

export function parseFlavor(raw: unknown): FlavorFacts {
  const { metadata, spec } = FlavorSchema.parse(raw)
  const { nodeLabels = {}, nodeTaints = [], tolerations = [], topologyName } = spec ?? {}
  const chosenBy = [
    ...(topologyName === undefined ? [] : [`the topology ${topologyName}`]),
    ...(nodeTaints.length === 0 ? [] : ['its own taints']),
  ].join(' and ')
  return {
    name: metadata.name,
    nodeLabels,
    ...(tolerations.length === 0 ? {} : { tolerations: tolerations.map(tolerationOf) }),
    ...(chosenBy === '' ? {} : { chosenBy }),
  }
}

/** `namespace/name` of a local queue and the cluster queue behind it. */
export type LocalQueueFacts = { readonly id: string; readonly clusterQueue: string }

export function parseLocalQueue(raw: unknown): LocalQueueFacts {
  const { metadata, spec } = LocalQueueSchema.parse(raw)
  return { id: `${metadata.namespace}/${metadata.name}`, clusterQueue: spec.clusterQueue }
}

const WorkloadSchema = z.object({
  metadata: Metadata,
  spec: z.object({
    active: lenient(z.boolean()),
    queueName: lenient(z.string().min(1)),
    podSets: z.array(z.object({ count: z.number().int().min(0).catch(1), template: z.object({ spec: PodDemand }) })),
  }),
  status: lenient(
    z.object({
      conditions: lenientList(ConditionSchema),
      admission: lenient(z.object({ clusterQueue: z.string() })),
      admissionChecks: lenientList(z.object({ name: z.string(), state: z.string() })),
    }),
  ),
})

const Count = lenient(z.number().int().min(0))
const ClusterQueueSchema = z.object({
  metadata: Metadata,
  spec: lenient(QueueSpec),
  status: lenient(
    z.object({
      pendingWorkloads: Count,
      admittedWorkloads: Count,
      flavorsReservation: lenientList(Flavor),
      conditions: lenientList(ConditionSchema),
    }),
  ),
})
const FlavorSchema = z.object({
  metadata: Metadata,
  spec: lenient(
    z.object({
      nodeLabels: LabelsSchema,
      nodeTaints: lenientList(z.unknown()),
      tolerations: lenientList(TolerationSchema),
      topologyName: lenient(z.string().min(1)),
    }),
  ),
})
const LocalQueueSchema = z.object({ metadata: Metadata, spec: z.object({ clusterQueue: z.string() }) })

type Check = { readonly name: string; readonly state: string }

// Quota comes first, then admission checks, of which Kueue names the open ones elsewhere. Before version 0.19 it wrote no
// condition at all while only they were open.
function waitingFor(conditions: readonly ConditionSchema[], checks: readonly Check[]): Waiting | undefined {
  const isTrue = (type: string): boolean => conditions.some((known) => known.type === type && known.status === 'True')
  if (isTrue('Admitted')) return undefined
  const isReserved = isTrue('QuotaReserved')
  const open = isReserved ? 'Admitted' : 'QuotaReserved'
  const found = conditions.find(({ type, status }) => type === open && status === 'False')
  if (isReserved && checks.length > 0) return openChecks(found?.reason, checks)
  if (found !== undefined) return { reason: found.reason, message: found.message }
  return { reason: 'Pending', message: 'Kueue has not decided on this work yet.' }
}

const CHECKS = 'The workload has not all checks ready'

function openChecks(reason = 'UnsatisfiedAdmissionChecks', checks: readonly Check[]): Waiting {
  const open = checks.flatMap(({ name, state }) =>
    state === 'Ready' ? [] : state === 'Pending' ? name : `${name} (${state})`,
  )
  return { reason, message: open.length === 0 ? CHECKS : `${CHECKS}: ${open.join(', ')}` }
}

/** The same where only its queue names the checks. */
export const withChecks = (facts: QueuedFacts, of: (localQueue: string) => readonly string[]): QueuedFacts => {
  const names = facts.waiting?.message === CHECKS ? of(`${facts.namespace}/${facts.localQueue ?? ''}`) : []
  const checks = names.map((name) => ({ name, state: 'Pending' }))
  return names.length === 0 ? facts : { ...facts, waiting: openChecks(facts.waiting?.reason, checks) }
}

/** Reads a Cohort of kueue.x-k8s.io; undefined where it changes nothing for its queues. */
export function parseCohort(raw: unknown): Cohort | undefined {
  const { metadata, spec } = CohortSchema.parse(raw)
  const flavors = (spec?.resourceGroups ?? []).flatMap((group) => group.flavors)
  const resources = new Set(flavors.flatMap((flavor) => flavor.resources.map(({ name }) => name)).filter(isGpuResource))
  const quotas = [...resources].map((resource): CohortQuota => ({
    resource,
    flavors: flavors.flatMap(({ name, resources: own }) =>
      own.flatMap((each) => (each.name === resource ? [{ name, ...amountsOf(each) }] : [])),
    ),
  }))
  const parent = spec?.parentName
  if (parent === undefined && quotas.length === 0) return undefined
  return { name: metadata.name, ...(parent === undefined ? {} : { parent }), quotas }
}

const CohortSchema = z.object({
  metadata: Metadata,
  spec: lenient(QueueSpec.pick({ resourceGroups: true }).extend({ parentName: lenient(z.string().min(1)) })),
})
