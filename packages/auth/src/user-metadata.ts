import type { JsonRecord } from '@septet/domain'
import { z } from 'zod'

import { AuthProblem } from './auth-problem.ts'

/** What people write about themselves: an object, or nothing. */
export const MetadataSchema = z.record(z.string(), z.unknown()).nullish()

/**
 * Writes changes over what was there; `null` deletes a key. Throws 400 `validation_failed` above 4 KiB: every access
 * token carries it, and request headers end at 16 KiB.
 */
export function mergeMetadata(before: JsonRecord, changes: z.infer<typeof MetadataSchema>): JsonRecord {
  const kept = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null && value !== undefined)
  const merged = Object.fromEntries(kept)
  if (Buffer.byteLength(JSON.stringify(merged)) <= MOST_BYTES) return merged
  throw new AuthProblem(400, 'validation_failed', `Field "data" must not be larger than ${MOST_BYTES} bytes`)
}

const MOST_BYTES = 4096
