import { errorText } from '@septet/domain/words'
import { instant, mib, seconds, type ClusterSnapshot } from '@septet/domain'
import { z } from 'zod'

import { snapshotFlaws } from './snapshot-file-flaws.ts'

export type SnapshotRead =
  | { readonly kind: 'read'; readonly snapshot: ClusterSnapshot }
  /** Each sentence says what is wrong and where. */
  | { readonly kind: 'refused'; readonly errors: readonly string[] }

/** A fleet of 10,000 GPUs with 50,000 pods takes some 60 MB. */
const MOST_CHARACTERS = 256 * 1024 * 1024
const MOST_ERRORS = 8

/** Reads a saved snapshot. What is not exactly one is refused: nothing of it is guessed. */
export function readSnapshotFile(text: string): SnapshotRead {
  if (text.length > MOST_CHARACTERS) return { kind: 'refused', errors: ['The file is larger than 256 MiB.'] }
  const json = parsedJson(text)
  if (json.kind === 'refused') return json
  const read = FileSchema.safeParse(json.value)
  if (!read.success) return refused(read.error.issues.map(issueWords))
  const { snapshot } = read.data
  const flaws = snapshotFlaws(snapshot)
  return flaws.length > 0 ? refused(flaws) : { kind: 'read', snapshot }
}

/** A snapshot as a file, which `readSnapshotFile` reads back. */
export const snapshotFileText = (snapshot: ClusterSnapshot): string =>
  `${JSON.stringify({ format: FORMAT, snapshot }, undefined, 1)}\n`

/** Raised when a snapshot of an older version could be misread. */
const FORMAT = 'septet-snapshot/1'

type Refused = Extract<SnapshotRead, { kind: 'refused' }>

function refused(errors: readonly string[]): Refused {
  const more = errors.length - MOST_ERRORS
  const shown = errors.slice(0, MOST_ERRORS)
  return { kind: 'refused', errors: more > 0 ? [...shown, `There are ${more} more.`] : shown }
}

function parsedJson(text: string): { readonly kind: 'parsed'; readonly value: unknown } | Refused {
  try {
    const value: unknown = JSON.parse(text)
    return { kind: 'parsed', value }
  } catch (error) {
    const because = errorText(error)
    return refused([`The file is no JSON, or ends too early: ${because}`])
  }
}

const issueWords = ({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }): string =>
  `${path.length === 0 ? 'The file' : path.map(String).join('.')}: ${message}`

const text = z.string().max(4096)
const count = z.number().int().nonnegative().max(1e9)
const amount = z.number().nonnegative().max(1e15)
const moment = z.number().min(0).max(8.64e15).transform(instant)
const memory = amount.transform(mib)
const textMap = z.record(text, text)
const problem = z.object({ code: text, message: text, object: text })

// JSON has no `undefined`: where the type asks for the key, an absent one is put back.
const optional = <Schema extends z.ZodType>(schema: Schema) =>
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
  z.object({ kind: z.literal('shared'), id: text, gpu: text, replica: count, replicas: count.min(1) }),
])

const gpu = z
  .object({
    id: text,
    node: text,
    index: count,
    model: optional(text),
    identified: z.enum(['telemetry', 'resource-slice', 'label']),
    migEnabled: z.boolean(),
    partitions: z.array(partition).max(1024),
    fault: optional(problem),
    stuck: z.boolean().optional(),
  })
  .transform(({ stuck, ...rest }) => ({ ...rest, ...(stuck === undefined ? {} : { stuck }) }))

const sharing = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('time-slicing'), replicas: count.min(1) }),
  z.object({ kind: z.literal('mps'), replicas: count.min(1) }),
])

const room = z
  .object({
    cpuMilli: optional(amount),
    memory: optional(memory),
    cpuUsed: amount.optional(),
    memoryUsed: memory.optional(),
    labels: textMap,
    taints: z.array(z.object({ key: text, value: text, effect: text })),
  })
  .transform(({ cpuUsed, memoryUsed, ...rest }) => ({
    ...rest,
    ...(cpuUsed === undefined ? {} : { cpuUsed }),
    ...(memoryUsed === undefined ? {} : { memoryUsed }),
  }))

const node = z
  .object({
    name: text.min(1),
    pool: text,
    ready: z.boolean(),
    schedulable: z.boolean(),
    createdAt: moment,
    model: optional(text),
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
    gpus: z.array(gpu).max(1024),
    problems: z.array(problem),
  })
  .transform(({ servedByDra, providerId, ...rest }) => ({
    ...rest,
    ...(servedByDra === undefined ? {} : { servedByDra }),
    ...(providerId === undefined ? {} : { providerId }),
  }))

const requests = z.array(z.object({ resource: text, count: count.max(100_000) })).max(64)
const waiting = z.object({ reason: text, message: z.string().max(65_536) })
const requirement = z.object({
  key: text,
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']),
  values: z.array(text),
})

const scheduling = z
  .object({
    cpuMilli: amount,
    memory,
    nodeSelector: textMap,
    nodeTerms: z.array(z.array(requirement)),
    tolerations: z.array(z.object({ key: text, operator: z.enum(['Equal', 'Exists']), value: text, effect: text })),
    priority: z.number(),
    managed: z.boolean(),
    evictable: z.boolean(),
    unread: z.array(text).optional(),
  })
  .transform(({ unread, ...rest }) => ({ ...rest, ...(unread === undefined ? {} : { unread }) }))

const pod = z
  .object({
    id: text,
    uid: text,
    namespace: text,
    name: text,
    node: optional(text),
    phase: z.enum(['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']),
    requests,
    scheduling,
    workload: text,
    createdAt: moment,
    startedAt: optional(moment),
    waiting: optional(waiting),
    endsBy: moment.optional(),
    grace: amount.transform(seconds).optional(),
  })
  .transform(({ endsBy, grace, ...rest }) => ({
    ...rest,
    ...(endsBy === undefined ? {} : { endsBy }),
    ...(grace === undefined ? {} : { grace }),
  }))

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

const workload = z
  .object({
    id: text,
    namespace: text,
    kind: text,
    name: text,
    class: z.enum(['training', 'inference', 'analytics', 'notebook', 'unknown']),
    queue: optional(text),
    status: z.enum(['running', 'queued']),
    requests,
    pods: z.array(text),
    createdAt: moment,
    startedAt: optional(moment),
    waiting: optional(waiting),
    templates: z.array(template).max(64).optional(),
  })
  .transform(({ templates, ...rest }) => ({ ...rest, ...(templates === undefined ? {} : { templates }) }))

const quotaFlavor = z
  .object({
    name: text,
    path: text,
    resourcePath: text,
    nominal: text,
    amount: amount.optional(),
    used: amount.optional(),
    borrowing: text.optional(),
    lending: amount.optional(),
    nodeLabels: textMap.optional(),
  })
  .transform(({ amount: nominal, used, borrowing, lending, nodeLabels, ...rest }) => ({
    ...rest,
    ...(nominal === undefined ? {} : { amount: nominal }),
    ...(used === undefined ? {} : { used }),
    ...(borrowing === undefined ? {} : { borrowing }),
    ...(lending === undefined ? {} : { lending }),
    ...(nodeLabels === undefined ? {} : { nodeLabels }),
  }))

const quota = z
  .object({
    id: text,
    namespace: text,
    queue: text.optional(),
    cohort: text.optional(),
    resource: text,
    hard: amount,
    used: amount,
    flavors: z.array(quotaFlavor).optional(),
  })
  .transform(({ queue, cohort, flavors, ...rest }) => ({
    ...rest,
    ...(queue === undefined ? {} : { queue }),
    ...(cohort === undefined ? {} : { cohort }),
    ...(flavors === undefined ? {} : { flavors }),
  }))

const queue = z
  .object({
    name: text,
    pendingWorkloads: count,
    admittedWorkloads: count,
    localQueues: z.array(text).optional(),
    strict: z.boolean().optional(),
    mayPreempt: z.boolean().optional(),
    left: z.partialRecord(z.enum(['cpu', 'memory', 'pods']), z.number()).optional(),
    unread: z.array(text).optional(),
  })
  .transform(({ localQueues, strict, mayPreempt, left, unread, ...rest }) => ({
    ...rest,
    ...(localQueues === undefined ? {} : { localQueues }),
    ...(strict === undefined ? {} : { strict }),
    ...(mayPreempt === undefined ? {} : { mayPreempt }),
    ...(left === undefined ? {} : { left: kept(left) }),
    ...(unread === undefined ? {} : { unread }),
  }))

/** Without what is undefined, which a record of optional parts must not hold. */
const kept = (left: Readonly<Record<string, number | undefined>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(left).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))

const FileSchema = z.object({
  format: z.literal(FORMAT),
  snapshot: z.object({
    cluster: text,
    takenAt: moment,
    serverVersion: text,
    nodes: z.array(node),
    pods: z.array(pod),
    workloads: z.array(workload),
    allocations: z.array(
      z.object({
        partition: text,
        pod: text,
        workload: text,
        since: moment,
        evidence: z.enum(['telemetry', 'claim', 'inferred']),
      }),
    ),
    queues: z.array(queue),
    budgets: z.array(z.object({ id: text, pods: z.array(text), allowed: z.number().int().max(1e9) })),
    quotas: z.array(quota),
    problems: z.array(problem),
  }),
})
