import type { Quota } from '@septet/domain'
import { z } from 'zod'
import { isGpuResource } from './gpu-resource.ts'
import { readQuantity } from './quantity.ts'
import { lenient, lenientList, Metadata, ResourceQuantities } from './schemas.ts'

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
