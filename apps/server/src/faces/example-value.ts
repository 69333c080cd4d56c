import { z } from 'zod'

type Named = Readonly<Record<string, unknown>>

/**
 * Something that a JSON schema accepts: its example, else the first of its choices, else something of its type.
 * `named` are the schemas that it refers to (`$defs`).
 */
export function exampleValue(schema: unknown, named: Named = {}): unknown {
  const known = SchemaOf.parse(schema)
  const said = [known.examples[0], known.const, known.enum[0], known.default].find((each) => each !== undefined)
  if (said !== undefined) return said
  const [other] = known.$ref === undefined ? [...known.anyOf, ...known.oneOf] : [named[known.$ref.slice(DEFS.length)]]
  if (other !== undefined) return exampleValue(other, named)
  return OF_TYPE[known.type]?.(known, named) ?? 'text'
}

const DEFS = '#/$defs/'
const OF_TYPE: Readonly<Record<string, (schema: SchemaOf, named: Named) => unknown>> = {
  boolean: () => true,
  integer: (schema) => within(2, schema),
  number: (schema) => within(2.5, schema),
  string: ({ format = '' }) => OF_FORMAT[format],
  array: ({ minItems, items }, named) => Array.from({ length: minItems ?? 0 }, () => exampleValue(items, named)),
  object: ({ required = [], properties = {} }, named) =>
    Object.fromEntries(required.map((name) => [name, exampleValue(properties[name], named)])),
}

const within = (value: number, { minimum = -Infinity, maximum = Infinity }: SchemaOf): number =>
  Math.min(Math.max(value, minimum), maximum)

const OF_FORMAT: Named = {
  email: 'you@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

const SchemaOf = z.looseObject({
  $ref: z.string().optional(),
  type: z.string().default('string'),
  format: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).default([]),
  default: z.unknown().optional(),
  examples: z.array(z.unknown()).default([]),
  anyOf: z.array(z.unknown()).default([]),
  oneOf: z.array(z.unknown()).default([]),
  items: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
})
type SchemaOf = z.output<typeof SchemaOf>
