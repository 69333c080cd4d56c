import type { RecommendationSet, RecommendationStore } from '@septet/domain'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

import { byText, type AccessTables } from '../access/access-tables.ts'
import { and, asc, eq, sql } from '../drizzle.ts'
import { known } from '../rows.ts'
import { dismissals, recommendations } from '../schema.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** Level 1 off the main thread: plans repeat themselves and are replaced every minute. */
const encodeRecommendations = (set: RecommendationSet): Promise<Buffer> => compress(JSON.stringify(set), { level: 1 })

/** Only what `encodeRecommendations` made comes in here, so its shape is trusted. */
const decodeRecommendations = async (body: Buffer): Promise<RecommendationSet> =>
  JSON.parse((await expand(body)).toString('utf8'))

/**
 * One body per cluster, and one row per dismissal: a restart forgets neither. A body is megabytes to read and to unpack, and
 * is asked for with every summary: it is kept until its row is another one.
 */
export function postgresRecommendations({ db, guard, all, run }: AccessTables): RecommendationStore {
  const kept = new Map<string, { readonly version: string; readonly set: RecommendationSet }>()
  return {
    replace: async (cluster, fresh) => {
      const body = await encodeRecommendations(fresh)
      const { madeAt } = fresh
      await run(() =>
        db
          .insert(recommendations)
          .values({ cluster, madeAt, body })
          .onConflictDoUpdate({ target: recommendations.cluster, set: { madeAt, body } }),
      )
    },
    current: async (cluster) => {
      const before = kept.get(cluster)
      // The body only where the row was written since: `xmin` is the transaction that did.
      const isNew = sql`xmin::text <> ${before?.version ?? ''}`
      const [row] = await guard(() =>
        db
          .select({
            version: sql<string>`xmin::text`,
            body: sql<Buffer | null>`case when ${isNew} then ${recommendations.body} end`,
          })
          .from(recommendations)
          .where(eq(recommendations.cluster, cluster)),
      )
      if (row === undefined) {
        kept.delete(cluster)
        return undefined
      }
      if (row.body === null) return before?.set
      const set = await decodeRecommendations(row.body)
      kept.set(cluster, { version: row.version, set })
      return set
    },
    dismiss: (dismissal) =>
      run(() =>
        db
          .insert(dismissals)
          .values(dismissal)
          .onConflictDoUpdate({ target: [dismissals.cluster, dismissals.id], set: dismissal }),
      ),
    restore: (cluster, id) =>
      run(() => db.delete(dismissals).where(and(eq(dismissals.cluster, cluster), eq(dismissals.id, id)))),
    dismissals: (cluster) =>
      all(known, () =>
        db
          .select()
          .from(dismissals)
          .where(eq(dismissals.cluster, cluster))
          .orderBy(asc(byText(dismissals.id))),
      ),
  }
}
