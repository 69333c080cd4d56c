import {
  instant,
  isWaitCause,
  type PastWait,
  type PastWaitQuery,
  type WaitQuery,
  type WaitStore,
  type WaitStretch,
  type WaitTotal,
} from '@septet/domain'
import { and, desc, eq, lt, sql } from '../drizzle.ts'

import type { AccessTables } from '../access/access-tables.ts'
import type { Database } from '../connection.ts'
import { rowsByColumn } from '../rows-by-column.ts'
import { waits } from '../schema.ts'
import { storableText } from '../usage/storable.ts'

/** Stretches of waiting, one row each. */
export function postgresWaits(database: Database, { db, run, all, count }: AccessTables): WaitStore {
  const { cluster: ofCluster, waiter, from, to } = waits
  return {
    write: async (cluster, stretches) => {
      if (stretches.length === 0) return
      const rows = stretches.map((stretch) => stretchRow(cluster, stretch))
      await run(() =>
        db
          .insert(waits)
          .select(rowsByColumn(waits, rows))
          .onConflictDoUpdate({ target: [ofCluster, waiter, from], set: CHANGED }),
      )
    },
    // One parameter for all of them: a large cluster has more pods than a statement may have parameters.
    last: (cluster, waiters) =>
      all(toStretch, () =>
        db
          .selectDistinctOn([waiter])
          .from(waits)
          .where(and(eq(ofCluster, cluster), sql`${waiter} = any(${sql.param(waiters.map(storableText))}::text[])`))
          .orderBy(waiter, desc(from)),
      ),
    past: async (query) => (await database.query<Past>(PAST, askedPast(query))).map(toPast),
    totals: async (query) => (await database.query<Totals>(TOTALS, asked(query))).map(toTotal),
    prune: (before) => count(() => db.delete(waits).where(lt(to, before))),
    forget: (cluster) => run(() => db.delete(waits).where(eq(ofCluster, cluster))),
  }
}

type Row = typeof waits.$inferSelect

/** What of a stretch may change once it is written. */
const CHANGED = {
  to: sql`excluded.ends`,
  cause: sql`excluded.cause`,
  asks: sql`excluded.asks`,
  gpus: sql`excluded.gpus`,
  kinds: sql`excluded.kinds`,
  changeKind: sql`excluded.change_kind`,
  change: sql`excluded.change`,
  over: sql`excluded.over`,
}

const stretchRow = (cluster: string, { change, ...stretch }: WaitStretch): typeof waits.$inferInsert => ({
  ...stretch,
  cluster,
  kinds: JSON.stringify(stretch.kinds),
  changeKind: change?.kind,
  change: change?.sentence,
})

const toStretch = (row: Row): WaitStretch => ({
  waiter: row.waiter,
  from: instant(row.from),
  to: instant(row.to),
  over: row.over,
  ...toParts(row),
})

type Parts = Omit<Row, 'cluster' | 'waiter' | 'from' | 'to' | 'over'>

const toParts = (row: Parts): Omit<WaitStretch, 'waiter' | 'from' | 'to' | 'over'> => ({
  namespace: row.namespace,
  workload: row.workload,
  cause: isWaitCause(row.cause) ? row.cause : 'not-told',
  asks: row.asks,
  gpus: row.gpus ?? undefined,
  // Written by `stretchRow`, so its shape is known.
  kinds: JSON.parse(row.kinds),
  change: row.changeKind === null || row.change === null ? undefined : { kind: row.changeKind, sentence: row.change },
})

type Past = { namespace: string; asks: string; begins: number; ends: number; over: boolean }

// A waiter that was held back again waits again, in stretches after the one that ended.
const PAST = `
  select namespace, asks, min(begins)::float8 as begins, max(ends)::float8 as ends, bool_or(over) as over
  from (
    select *, count(*) filter (where over) over (
      partition by waiter order by begins rows between unbounded preceding and 1 preceding) as turn
    from waits
    where cluster = $1 and ends > $2 and begins < $3 and asks = $4 and ($5::text[] is null or namespace = any($5))
  ) stretches
  group by namespace, asks, waiter, turn order by max(ends) desc, waiter limit $6`

const askedPast = ({ cluster, window, asks, namespaces, limit }: PastWaitQuery): readonly unknown[] => [
  storableText(cluster),
  Math.ceil(window.from),
  Math.floor(window.to),
  storableText(asks),
  namespaces?.filter((name) => name !== '').map(storableText) ?? null,
  limit,
]

const toPast = ({ namespace, asks, begins, ends, over }: Past): PastWait => ({
  namespace,
  asks,
  from: instant(begins),
  to: instant(ends),
  over,
})

type Totals = Parts & { ms: number; waiters: number; last: number }

const PARTS = 'namespace, workload, cause, asks, gpus, kinds, change_kind, change'
const TOTALS = `
  select namespace, workload, cause, asks, gpus, kinds, change_kind as "changeKind", change,
    sum(least(ends, $3) - greatest(begins, $2))::float8 as ms,
    count(distinct waiter)::int as waiters, max(least(ends, $3))::float8 as last
  from waits
  where cluster = $1 and ends > $2 and begins < $3
    and ($4::text[] is null or workload = any($4)) and ($5::text[] is null or namespace = any($5))
  group by ${PARTS} order by ${PARTS}`

/** An empty namespace is none: nobody can ask for that. */
const asked = ({ cluster, window, workloads, namespaces }: WaitQuery): readonly unknown[] => [
  storableText(cluster),
  Math.ceil(window.from),
  Math.floor(window.to),
  workloads?.map(storableText) ?? null,
  namespaces?.filter((name) => name !== '').map(storableText) ?? null,
]

const toTotal = ({ ms, waiters, last, ...parts }: Totals): WaitTotal => ({
  ...toParts(parts),
  seconds: ms / 1000,
  waiters,
  lastAt: instant(last),
})
