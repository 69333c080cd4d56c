import { isFigureSchema, plainSchema, type JsonSchema, type PlainSchema } from './json-schema.ts'

/** What a value of an answer is, as far as writing it for a person takes. */
export type Shape =
  | { readonly kind: 'figure' | 'number' | 'seconds' | 'text' | 'name' | 'instant' | 'truth' | 'anything' }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'object'; readonly parts: ReadonlyMap<string, Shape> }

/** The shape of an answer out of its schema. A plan that holds plans ends after so many levels. */
export function shapeOf(schema: JsonSchema, root: JsonSchema = schema, depth = 8): Shape {
  if (isFigureSchema(schema)) return { kind: 'figure' }
  const plain = plainSchema(schema, root)
  const { properties, items } = plain
  if (depth === 0) return { kind: 'anything' }
  if (items !== undefined) return { kind: 'list', of: shapeOf(items, root, depth - 1) }
  if (properties === undefined) return simpleShape(plain)
  const parts = Object.entries(properties).map(([name, part]) => [name, shapeOf(part, root, depth - 1)] as const)
  return { kind: 'object', parts: new Map(parts) }
}

function simpleShape({ type, format, description = '', enum: names }: PlainSchema): Shape {
  if (type === 'number' || type === 'integer') return { kind: description.startsWith('seconds') ? 'seconds' : 'number' }
  if (type === 'boolean') return { kind: 'truth' }
  if (type !== 'string') return { kind: 'anything' }
  return { kind: format === 'date-time' ? 'instant' : names === undefined ? 'text' : 'name' }
}

/** The list that an answer is about: the one called like its subject, else its first list of objects. */
export function mainList(shape: Shape, subject: string): { readonly name: string; readonly row: Shape } | undefined {
  if (shape.kind !== 'object') return undefined
  const lists = [...shape.parts].flatMap(([name, part]) =>
    part.kind === 'list' && part.of.kind === 'object' ? [{ name, row: part.of }] : [],
  )
  return lists.find(({ name }) => name === subject) ?? lists[0]
}
