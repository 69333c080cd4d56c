import { Refusal } from '@septet/contract'
import { z } from 'zod'

/** The arguments of a tool. Throws a `Refusal` that names every wrong one. */
export function parsedBy<Schema extends z.ZodType>(name: string, schema: Schema, given: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, given)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`)
  throw new Refusal('invalid-input', `${name}: ${issues.join('; ')}.`, 'Correct the named arguments and call it again.')
}
