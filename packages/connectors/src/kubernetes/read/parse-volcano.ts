import { type GpuRequest, type Waiting, isGpuResource, readQuantity } from '@septet/domain'
import { z } from 'zod'
import { sumRequests } from './gpu-requests.ts'
import { controllerOf } from './parse-pod.ts'
import type { QueuedFacts } from './queued-facts.ts'
import type { QueueLimits } from './queue-limits.ts'
import { ConditionSchema, lenient, lenientList, Metadata, ResourceQuantities } from './schemas.ts'

/**
 * Reads a Queue of scheduling.volcano.sh v1beta1. Only `capability` limits it for certain: what it deserves, and what its
 * weight gives it, it may exceed while others do not use theirs.
 */
export function parseVolcanoQueue(raw: unknown): QueueLimits {
  const { metadata, spec, status } = QueueSchema.parse(raw)
  const limits = Object.entries(spec?.capability ?? {}).flatMap(([resource, quantity]) => {
    const hard = isGpuResource(resource) ? readQuantity(quantity) : undefined
    return hard === undefined ? [] : [{ resource, hard, used: readQuantity(status?.allocated[resource]) ?? 0 }]
  })
  return { owner: 'Volcano', name: metadata.name, parent: spec?.parent, limits }
}

/**
 * Reads a PodGroup of scheduling.volcano.sh v1beta1; undefined when it asks for no GPU or has finished. What it asks for is
 * what it needs to start.
 */
export function parseVolcanoGroup(raw: unknown): QueuedFacts | undefined {
  const { metadata, spec, status } = GroupSchema.parse(raw)
  const { queue = 'default', minResources } = spec
  const { phase = 'Pending', conditions } = status
  const requests = gpusIn(minResources ?? {})
  // One that does not say what it needs may have pods that ask for GPUs.
  const isOther = minResources !== undefined && requests.length === 0
  if (phase === 'Completed' || isOther) return undefined
  return {
    queueOwner: 'Volcano',
    namespace: metadata.namespace,
    name: metadata.name,
    owner: controllerOf(metadata.ownerReferences),
    ownerUids: metadata.ownerReferences.map(({ uid }) => uid),
    localQueue: undefined,
    clusterQueue: queue,
    requests,
    createdAt: metadata.creationTimestamp,
    waiting: phase === 'Pending' ? waitingFor(conditions) : undefined,
  }
}

const gpusIn = (quantities: Readonly<Record<string, string | number>>): readonly GpuRequest[] =>
  sumRequests(
    Object.entries(quantities).flatMap(([resource, quantity]) => {
      const count = isGpuResource(resource) ? (readQuantity(quantity) ?? 0) : 0
      return count > 0 ? [{ resource, count }] : []
    }),
  )

/** Before it is let into its queue its pods say nothing, or are not there. Later they say themselves why they wait. */
function waitingFor(conditions: readonly ConditionSchema[]): Waiting {
  const found = conditions.find(({ type, status }) => type === 'Unschedulable' && status === 'True')
  const { reason = '', message = 'Volcano has not looked at this pod group yet.' } = found ?? {}
  return { reason: TOO_FEW.has(reason) ? reason : 'PodGroupPending', message }
}

/** Fewer pods are there than must start together. */
const TOO_FEW: ReadonlySet<string> = new Set(['NotEnoughTasks', 'NotEnoughPodsOfTask'])

const QueueSchema = z.object({
  metadata: Metadata,
  spec: lenient(z.object({ capability: lenient(ResourceQuantities), parent: lenient(z.string().min(1)) })),
  status: lenient(z.object({ allocated: ResourceQuantities })),
})

const asObject = (value: unknown): unknown => value ?? {}
const GroupSchema = z.object({
  metadata: Metadata,
  spec: z.preprocess(
    asObject,
    z.object({
      queue: lenient(z.string().min(1)),
      minResources: lenient(z.record(z.string(), z.union([z.string(), z.number()]))),
    }),
  ),
  status: z.preprocess(asObject, z.object({ phase: lenient(z.string()), conditions: lenientList(ConditionSchema) })),
})
