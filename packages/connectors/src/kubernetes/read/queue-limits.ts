import { type Quota, type QueueOwner, isGpuResource, readQuantity } from '@septet/domain'
import { z } from 'zod'
import { lenient, lenientList, Metadata, ResourceQuantities } from './schemas.ts'

/** What we keep of a queue of Volcano or KAI: the most that it may use of GPUs, by resource, and what it uses. */
export type QueueLimits = {
  readonly owner: QueueOwner
  readonly name: string
  readonly parent: string | undefined
  readonly limits: readonly Pick<Quota, 'resource' | 'hard' | 'used'>[]
}

/** Limits of queues as quotas. That of a queue counts for all work below it. */
export function quotasOfQueues(queues: readonly QueueLimits[]): readonly Quota[] {
  return queues.flatMap((queue) => {
    const below = queue.limits.length === 0 ? [] : namesBelow(queue, queues)
    return queue.limits.map((limit): Quota => ({
      id: `${queue.owner}/${queue.name}/${limit.resource}`,
      namespace: '',
      queue: queue.name,
      queueOwner: queue.owner,
      ...(below.length === 0 ? {} : { below }),
      ...limit,
    }))
  })
}

function namesBelow({ owner, name }: QueueLimits, queues: readonly QueueLimits[]): readonly string[] {
  const found = new Set<string>()
  const visit = (parent: string): void => {
    for (const child of queues) {
      if (child.owner !== owner || child.parent !== parent || child.name === name || found.has(child.name)) continue
      found.add(child.name)
      visit(child.name)
    }
  }
  visit(name)
  return [...found].toSorted()
}

/**
 * The limits in a ResourceQuota on GPU resources, CPU, memory and pods; undefined where it has none. Quotas with a scope
 * count too, though they bind only some pods of the namespace: what is planned within them is allowed in any case.
 */
export function parseQuota(raw: unknown): readonly Quota[] | undefined {
  const { metadata, spec, status } = QuotaSchema.parse(raw)
  const { namespace, name } = metadata
  const isScoped = (spec?.scopes ?? []).length > 0 || spec?.scopeSelector !== undefined
  const scoped = isScoped ? ({ scoped: true } as const) : {}
  const quotas = Object.entries({ ...spec?.hard, ...status?.hard }).flatMap(([key, quantity]): Quota[] => {
    const resource = key.replace(/^requests\./, '')
    const hard = readQuantity(quantity)
    if (!(isGpuResource(resource) || PLAIN.has(resource)) || hard === undefined) return []
    const used = readQuantity(status?.used[key]) ?? 0
    return [{ id: `${namespace}/${name}/${resource}`, namespace, resource, hard, used, ...scoped }]
  })
  return quotas.length === 0 ? undefined : quotas
}

/** `cpu` and `requests.cpu` mean the same; cores, bytes, pods. */
const PLAIN: ReadonlySet<string> = new Set(['cpu', 'memory', 'pods', 'limits.cpu', 'limits.memory'])

const QuotaSchema = z.object({
  metadata: Metadata,
  spec: z
    .object({
      hard: ResourceQuantities,
      scopes: lenientList(z.string()),
      scopeSelector: lenient(z.record(z.string(), z.unknown())),
    })
    .nullish(),
  status: z.object({ hard: ResourceQuantities, used: ResourceQuantities }).nullish(),
})
