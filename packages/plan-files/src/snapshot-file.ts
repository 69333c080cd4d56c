import { errorText } from '@septet/domain/words'
import { HOLDER_EVIDENCE, type ClusterSnapshot } from '@septet/domain'
import { z } from 'zod'

import { snapshotFlaws } from './snapshot-file-flaws.ts'
import { clusterFields, exact, gpu, momentSchema, nodeFields, optional, text } from './snapshot-schemas.ts'

export type SnapshotRead =
  | { readonly kind: 'read'; readonly snapshot: ClusterSnapshot }
  /** Each sentence says what is wrong and where. */
  | { readonly kind: 'refused'; readonly errors: readonly string[] }

/** A fleet of 10,000 GPUs with 50,000 pods takes some 60 MB. */
const MOST_CHARACTERS = 256 * 1024 * 1024
const MOST_ERRORS = 8

/** Reads a saved snapshot. What is not exactly one is refused: nothing of it is guessed. */
export function readSnapshotFile(written: string): SnapshotRead {
  if (written.length > MOST_CHARACTERS) return { kind: 'refused', errors: ['The file is larger than 256 MiB.'] }
  const json = parsedJson(written)
  if (json.kind === 'refused') return json
  const read = FileSchema.safeParse(json.value)
  if (!read.success) return refused(read.error.issues.map(issueWords))
  const snapshot: ClusterSnapshot = read.data.snapshot
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

function parsedJson(written: string): { readonly kind: 'parsed'; readonly value: unknown } | Refused {
  try {
    const value: unknown = JSON.parse(written)
    return { kind: 'parsed', value }
  } catch (error) {
    return refused([`The file is no JSON, or ends too early: ${errorText(error)}`])
  }
}

const issueWords = ({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }): string =>
  `${path.length === 0 ? 'The file' : path.map(String).join('.')}: ${message}`

const node = exact(z.object({ ...nodeFields, model: optional(text), gpus: z.array(gpu).max(1024) }))

/** As files of earlier versions say it. */
const FORMER_EVIDENCE = new Map<unknown, string>(Object.entries({ telemetry: 'label', inferred: 'guess' }))

const FileSchema = z.object({
  format: z.literal(FORMAT),
  snapshot: exact(
    z.object({
      ...clusterFields,
      cluster: text,
      nodes: z.array(node),
      allocations: z.array(
        z.object({
          partition: text,
          pod: text,
          workload: text,
          since: momentSchema,
          evidence: z.preprocess((word) => FORMER_EVIDENCE.get(word) ?? word, z.enum(HOLDER_EVIDENCE)),
        }),
      ),
    }),
  ),
})
