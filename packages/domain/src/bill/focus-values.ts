import type { FocusRecord } from './focus-line.ts'

/** A charge whose columns hold values, as Parquet does, as the texts that CSV has: times as ISO 8601, maps as JSON. */
export const recordOfValues = (row: Readonly<Record<string, unknown>>): FocusRecord =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, textOf(value)]))

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  const text = JSON.stringify(value)
  // A date is its own JSON, in quotes.
  return text.startsWith('"') ? text.slice(1, -1) : text
}
