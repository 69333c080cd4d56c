import { instant, type Instant } from '@septet/domain'

import { customType } from './drizzle.ts'
import { StoreError } from './store-error.ts'
import { isStorable, longText, storableText } from './usage/storable.ts'

/** PostgreSQL's bytes. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Bytes as the domain has them. */
export const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (value) => Buffer.from(value),
  fromDriver: (value) => new Uint8Array(value),
})

/** An instant, to the millisecond. Throws a `StoreError` where the number is not a point in time. */
export const moment = customType<{ data: Instant; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  toDriver: (at) => dateOf(at).toISOString(),
  fromDriver: (text) => instant(new Date(text).getTime()),
})

export function dateOf(at: Instant): Date {
  const date = new Date(at)
  if (!Number.isNaN(date.getTime())) return date
  throw new StoreError('unexpected', `A time is no point in time (${at}), so nothing was stored.`)
}

const textAs = (toDriver: (text: string) => string) =>
  customType<{ data: string }>({ dataType: () => 'text', toDriver })

/**
 * An address, id or hash, exactly as it is: mended or cut it could become another's. Throws a `StoreError` where
 * PostgreSQL cannot keep it, or where it is empty.
 */
export const exact = textAs(exactText)

export function exactText(text: string): string {
  if (isExact(text)) return text
  throw new StoreError(
    'unexpected',
    'An address or id is empty, too long or not made of whole characters, so nothing was stored. Write it again.',
  )
}

export const isExact = (text: string): boolean => text !== '' && isStorable(text)

/** A text from a cluster or a person, mended and cut on its way in and wherever it is looked for. */
export const short = textAs(storableText)

/** A text that is in no index and may be as long as it likes. */
export const long = textAs(longText)
