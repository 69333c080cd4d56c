import { instant, ratio, seconds, type UsageRow } from '@septet/domain'

import { StoreError } from '../store-error.ts'
import { NUMBER_FIELDS, REQUIRED_FIELDS, WORD_FIELDS } from './columns.ts'

const LONGEST_TEXT = 500

/**
 * The text as PostgreSQL can keep it: no zero character, no half surrogate, and short enough for an index entry.
 * Kubernetes names and labels have at most 253 characters; only hostile input is longer.
 */
export const storableText = (text: string): string =>
  isStorable(text) ? text : text.slice(0, LONGEST_TEXT).toWellFormed().replaceAll('\0', '\uFFFD')

/** Like `storableText`, for what is in no index and may be as long as it likes. */
export const longText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

export const isStorable = (text: string): boolean =>
  text.length <= LONGEST_TEXT && !text.includes('\0') && text.isWellFormed()

/**
 * The row as it is kept. A value that is there but is not a finite number counts as unknown; a row whose time or
 * seconds are not numbers is a fault of the caller and throws.
 */
function storableRow(row: UsageRow): UsageRow {
  return isStorableRow(row) ? row : mended(row)
}

/** Nearly every row is kept as it is; then nothing is copied. */
const isStorableRow = (row: UsageRow): boolean =>
  WORD_FIELDS.every((field) => isStorable(row[field] ?? '')) &&
  NUMBER_FIELDS.every((field) => row[field] === undefined || isExact(row[field])) &&
  isExact(row.at) &&
  REQUIRED_FIELDS.every((field) => isExact(row[field]))

function mended(row: UsageRow): UsageRow {
  const kept: Record<string, unknown> = {}
  for (const field of WORD_FIELDS) {
    const text = row[field]
    kept[field] = text === undefined ? undefined : storableText(text)
  }
  for (const field of NUMBER_FIELDS) kept[field] = finite(row[field])
  return {
    ...row,
    ...kept,
    at: instant(required(row.at, 'at')),
    share: ratio(required(row.share, 'share')),
    present: seconds(required(row.present, 'present')),
    measured: seconds(required(row.measured, 'measured')),
    idle: seconds(required(row.idle, 'idle')),
    oversized: seconds(required(row.oversized, 'oversized')),
  }
}

// PostgreSQL refuses a product that is too small to be told from 0 instead of rounding it (float8 underflow). Sums are
// made of products of three values, so nothing under the cube root of the smallest number is kept apart from 0.
const SMALLEST = 1e-100
const isExact = (value: number): boolean => Number.isFinite(value) && (value === 0 || Math.abs(value) >= SMALLEST)
const rounded = (value: number): number => (Math.abs(value) < SMALLEST ? 0 : value)

const finite = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isFinite(value) ? rounded(value) : undefined

function required(value: number, field: string): number {
  if (Number.isFinite(value)) return rounded(value)
  throw new StoreError('unexpected', `A usage row has no ${field} (${value}), so its batch was not stored.`)
}

/** One text per span, bucket and `KEY_FIELDS`. */
const rowKey = (row: UsageRow): string =>
  [row.span, row.at, row.partition, row.namespace, row.pod, row.kind].join('\u0001')

/** The batch as it is kept: of rows with one key the last one counts. */
export function storableRows(rows: readonly UsageRow[]): UsageRow[] {
  const byKey = new Map<string, UsageRow>()
  for (const row of rows) {
    const kept = storableRow(row)
    byKey.set(rowKey(kept), kept)
  }
  return [...byKey.values()]
}
