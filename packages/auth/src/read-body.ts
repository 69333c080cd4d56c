import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

import { AuthProblem } from './auth-problem.ts'

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
