import type { Instant, Window } from '../units.ts'
import type { Span } from './usage.ts'

/** A stretch of time with about so many rows, and the bytes that they take with their indexes. */
export type StoredPart = Window & { readonly rows: number; readonly bytes: number }
export type StoredUsage = Readonly<Record<Span, readonly StoredPart[]>>
export type StoredSum = { readonly rows: number; readonly bytes: number }

/**
 * What goes when rows are kept for so many days: the parts that end before the one which holds the oldest moment to be
 * kept begins. The same rule as the store's own.
 */
export function droppedBy(parts: readonly StoredPart[], days: number, now: Instant): StoredSum {
  const oldest = now - days * 86_400_000
  return sumOf(parts.filter(({ to }) => to <= oldest))
}

/** Rows and bytes of all parts together. */
export const sumOf = (parts: readonly StoredPart[]): StoredSum =>
  parts.reduce((sum, part) => ({ rows: sum.rows + part.rows, bytes: sum.bytes + part.bytes }), { rows: 0, bytes: 0 })
