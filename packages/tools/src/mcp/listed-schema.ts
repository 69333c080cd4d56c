import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'

import { ABOUT, BARS, SHOWN_FIGURE } from '../answer-parts.ts'

/** What every answer has, said once in the instructions of the server and not with each tool. */
const SAID_ONCE = new Set([...Object.keys(ABOUT), 'sources'])

/** Kept by whoever parses: a model gains nothing from reading it, and a list of tools is in its context all the time. */
const NOISE = {
  input: new Set(['$schema', 'examples', 'minLength', 'maxLength']),
  output: new Set(['$schema', 'additionalProperties', 'required', 'minimum', 'maximum']),
}
type Way = keyof typeof NOISE

/**
 * A schema that is listed without noise: an answer names its fields, their types and what is not obvious of them. What stands
 * in many places is defined once.
 */
export const listedSchema = (schema: z.ZodObject, way: Way): StandardSchemaWithJSON => {
  const known = LISTED.get(schema)
  if (known !== undefined) return known
  const json = shortened(z.toJSONSchema(schema, { io: way, override: inShort }), way)
  const standard = { ...schema['~standard'], jsonSchema: { input: () => json, output: () => json } }
  const short = { '~standard': way === 'input' ? { ...standard, validate: unparsed } : standard }
  LISTED.set(schema, short)
  return short
}

/** Tools parse what they are given themselves: so it is refused with advice, and stands in the log of calls. */
const unparsed = (value: unknown) => ({ value: value ?? {} })

/** Servers come and go with each request; the schemas of tools do not. */
const LISTED = new WeakMap<z.ZodObject, StandardSchemaWithJSON>()

/** What a figure consists of is said once, too, and what is drawn is read by no model. */
function inShort({ zodSchema, jsonSchema }: Parameters<NonNullable<ToJson['override']>>[0]): void {
  const description = IN_SHORT.get(zodSchema)
  if (description === undefined) return
  delete jsonSchema.properties
  delete jsonSchema.items
  jsonSchema.description = description
}
const IN_SHORT = new Map<unknown, string>([
  [SHOWN_FIGURE, 'quote "says"'],
  [BARS, 'GPUs now and after, to draw'],
])
type ToJson = NonNullable<Parameters<typeof z.toJSONSchema>[1]>

type Json = Readonly<Record<string, unknown>>

function shortened(schema: Json, way: Way): Record<string, unknown> {
  const { properties, ...rest } = schema
  const named = Object.entries(isJson(properties) ? properties : {}).filter(
    ([name]) => way === 'input' || !SAID_ONCE.has(name),
  )
  return { ...withoutNoise(rest, way), properties: ofEach(Object.fromEntries(named), way) }
}

function withoutNoise(schema: Json, way: Way): Record<string, unknown> {
  const isFormat = 'format' in schema
  const kept = Object.entries(schema).filter(
    // The name of a format says what its pattern does.
    ([keyword, value]) => !NOISE[way].has(keyword) && !isFar(value) && !(isFormat && keyword === 'pattern'),
  )
  return nullable(
    Object.fromEntries(
      kept.map(([keyword, value]) => [keyword, MAPS.has(keyword) ? ofEach(value, way) : inside(value, way)]),
    ),
  )
}

/** Keywords under which names stand, and not other keywords. */
const MAPS = new Set(['properties', '$defs'])

const ofEach = (value: unknown, way: Way): Record<string, unknown> =>
  Object.fromEntries(Object.entries(isJson(value) ? value : {}).map(([name, each]) => [name, inside(each, way)]))

function inside(value: unknown, way: Way): unknown {
  if (Array.isArray(value)) return value.map((each) => inside(each, way))
  return isJson(value) ? withoutNoise(value, way) : value
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A bound that nobody comes near. */
const isFar = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) >= 100_000

/** `{ type: [T, null] }` for a choice between T and null. */
function nullable(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [some, none]: readonly unknown[] = anyOf
  if (!isJson(some) || typeof some['type'] !== 'string' || !isJson(none) || none['type'] !== 'null') return schema
  return { ...some, type: [some['type'], 'null'], ...rest }
}
