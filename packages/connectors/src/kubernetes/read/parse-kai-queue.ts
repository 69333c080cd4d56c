import { WHOLE_GPU_RESOURCE as GPU, readQuantity } from '@septet/domain'
import { z } from 'zod'
import type { QueueLimits } from './queue-limits.ts'
import { lenient, Metadata, ResourceQuantities } from './schemas.ts'

/**
 * Reads a Queue of scheduling.run.ai v2. Its limit counts devices, shares included; -1 is none, and one that it does not
 * name is not guessed. Its quota is what it is guaranteed, which it may exceed: only work that cannot be preempted may not, and
 * KAI says so of such work.
 */
export function parseKaiQueue(raw: unknown): QueueLimits {
  const { metadata, spec, status } = QueueSchema.parse(raw)
  const hard = mostOf(spec?.resources?.gpu ?? {})
  const { [GPU]: whole, gpu: devices = whole } = status?.allocated ?? {}
  return {
    owner: 'KAI',
    name: metadata.name,
    parent: spec?.parentQueue,
    limits: hard === undefined ? [] : [{ resource: GPU, hard, used: readQuantity(devices) ?? 0 }],
  }
}

/** A limit below the quota is no more than the quota. */
const mostOf = ({ quota = 0, limit = -1 }: z.infer<typeof Amounts>): number | undefined =>
  limit < 0 || quota < 0 ? undefined : Math.max(limit, quota)

const Amounts = z.object({ quota: lenient(z.number()), limit: lenient(z.number()) }).partial()
const QueueSchema = z.object({
  metadata: Metadata,
  spec: lenient(
    z.object({ parentQueue: lenient(z.string().min(1)), resources: lenient(z.object({ gpu: lenient(Amounts) })) }),
  ),
  status: lenient(z.object({ allocated: ResourceQuantities })),
})
