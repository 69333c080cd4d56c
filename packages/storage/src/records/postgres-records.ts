import {
  instant,
  type ClusterStore,
  type PriceStore,
  type ReadModelStore,
  type RecommendationStore,
  type SettingStore,
  type SnapshotStore,
} from '@septet/domain'

import { byText, type AccessTables } from '../access/access-tables.ts'
import { and, asc, desc, eq, gt, max, sql } from '../drizzle.ts'
import { known, rowOf, storableJson } from '../rows.ts'
import { clusters, dismissals, prices, readModel, recommendations, settings, snapshots } from '../schema.ts'
import { storableText } from '../usage/storable.ts'
import { postgresRecommendations } from './postgres-recommendations.ts'
import { decodeSnapshot, encodeSnapshot } from './snapshot-codec.ts'

/** The small tables: everything but usage. */
export type RecordStores = {
  readonly clusters: ClusterStore
  readonly snapshots: SnapshotStore
  readonly prices: PriceStore
  readonly readModels: ReadModelStore
  readonly recommendations: RecommendationStore
  readonly settings: SettingStore
}

export const postgresRecords = (tables: AccessTables): RecordStores => ({
  clusters: clusterTable(tables),
  snapshots: snapshotTable(tables),
  prices: priceTable(tables),
  readModels: readModelTable(tables),
  recommendations: postgresRecommendations(tables),
  settings: settingTable(tables),
})

function clusterTable({ db, guard, all, run }: AccessTables): ClusterStore {
  return {
    upsert: (cluster) =>
      run(() => db.insert(clusters).values(cluster).onConflictDoUpdate({ target: clusters.id, set: cluster })),
    list: () =>
      all(known, () =>
        db
          .select()
          .from(clusters)
          .orderBy(asc(byText(clusters.id))),
      ),
    remove: (id) =>
      guard(() =>
        db.transaction(async (tx) => {
          for (const table of [snapshots, readModel, recommendations, dismissals]) {
            await tx.delete(table).where(eq(table.cluster, id))
          }
          await tx.delete(clusters).where(eq(clusters.id, id))
        }),
      ),
  }
}

function snapshotTable({ db, guard }: AccessTables): SnapshotStore {
  return {
    save: async (snapshot) => {
      const { cluster, takenAt } = snapshot
      const body = await encodeSnapshot(snapshot)
      await guard(() =>
        db.transaction(async (tx) => {
          const isOfFuture = gt(snapshots.takenAt, instant(takenAt + OUT_OF_ORDER_MS))
          await tx.delete(snapshots).where(and(eq(snapshots.cluster, cluster), isOfFuture))
          await tx
            .insert(snapshots)
            .values({ cluster, takenAt, body })
            .onConflictDoUpdate({ target: [snapshots.cluster, snapshots.takenAt], set: { body } })
          await tx.execute(thin(storableText(cluster)))
        }),
      )
    },
    latest: async (cluster) => {
      const found = await guard(() =>
        db
          .select({ body: snapshots.body })
          .from(snapshots)
          .where(eq(snapshots.cluster, cluster))
          .orderBy(desc(snapshots.takenAt))
          .limit(1),
      )
      const body = found[0]?.body
      return body === undefined ? undefined : decodeSnapshot(body)
    },
  }
}

/** Snapshots may come in another order than they were taken in. One that is of later than this is by a clock that was wrong. */
const OUT_OF_ORDER_MS = 300_000

/** Keeps the newest snapshot and the last one of each hour of the day before it. */
const thin = (cluster: string) => sql`
  with kept as (
    select distinct on (date_bin('1 hour', taken_at, to_timestamp(0))) taken_at from snapshots
    where cluster = ${cluster}
      and taken_at > (select max(taken_at) - interval '1 day' from snapshots where cluster = ${cluster})
    order by date_bin('1 hour', taken_at, to_timestamp(0)), taken_at desc)
  delete from snapshots where cluster = ${cluster} and taken_at not in (select taken_at from kept)`

function priceTable({ db, all, run }: AccessTables): PriceStore {
  return {
    list: () =>
      all(known, () =>
        db
          .select()
          .from(prices)
          .orderBy(asc(byText(prices.id))),
      ),
    put: (entry) =>
      run(() => {
        const row = rowOf(prices, entry)
        return db.insert(prices).values(row).onConflictDoUpdate({ target: prices.id, set: row })
      }),
    remove: (id) => run(() => db.delete(prices).where(eq(prices.id, id))),
  }
}

function readModelTable({ db, guard, run }: AccessTables): ReadModelStore {
  const { cluster: ofCluster, key: ofKey, version } = readModel
  return {
    write: (cluster, sections) =>
      guard(() =>
        db.transaction(async (tx) => {
          for (const { key, version: written, bytes } of sections) {
            if (bytes === undefined) {
              await tx.delete(readModel).where(and(eq(ofCluster, cluster), eq(ofKey, key)))
              continue
            }
            const row = { cluster, key, version: written, bytes: Buffer.from(bytes) }
            await tx
              .insert(readModel)
              .values(row)
              .onConflictDoUpdate({ target: [ofCluster, ofKey], set: row })
          }
        }),
      ),
    read: (cluster, after) =>
      guard(() =>
        db
          .select({ key: ofKey, version, bytes: readModel.bytes })
          .from(readModel)
          .where(and(eq(ofCluster, cluster), gt(version, after)))
          .orderBy(asc(version)),
      ),
    version: (cluster) =>
      guard(async () => {
        const found = await db
          .select({ newest: max(version) })
          .from(readModel)
          .where(eq(ofCluster, cluster))
        return found[0]?.newest ?? undefined
      }),
    forget: (cluster) => run(() => db.delete(readModel).where(eq(ofCluster, cluster))),
  }
}

function settingTable({ db, guard, run, finds }: AccessTables): SettingStore {
  return {
    get: (key) =>
      guard(async () => {
        const found = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, key))
        return found[0]?.value
      }),
    put: (key, value) =>
      run(() => {
        const row = rowOf(settings, { key, value })
        return db.insert(settings).values(row).onConflictDoUpdate({ target: settings.key, set: row })
      }),
    replace: (key, before, value) =>
      finds(() => {
        const row = rowOf(settings, { key, value })
        if (before === undefined) return db.insert(settings).values(row).onConflictDoNothing()
        const isAsBefore = sql`${settings.value}::text = ${JSON.stringify(storableJson(before))}`
        return db
          .update(settings)
          .set(row)
          .where(and(eq(settings.key, key), isAsBefore))
      }),
  }
}
