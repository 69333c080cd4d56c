import { duration } from '@septet/domain/words'

import { labelsOf, labelsText, typedNames } from '../words/typed-names.ts'
import { isNumber, isRecord, type FieldLimits } from './limits.ts'

/** What a value must be, and one of what is shown in what the contract counts. */
export type Scaled = FieldLimits & { readonly scale: number }

export const TIMES = { minutes: 60, hours: 3600, days: 86_400 } as const
export type TypedTime = keyof typeof TIMES

/** The largest in which it is a whole number; a day alone reads better as 24 hours. */
export function timeOf(seconds: unknown): TypedTime {
  if (typeof seconds !== 'number') return 'minutes'
  if (seconds > TIMES.days && seconds % TIMES.days === 0) return 'days'
  return seconds > 0 && seconds % TIMES.hours === 0 ? 'hours' : 'minutes'
}

/** To the second, so that no change of it goes unsaid. */
export const spanWords = (seconds: number): string =>
  seconds % 60 === 0 && seconds > 0 ? duration(seconds) : `${seconds} s`

/** Without the noise of binary fractions. */
export const shownIn = ({ scale }: Pick<Scaled, 'scale'>, amount: number): number =>
  Number((amount / scale).toPrecision(12))

/** A value as it is typed. */
export function textOf(limits: Scaled, value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  if (isRecord(value)) return labelsText(value)
  if (typeof value === 'number') return String(shownIn(limits, value))
  return typeof value === 'string' ? value : ''
}

/** What was typed, as the contract takes it; undefined where nothing was. */
export function readTyped(limits: Scaled, text: string): unknown {
  if (limits.type === 'array') return readList(limits, text)
  if (limits.type === 'object') return labelsOf(text)
  return isNumber(limits) ? readNumber(limits, text) : text.trim() || undefined
}

function readList({ items, minItems }: Scaled, text: string): readonly unknown[] | undefined {
  const names = typedNames(text) ?? (minItems === undefined ? [] : undefined)
  return isNumber(items ?? {}) ? names?.map((name) => Number(name.replace('%', ''))) : names
}

function readNumber({ type, nullable, scale }: Scaled, text: string): number | null | undefined {
  if (text === '') return nullable === true ? null : undefined
  const amount = Number((Number(text) * scale).toPrecision(12))
  return type === 'integer' && scale !== 1 ? Math.round(amount) : amount
}
