import { type RecommendationSet, type RecommendationStore, instant, type Dismissal } from '@septet/domain'
import { and, asc, eq, sql } from '../drizzle.ts'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Database } from '../connection.ts'
import { dismissals, recommendations } from '../schema.ts'
import { storableText } from '../usage/storable.ts'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** Level 1 off the main thread: plans repeat themselves and are replaced every minute. */
const encodeRecommendations = (set: RecommendationSet): Promise<Buffer> => compress(JSON.stringify(set), { level: 1 })

/** Only what `encodeRecommendations` made comes in here, so its shape is trusted. */
const decodeRecommendations = async (body: Buffer): Promise<RecommendationSet> =>
  JSON.parse((await expand(body)).toString('utf8'))

const dismissalRow = (dismissal: Dismissal): typeof dismissals.$inferSelect => ({
  cluster: storableText(dismissal.cluster),
  id: storableText(dismissal.id),
  reason: storableText(dismissal.reason),
  at: new Date(dismissal.at),
})

const toDismissal = (row: typeof dismissals.$inferSelect): Dismissal => ({
  ...row,
  at: instant(row.at.getTime()),
})

/**
 * One body per cluster, and one row per dismissal: a restart forgets neither. A body is megabytes to read and to unpack, and
 * is asked for with every summary: it is kept until its row is another one.
 */
export function postgresRecommendations(database: Database, db: NodePgDatabase): RecommendationStore {
  const kept = new Map<string, { readonly version: string; readonly set: RecommendationSet }>()
  return {
    replace: async (cluster, fresh) => {
      const body = await encodeRecommendations(fresh)
      const row = { cluster: storableText(cluster), madeAt: new Date(fresh.madeAt), body }
      await database.guard(async () => {
        await db
          .insert(recommendations)
          .values(row)
          .onConflictDoUpdate({ target: recommendations.cluster, set: { madeAt: row.madeAt, body } })
      })
    },
    current: async (cluster) => {
      const known = kept.get(cluster)
      // The body only where the row was written since: `xmin` is the transaction that did.
      const isNew = sql`xmin::text <> ${known?.version ?? ''}`
      const [row] = await database.guard(() =>
        db
          .select({
            version: sql<string>`xmin::text`,
            body: sql<Buffer | null>`case when ${isNew} then ${recommendations.body} end`,
          })
          .from(recommendations)
          .where(eq(recommendations.cluster, storableText(cluster))),
      )
      if (row === undefined) {
        kept.delete(cluster)
        return undefined
      }
      if (row.body === null) return known?.set
      const set = await decodeRecommendations(row.body)
      kept.set(cluster, { version: row.version, set })
      return set
    },
    dismiss: (dismissal) =>
      database.guard(async () => {
        const row = dismissalRow(dismissal)
        await db
          .insert(dismissals)
          .values(row)
          .onConflictDoUpdate({ target: [dismissals.cluster, dismissals.id], set: row })
      }),
    restore: (cluster, id) =>
      database.guard(async () => {
        const isIt = and(eq(dismissals.cluster, storableText(cluster)), eq(dismissals.id, storableText(id)))
        await db.delete(dismissals).where(isIt)
      }),
    dismissals: (cluster) =>
      database.guard(async () => {
        const rows = await db
          .select()
          .from(dismissals)
          .where(eq(dismissals.cluster, storableText(cluster)))
          .orderBy(asc(sql`${dismissals.id} collate "C"`))
        return rows.map(toDismissal)
      }),
  }
}
