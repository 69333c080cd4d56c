import { instant, mib, ratio, seconds } from '@septet/domain'
import { z } from 'zod'

/** What snapshots and inventories are made of, read from text that came from outside. */

/** A type whose keys that may be absent hold no `undefined`. */
type Exact<Of> = { [Key in keyof Of as object extends Pick<Of, Key> ? never : Key]: Of[Key] } & {
  [Key in keyof Of as object extends Pick<Of, Key> ? Key : never]?: Exclude<Of[Key], undefined>
}
// Text has no `undefined`, so what was read from it has none under a key that may be absent.
function exactly<Of>(read: Of): Exact<Of>
function exactly(read: unknown): unknown {
  return read
}
export const exact = <Schema extends z.ZodType>(schema: Schema) =>
  schema.transform((read): Exact<z.output<Schema>> => exactly(read))

export const text = z.string().max(4096)
export const count = z.number().int().nonnegative().max(1e9)
export const amount = z.number().nonnegative().max(1e15)
export const momentSchema = z.number().min(0).max(8.64e15).transform(instant)
const memory = amount.transform(mib)
const textMap = z.record(text, text)
export const longTextSchema = z.string().max(65_536)
export const shareSchema = z.number().min(0).max(1).transform(ratio)
export const problem = z.object({ code: text, message: longTextSchema, object: text })

// JSON has no `undefined`: where the type asks for the key, an absent one is put back.
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.optional().transform((value): z.output<Schema> | undefined => value)

const placement = z.object({ start: count.max(63), size: count.min(1).max(64) })
const partition = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('whole'), id: text, gpu: text }),
  z.object({
    kind: z.literal('mig'),
    id: text,
    gpu: text,
    profile: text,
    instance: text,
    placement: optional(placement),
    placementSource: z.enum(['reported', 'inferred', 'unknown']),
  }),
  z.object({
    kind: z.literal('shared'),
    id: text,
    gpu: text,
    replica: count,
    replicas: count.min(1),
    share: shareSchema.exactOptional(),
  }),
])

export const gpu = exact(
  z.object({
    id: text,
    node: text,
    index: count,
    model: optional(text),
    identified: z.enum(['telemetry', 'resource-slice', 'label']),
    migEnabled: z.boolean(),
    partitions: z.array(partition).max(1024),
    fault: optional(exact(problem.extend({ xid: count.optional() }))),
    stuck: z.boolean().optional(),
    unrequestedSince: momentSchema.optional(),
  }),
)

const sharing = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.enum(['time-slicing', 'mps', 'fractions', 'partitions']), replicas: count.min(1) }),
])

const taint = z.object({ key: text, value: text, effect: text })

const room = exact(
  z.object({
    cpuMilli: optional(amount),
    memory: optional(memory),
    cpuUsed: amount.optional(),
    memoryUsed: memory.optional(),
    labels: textMap,
    taints: z.array(taint),
  }),
)

/** Of a node what both an inventory and a snapshot say. */
export const nodeFields = {
  name: text.min(1),
  pool: text,
  ready: z.boolean(),
  notReadySince: momentSchema.optional(),
  schedulable: z.boolean(),
  createdAt: momentSchema,
  product: text,
  mig: z.object({
    strategy: z.enum(['none', 'single', 'mixed']),
    config: optional(text),
    state: optional(z.enum(['pending', 'rebooting', 'success', 'failed'])),
  }),
  sharing,
  allocatable: z.record(text, amount),
  servedByDra: z.boolean().optional(),
  providerId: text.optional(),
  room,
  problems: z.array(problem),
} as const

const requests = z.array(z.object({ resource: text, count: count.max(100_000) })).max(64)
const waiting = z.object({ reason: text, message: longTextSchema })
const requirement = z.object({
  key: text,
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']),
  values: z.array(text),
})

const toleration = z.object({ key: text, operator: z.enum(['Equal', 'Exists']), value: text, effect: text })

const scheduling = exact(
  z.object({
    cpuMilli: amount,
    memory,
    nodeSelector: textMap,
    nodeTerms: z.array(z.array(requirement)),
    tolerations: z.array(toleration),
    priority: z.number(),
    managed: z.boolean(),
    evictable: z.boolean(),
    unread: z.array(text).optional(),
    elsewhere: text.optional(),
    claims: z.literal(true).optional(),
  }),
)

const pod = exact(
  z.object({
    id: text,
    uid: text,
    namespace: text,
    name: text,
    node: optional(text),
    phase: z.enum(['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']),
    requests,
    scheduling,
    workload: text,
    createdAt: momentSchema,
    startedAt: optional(momentSchema),
    waiting: optional(waiting),
    refusedAt: momentSchema.optional(),
    endsBy: momentSchema.optional(),
    stuck: z.object({ because: text, since: momentSchema }).optional(),
    grace: amount.transform(seconds).optional(),
  }),
)

const quantities = z.record(text, text)
const template = z.object({
  part: text,
  containers: z
    .array(
      z.object({
        list: z.enum(['containers', 'initContainers']),
        index: count.max(1024),
        name: text,
        isSidecar: z.boolean(),
        requests: quantities,
        limits: quantities,
        gpus: requests,
      }),
    )
    .max(64),
})

const marks = z.array(text).max(8)

const queueOwner = z.enum(['Volcano', 'KAI'])

const workload = exact(
  z.object({
    id: text,
    namespace: text,
    kind: text,
    name: text,
    class: z.enum(['training', 'inference', 'analytics', 'notebook', 'unknown']),
    queue: optional(text),
    queueOwner: queueOwner.optional(),
    status: z.enum(['running', 'queued']),
    requests,
    pods: z.array(text),
    createdAt: momentSchema,
    startedAt: optional(momentSchema),
    waiting: optional(waiting),
    templates: z.array(template).max(64).optional(),
    labels: textMap.optional(),
    marks: z.object({ images: marks, starts: marks, models: marks }).optional(),
    cache: z.object({ engine: text, peak: shareSchema }).optional(),
  }),
)

const flavor = z.object({
  name: text,
  amount: amount.optional(),
  borrowing: text.optional(),
  lending: amount.optional(),
})

const quotaFlavor = exact(
  flavor.extend({
    path: text,
    resourcePath: text,
    nominal: text,
    used: amount.optional(),
    nodeLabels: textMap.optional(),
    tolerations: z.array(toleration).optional(),
    chosenBy: text.optional(),
  }),
)

const cohort = exact(
  z.object({
    name: text,
    parent: text.optional(),
    quotas: z.array(
      z.object({
        resource: text,
        flavors: z.array(exact(flavor)),
      }),
    ),
  }),
)

const quota = exact(
  z.object({
    id: text,
    namespace: text,
    queue: text.optional(),
    queueOwner: queueOwner.optional(),
    below: z.array(text).optional(),
    cohort: text.optional(),
    resource: text,
    hard: amount,
    used: amount,
    flavors: z.array(quotaFlavor).optional(),
    scoped: z.literal(true).optional(),
  }),
)

const queue = exact(
  z.object({
    name: text,
    pendingWorkloads: count,
    admittedWorkloads: count,
    localQueues: z.array(text).optional(),
    strict: z.boolean().optional(),
    mayPreempt: z.boolean().optional(),
    left: exact(
      z.object({ cpu: z.number().optional(), memory: z.number().optional(), pods: z.number().optional() }),
    ).optional(),
    unread: z.array(text).optional(),
  }),
)

const neighbors = z.object({
  repulsions: z.array(
    z.object({
      pod: text,
      topologyKey: text,
      domain: text,
      namespaces: z.union([z.array(text), z.enum(['all', 'unread'])]),
      selector: z.array(requirement.extend({ operator: requirement.shape.operator.exclude(['Gt', 'Lt']) })),
    }),
  ),
  labels: z.array(z.object({ namespace: text, labels: textMap, on: z.record(text, z.number()).exactOptional() })),
  others: z.array(z.object({ name: text, labels: textMap, taints: z.array(taint) })).exactOptional(),
})

const budget = z.object({
  id: text,
  pods: z.array(text),
  allowed: z.number().int().max(1e9),
  floor: z.number().int().max(1e9).exactOptional(),
})

const priorityClass = z.object({
  name: text,
  priority: z.number().int(),
  preempts: z.boolean(),
  isDefault: z.literal(true).exactOptional(),
})

/** Of a cluster what both an inventory and a snapshot say. */
export const clusterFields = {
  takenAt: momentSchema,
  serverVersion: text,
  pods: z.array(pod),
  workloads: z.array(workload),
  queues: z.array(queue),
  budgets: z.array(budget),
  quotas: z.array(quota),
  cohorts: z.array(cohort).optional(),
  namespaces: z.array(text).optional(),
  priorityClasses: z.array(priorityClass).optional(),
  neighbors: neighbors.optional(),
  problems: z.array(problem),
} as const

/** Pods that are over, which a cluster still tells of. */
export const finishedPods = z.array(pod).max(10_000)
