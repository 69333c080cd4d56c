import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

import { AuthProblem } from './auth-problem.ts'

/** The body of a request, checked; unknown fields are left out. Refuses with 400 `validation_failed` and names the field. */
export function readBody<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  const read = schema.safeParse(request.body ?? {})
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = issue?.path.join('.') ?? ''
  throw new AuthProblem(
    400,
    'validation_failed',
    `${field === '' ? 'Body' : `Field "${field}"`}: ${issue?.message ?? 'not valid'}`,
  )
}
