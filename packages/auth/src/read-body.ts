import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AuthProblem } from './auth-problem.ts'
import type { JsonRecord } from '@septet/domain'

/** The body of a request, checked; unknown fields are left out. Refuses with 400 `validation_failed` and names the field. */
export const readBody = <Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> =>
  read(schema, request.body ?? {}, 'Body')

/** The query of a request, checked in the same way. */
export const readQuery = <Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> =>
  read(schema, request.query, 'Query')

function read<Schema extends z.ZodType>(schema: Schema, input: unknown, name: string): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.') ?? ''
  const what = field === '' ? name : `Field "${field}"`
  throw new AuthProblem(400, 'validation_failed', `${what}: ${issue?.message ?? 'not valid'}`)
}

/** Whether a text anywhere in the value cannot be kept: PostgreSQL takes neither NUL nor half a surrogate pair. */
export function holdsUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\u0000') || !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, field]) => holdsUnstorableText(key) || holdsUnstorableText(field))
}

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
