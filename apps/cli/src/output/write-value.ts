import type { ActionView, FigureView, RecommendationView } from '@septet/contract'
import { estimateWords } from '@septet/contract/estimate-words'
import { figureInWords } from '@septet/contract/figure-words'
import { duration, grouped } from '@septet/domain/words'

import { isFigureSchema, plainSchema, type JsonSchema, type PlainSchema } from './json-schema.ts'

/** What stands where an answer says nothing; a number that is not known is never nothing, and never 0. */
const NOTHING = '–'
const UNKNOWN = 'Not measured'

type Simple = Exclude<Shape['kind'], 'list' | 'object'>

/** A value as a person reads it. */
export function valueWords(kind: Simple, value: unknown): string {
  if (value === undefined || value === null) return NUMBERS.has(kind) ? UNKNOWN : NOTHING
  if (typeof value === 'string') return textWords(kind, value)
  if (typeof value === 'number') return kind === 'seconds' ? duration(value) : grouped(value, 2)
  return typeof value === 'boolean' ? TRUTH[`${value}`] : objectWords(value)
}

function objectWords(value: unknown): string {
  if (isSaving(value)) return estimateWords(value)
  if (isCause(value)) return value.kind === 'wish' ? value.wants : estimateWords(value.saving)
  if (!isFigure(value)) return JSON.stringify(value)
  const { value: words, unit } = figureInWords(value)
  return `${words}${unit}`
}

const TRUTH = { true: 'yes', false: 'no' } as const

function textWords(kind: Simple, text: string): string {
  if (text === '') return NOTHING
  return kind === 'instant' ? minute(text) : text
}

/** A value as a program reads it: a cell of CSV. Unknown is empty. */
export function valueCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const isFigure = (value: unknown): value is FigureView =>
  typeof value === 'object' && value !== null && 'unit' in value && 'quality' in value && 'explain' in value

/** What a change is estimated to bring; it is one value of a row. */
export const isSaving = (value: unknown): value is RecommendationView['saving'] =>
  typeof value === 'object' && value !== null && ('brings' in value || 'priceSource' in value)

/** What an action comes from is one, too. */
const isCause = (value: unknown): value is ActionView['cause'] =>
  typeof value === 'object' && value !== null && ('wants' in value || ('recommendation' in value && 'saving' in value))

const NUMBERS: ReadonlySet<Simple> = new Set<Simple>(['figure', 'number', 'seconds'])

const minute = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')}Z`

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
