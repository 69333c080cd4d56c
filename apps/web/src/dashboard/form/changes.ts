import { labelsText } from '../words/typed-names.ts'
import { isRecord, limitsAt, valueAtPath, type FieldLimits } from './limits.ts'
import type { FieldOf } from './SchemaFields.tsx'
import { shownIn, spanWords } from './typed-value.ts'

/** One thing that a draft says otherwise. */
export type Change = { readonly name: string; readonly before: string; readonly after: string }

type Said = { readonly name: string; readonly says: string }

/** What two lists of the same things say otherwise. */
export const differences = (before: readonly Said[], after: readonly Said[]): readonly Change[] =>
  after.flatMap(({ name, says }, at) =>
    before[at]?.says === says ? [] : [{ name, before: before[at]?.says ?? '', after: says }],
  )

/** What each field says. */
export const saidBy = <T extends object>(
  limits: FieldLimits,
  fields: readonly FieldOf<T>[],
  value: T,
): readonly Said[] =>
  fields.map((field) => ({
    name: field.label,
    says: wordsOf(field, limitsAt(limits, field.at), valueAtPath(value, field.at)),
  }))

function wordsOf(field: Pick<FieldOf<object>, 'unit' | 'scale'>, { nullable }: FieldLimits, value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || 'none'
  if (isRecord(value)) return labelsText(value) || 'none'
  if (typeof value === 'number') return amountWords(field, value)
  return nullable === true ? 'no limit' : String(value)
}

function amountWords({ unit = '', scale = 1 }: Pick<FieldOf<object>, 'unit' | 'scale'>, value: number): string {
  if (scale === 'time') return spanWords(value)
  const amount = shownIn({ scale }, value)
  if (unit.startsWith('$')) return `$${amount}${unit.slice(1)}`
  return unit === '%' || unit === '' ? `${amount}${unit}` : `${amount} ${unit}`
}
