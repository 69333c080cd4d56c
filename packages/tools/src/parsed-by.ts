import { wrongFields, invalidInput } from '@septet/contract'
import { z } from 'zod'

/** The arguments of a tool. Throws a `Refusal` that names every wrong one. */
export function parsedBy<Schema extends z.ZodType>(name: string, schema: Schema, given: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, given)
  if (parsed.success) return parsed.data
  throw invalidInput(`${name}: ${wrongFields(parsed.error)}.`, 'Correct the named arguments and call it again.')
}
