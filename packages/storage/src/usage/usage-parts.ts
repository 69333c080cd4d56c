import type { Span } from '@septet/domain'

import type { Database } from '../connection.ts'
import type { Partitions } from './partitions.ts'
import type { Words } from './words.ts'

export type UsageParts = { readonly database: Database; readonly words: Words; readonly partitions: Partitions }

/**
 * A roll-up first removes what it made before and then makes it again, and rows are moved when an hour is packed. Rows that
 * are written meanwhile must not come in between: they share this lock, and whoever moves rows of the span takes it
 * alone. It ends with the transaction.
 */
export const LOCK_ROWS = {
  shared: 'select pg_advisory_xact_lock_shared($1, $2)',
  alone: 'select pg_advisory_xact_lock($1, $2)',
}
/** Any number that no other program uses for such locks on the same database; then the cluster and the span. */
export const rowsLock = (cluster: number, span: Span): number[] => [1_936_028_788, cluster * 3 + ORDER[span]]
const ORDER = { '1h': 0, '1d': 1, '5m': 2 } satisfies Record<Span, number>
