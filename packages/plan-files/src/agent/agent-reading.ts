import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

import {
  QUALITY_REASONS,
  SAMPLE_FIELDS,
  seconds,
  type ConnectionState,
  type DeviceSample,
  type Instant,
  type Inventory,
  type Seconds,
  type TelemetryReading,
} from '@septet/domain'
import { errorText } from '@septet/domain/words'
import { z } from 'zod'

import { namedTwice } from '../snapshot-file-flaws.ts'
import {
  amount,
  clusterFields,
  count,
  exact,
  finishedPods,
  longTextSchema,
  momentSchema,
  nodeFields,
  optional,
  problem,
  shareSchema,
  text,
} from '../snapshot-schemas.ts'

/** What an agent read of its cluster at one moment. */
export type AgentReading = {
  readonly at: Instant
  /** How far readings are apart when none fails. */
  readonly interval: Seconds
  readonly connection: ConnectionState
  /** Absent where it is as in the reading before. */
  readonly inventory?: Inventory
  readonly telemetry:
    | ({ readonly kind: 'read' } & TelemetryReading)
    | { readonly kind: 'failed'; readonly message: string }
    /** No source of metrics is named. */
    | { readonly kind: 'none' }
}

export type ReadingRead =
  | { readonly kind: 'read'; readonly reading: AgentReading }
  | { readonly kind: 'refused'; readonly because: string }

/** Larger readings are not taken, bytes: a fleet of 10,000 GPUs with 50,000 pods has some 70 MB, and 3 compressed. */
export const MOST_PACKED = 16 * 1024 * 1024
export const MOST_UNPACKED = 128 * 1024 * 1024

export const compress = promisify(gzip)
export const expand = promisify(gunzip)

export const packReading = (reading: AgentReading): Promise<Buffer> =>
  compress(JSON.stringify({ format: FORMAT, ...reading }))

/** The reading without its inventory: a later one has a newer one. */
export async function withoutInventory(packed: Uint8Array): Promise<Buffer> {
  const whole: unknown = JSON.parse((await expand(packed)).toString('utf8'))
  return compress(JSON.stringify({ ...z.looseObject({}).parse(whole), inventory: undefined }))
}

/** Reads what an agent sent. What is not exactly a reading is refused: nothing of it is guessed. */
export async function unpackReading(packed: Uint8Array): Promise<ReadingRead> {
  try {
    const written = await expand(packed, { maxOutputLength: MOST_UNPACKED })
    const read = ReadingSchema.safeParse(JSON.parse(written.toString('utf8')))
    if (!read.success) return { kind: 'refused', because: issueWords(read.error.issues) }
    const { format: _, ...reading } = read.data
    const { nodes = [], pods = [], workloads = [] } = reading.inventory ?? {}
    const [twice] = namedTwice({
      node: nodes.map(({ name }) => name),
      pod: pods.map(({ id }) => id),
      workload: workloads.map(({ id }) => id),
    })
    return twice === undefined ? { kind: 'read', reading } : { kind: 'refused', because: twice }
  } catch (error) {
    return { kind: 'refused', because: errorText(error) }
  }
}

const FORMAT = 'septet-agent/1'

export function issueWords([first, ...more]: readonly {
  readonly path: readonly PropertyKey[]
  readonly message: string
}[]) {
  const where = first === undefined || first.path.length === 0 ? 'the reading' : first.path.map(String).join('.')
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`
  return `${where}: ${first?.message ?? ''}${others}`
}

const device = z.object({
  name: text,
  kind: z.enum(['gpu', 'mig']),
  uuid: optional(text),
  parent: optional(text),
  profile: optional(text),
  product: optional(text),
  start: optional(count.max(63)),
  reservedFor: z.array(text),
  taint: text.exactOptional(),
})

const gpuShare = z.object({ gpu: text, index: optional(count), pod: text, share: shareSchema })

const inventory = exact(
  z.object({
    ...clusterFields,
    nodes: z.array(
      exact(
        z.object({
          ...nodeFields,
          gpuCount: count.max(1024),
          reportedProfiles: optional(z.array(z.record(text, amount)).max(1024)),
          devices: z.array(device).max(16_384),
          shares: z.array(gpuShare).max(16_384).optional(),
          knownAs: z.array(text).max(1024).optional(),
        }),
      ),
    ),
    finished: finishedPods.optional(),
  }),
)

const reason = z.enum(Object.keys(QUALITY_REASONS))

const sample = z
  .object({
    at: momentSchema,
    node: text,
    gpu: text,
    index: count,
    model: text,
    instance: z.object({ id: text, profile: text }).optional(),
    holder: z.object({ namespace: text, pod: text, container: text }).optional(),
    hosts: z.array(text).max(64).optional(),
    vgpu: text.optional(),
    unusable: z.partialRecord(z.enum(SAMPLE_FIELDS), reason).optional(),
    ...Object.fromEntries(SAMPLE_FIELDS.map((field) => [field, z.number().optional()])),
  })
  .transform((read) => inUnits(read))

// Numbers of the fields stand in their units already: the connectors that read them gave them these.
function inUnits(read: object): DeviceSample
function inUnits(read: object): object {
  return read
}

const target = z.object({
  target: text,
  node: optional(text),
  kind: z.enum(['up', 'stale', 'down']),
  lastSeen: optional(momentSchema),
  detail: longTextSchema,
})

const ReadingSchema = exact(
  z.object({
    format: z.literal(FORMAT),
    at: momentSchema,
    interval: z.number().min(1).max(300).transform(seconds),
    connection: z.object({
      kind: z.enum(['connecting', 'connected', 'disconnected']),
      lastContact: optional(momentSchema),
      problems: z.array(problem),
    }),
    inventory: inventory.optional(),
    telemetry: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('read'),
        at: momentSchema,
        samples: z.array(sample),
        targets: z.array(target),
        problems: z.array(problem),
      }),
      z.object({ kind: z.literal('failed'), message: longTextSchema }),
      z.object({ kind: z.literal('none') }),
    ]),
  }),
)
