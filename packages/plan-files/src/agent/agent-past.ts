import { MEASURE_NAMES, type HistoricUsage, type HistoryBatch } from '@septet/domain'
import { errorText } from '@septet/domain/words'
import { z } from 'zod'

import { count, exact, momentSchema, optional, text } from '../snapshot-schemas.ts'
import { compress, expand, issueWords, MOST_UNPACKED } from './agent-reading.ts'

/** A piece of what an agent's metrics engine knows of the past, asked for by a Septet; the last one ends it. */
export type AgentPast =
  | { readonly kind: 'batch'; readonly batch: HistoryBatch }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly message: string }

/** GPU indexes are told apart up to here; the last one stands for all above. */
const INDEXES = Array.from({ length: 64 }, (_, index) => index)
const ROWS_AT_ONCE = 20_000

/** In parts that can be sent, none of which divides a bucket. */
export async function* packPast(past: AgentPast): AsyncGenerator<Buffer> {
  if (past.kind !== 'batch') {
    yield compress(JSON.stringify(past))
    return
  }
  const { usage, covers } = past.batch
  const covered = INDEXES.filter(covers)
  for (const rows of inWholeBuckets(usage)) {
    yield compress(JSON.stringify({ kind: 'batch', batch: { usage: rows, covers: covered } }))
  }
}

export type PastRead =
  | { readonly kind: 'read'; readonly past: AgentPast }
  | { readonly kind: 'refused'; readonly because: string }

/** Reads a part that an agent sent; what is not exactly one is refused. */
export async function unpackPast(packed: Uint8Array): Promise<PastRead> {
  try {
    const written = await expand(packed, { maxOutputLength: MOST_UNPACKED })
    const read = PastSchema.safeParse(JSON.parse(written.toString('utf8')))
    if (read.success) return { kind: 'read', past: read.data }
    return { kind: 'refused', because: issueWords(read.error.issues) }
  } catch (error) {
    return { kind: 'refused', because: errorText(error) }
  }
}

function inWholeBuckets(usage: readonly HistoricUsage[]): readonly (readonly HistoricUsage[])[] {
  const parts: HistoricUsage[][] = []
  for (const bucket of Map.groupBy(usage, ({ at }) => at).values()) {
    const last = parts.at(-1)
    if (last === undefined || last.length + bucket.length > ROWS_AT_ONCE) parts.push(bucket)
    else last.push(...bucket)
  }
  return parts
}

const seconds = z.number().nonnegative().max(1e9)

const historic = z
  .object({
    ...Object.fromEntries(MEASURE_NAMES.map((name) => [name, optional(z.number())])),
    at: momentSchema,
    span: z.enum(['5m', '1h', '1d']),
    node: text,
    hosts: z.array(text).max(64).optional(),
    gpu: text,
    index: count,
    modelName: text,
    instance: optional(z.object({ id: text, profile: text })),
    namespace: text,
    pod: text,
    owner: optional(
      z.object({
        kind: text,
        name: text,
        class: z.enum(['training', 'inference', 'analytics', 'notebook', 'unknown']),
      }),
    ),
    observedSeconds: seconds,
    idleSeconds: seconds,
    stuckSeconds: seconds,
    kernelTime: optional(z.number()),
  })
  .transform((read) => inUnits(read))

// Numbers stand in their units already: the connector that read them gave them these.
function inUnits(read: object): HistoricUsage
function inUnits(read: object): object {
  return read
}

const PastSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('batch'),
    batch: exact(z.object({ usage: z.array(historic), covers: z.array(count.max(63)) })).transform(
      ({ usage, covers }): HistoryBatch => {
        const covered = new Set(covers)
        return { usage, covers: (index) => covered.has(Math.min(index, INDEXES.length - 1)) }
      },
    ),
  }),
  z.object({ kind: z.literal('end') }),
  z.object({ kind: z.literal('failed'), message: z.string().max(4096) }),
])
