import type { ActionView, FigureView, RecommendationView } from '@septet/contract'
import { estimateWords } from '@septet/contract/estimate-words'
import { figureInWords } from '@septet/contract/figure-words'
import { duration, grouped } from '@septet/domain/words'

import type { Shape } from './answer-shape.ts'

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
