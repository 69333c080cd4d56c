import type { Route } from '@septet/contract/routes'
import { z } from 'zod'

/** As much of JSON Schema as flags and tables are made from. */
export type JsonSchema = {
  readonly type?: string | readonly string[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly description?: string
  readonly default?: unknown
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}

/** An operation of the contract as plain data: what flags, tables and help are made from. */
export type PlainOperation = Route & {
  readonly title: string
  readonly description: string
  readonly input: JsonSchema
  readonly output: JsonSchema
}

/** A schema of the contract as JSON Schema, as OpenAPI has it. */
export const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keywords named above mean the same in both
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema

/** A schema with its one type, once nothing is to be looked up and null is not a choice any more. */
export type PlainSchema = Omit<JsonSchema, 'type'> & { readonly type?: string }

/** What a reference leads to; what a nullable one holds when it is not null. */
export function plainSchema(schema: JsonSchema, root: JsonSchema): PlainSchema {
  const { $ref, description, anyOf = [], type: given, ...rest } = schema
  const told = description === undefined ? {} : { description }
  if ($ref !== undefined) return plainSchema({ ...root.$defs?.[nameOf($ref)], ...told }, root)
  const [only, ...others] = anyOf.filter((choice) => choice.type !== 'null')
  if (only !== undefined && others.length === 0) return plainSchema({ ...only, ...told }, root)
  const [type] = [given ?? []].flat().filter((name) => name !== 'null')
  return { ...rest, ...told, ...(anyOf.length === 0 ? {} : { anyOf }), ...(type === undefined ? {} : { type }) }
}

/** Whether `null` is one of its values. */
export const isNullable = ({ type, anyOf = [] }: JsonSchema): boolean =>
  [type ?? []].flat().includes('null') || anyOf.some((choice) => choice.type === 'null')

/** Whether a value is a figure of the contract, which carries its unit and where it comes from. */
export const isFigureSchema = ({ $ref, anyOf = [] }: JsonSchema): boolean =>
  $ref === '#/$defs/Figure' || anyOf.some(isFigureSchema)

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)
