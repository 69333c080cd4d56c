import { instant, type Instant } from '@septet/domain'

import { StoreError } from '../store-error.ts'
import { storableText } from '../usage/storable.ts'

/**
 * An address, id or hash, exactly as it is: mended or cut it could become another's. Throws a `StoreError` where
 * PostgreSQL cannot keep it, or where it is empty.
 */
export function exactText(text: string): string {
  if (isExact(text)) return text
  throw new StoreError(
    'unexpected',
    'An address or id is empty, too long or not made of whole characters, so nothing was stored. Write it again.',
  )
}

/** What to look for: nothing is kept under an empty text, so what cannot be kept is not found. */
export const soughtText = (text: string): string => (isExact(text) ? text : '')

const isExact = (text: string): boolean => text !== '' && storableText(text) === text

/** Throws a `StoreError` where the number is not a point in time. */
export function dateOf(at: Instant): Date {
  const date = new Date(at)
  if (!Number.isNaN(date.getTime())) return date
  throw new StoreError('unexpected', `A time is no point in time (${at}), so nothing was stored.`)
}

export const maybeDate = (at: Instant | undefined): Date | null => (at === undefined ? null : dateOf(at))
export const maybeInstant = (date: Date | null): Instant | undefined =>
  date === null ? undefined : instant(date.getTime())

/** Of the columns that may change, those that a change names. */
export function namedRow<Row extends object>(row: Row, change: object): Partial<Row> {
  const kept: Partial<Row> = {}
  for (const column in row) if (column in change) kept[column] = row[column]
  return kept
}
