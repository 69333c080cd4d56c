import type { Units } from '../units.ts'
import { type Field, FIELDS, type FieldFold, KEPT } from './fields.ts'

type Fields = typeof FIELDS
export type SampleField = keyof Fields
/** The measured fields of a sample. */
export const SAMPLE_FIELDS = namesOf(FIELDS)
type ValueOf<Name extends SampleField> = Units[Fields[Name]['unit']]
/** Values by field, each in its unit. A field that was not exported is absent, never 0. */
export type FieldValues = { readonly [Name in SampleField]?: ValueOf<Name> }

type Kept = typeof KEPT
export const MEASURE_NAMES = namesOf(KEPT)
/** What a usage row keeps of telemetry; undefined where nothing was measured. */
export type Measurements = { readonly [Name in keyof Kept]: ValueOf<Kept[Name]['field']> | undefined }
/** One of these. */
export type Measure = Pick<Field, 'unit' | 'of'> & {
  readonly name: keyof Kept
  readonly field: SampleField
  readonly fold: FieldFold
}
export const MEASURES: readonly Measure[] = MEASURE_NAMES.map((name) => {
  const { field, fold } = KEPT[name]
  const { unit, of } = FIELDS[field]
  return { name, field, unit, of, fold }
})
export const NOTHING_MEASURED = measurements(() => undefined)

type NamesOf<By extends FieldFold, Of extends SampleField = SampleField> = {
  [Name in keyof Kept]: Kept[Name] extends { readonly fold: By; readonly field: Of } ? Name : never
}[keyof Kept]

/** The highest values that a usage row keeps. */
export type Peaks = Pick<Measurements, NamesOf<'peak'>>
export const PEAKS = MEASURE_NAMES.filter((name): name is keyof Peaks => KEPT[name].fold === 'peak')

export const NO_PEAKS = peaksOf(() => undefined)

/** Fields that the card of a GPU shows as they are told. */
export type ShownField = {
  [Name in SampleField]: Fields[Name] extends { readonly shown: object } ? Name : never
}[SampleField]
const isShown = (name: SampleField): name is ShownField => 'shown' in FIELDS[name]
export const SHOWN_FIELDS = SAMPLE_FIELDS.filter(isShown)

/** Means of these that are kept: the card of a GPU shows their last day. */
export type ShownMean = NamesOf<'mean', ShownField>
export const SHOWN_MEANS = MEASURE_NAMES.filter(
  (name): name is ShownMean => KEPT[name].fold === 'mean' && isShown(KEPT[name].field),
)

/** Measurements, each as `valueOf` has it. */
export function measurements(valueOf: (measure: Measure) => number | undefined): Measurements
export function measurements(valueOf: (measure: Measure) => number | undefined): Record<string, number | undefined> {
  return Object.fromEntries(MEASURES.map((measure) => [measure.name, valueOf(measure)]))
}

/** Peaks, each as `valueOf` has it. */
export function peaksOf(valueOf: (peak: keyof Peaks) => number | undefined): Peaks
export function peaksOf(valueOf: (peak: keyof Peaks) => number | undefined): Record<keyof Peaks, number | undefined> {
  return recordOf(PEAKS, valueOf)
}

/** The names of a table's rows, as its type has them. */
export function namesOf<Table extends object>(table: Table): readonly (keyof Table)[]
export function namesOf(table: object): readonly string[] {
  return Object.keys(table)
}

/** A value for each name. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  of: (name: Name) => Value,
): Record<Name, Value>
export function recordOf(names: readonly string[], of: (name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, of(name)]))
}
