import type {
  ClusterStore,
  PriceStore,
  ReadModelStore,
  RecommendationStore,
  SettingStore,
  SnapshotStore,
} from '@septet/domain'
import { and, asc, desc, eq, gt, max, sql, drizzle } from '../drizzle.ts'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'

import type { Database } from '../connection.ts'
import { clusters, dismissals, prices, readModel, recommendations, settings, snapshots } from '../schema.ts'
import { storableText } from '../usage/storable.ts'
import { postgresRecommendations } from './postgres-recommendations.ts'
import { clusterRow, priceRow, storableJson, toCluster, toPrice } from './record-rows.ts'
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

export function postgresRecords(database: Database): RecordStores {
  const tables: Tables = { database, db: drizzle(database.pool) }
  return {
    clusters: clusterTable(tables),
    snapshots: snapshotTable(tables),
    prices: priceTable(tables),
    readModels: readModelTable(tables),
    recommendations: postgresRecommendations(database, tables.db),
    settings: settingTable(tables),
  }
}

type Tables = { readonly database: Database; readonly db: NodePgDatabase }

function clusterTable({ database, db }: Tables): ClusterStore {
  return {
    upsert: (cluster) =>
      database.guard(async () => {
        const row = clusterRow(cluster)
        await db.insert(clusters).values(row).onConflictDoUpdate({ target: clusters.id, set: row })
      }),
    list: () =>
      database.guard(async () =>
        (
          await db
            .select()
            .from(clusters)
            .orderBy(asc(sql`${clusters.id} collate "C"`))
        ).map(toCluster),
      ),
    remove: (id) =>
      database.guard(() =>
        db.transaction(async (tx) => {
          const key = storableText(id)
          for (const table of [snapshots, readModel, recommendations, dismissals]) {
            await tx.delete(table).where(eq(table.cluster, key))
          }
          await tx.delete(clusters).where(eq(clusters.id, key))
        }),
      ),
  }
}

function snapshotTable({ database, db }: Tables): SnapshotStore {
  return {
    save: async (snapshot) => {
      const body = await encodeSnapshot(snapshot)
      const row = { cluster: storableText(snapshot.cluster), takenAt: new Date(snapshot.takenAt), body }
      await database.guard(() =>
        db.transaction(async (tx) => {
          await tx
            .insert(snapshots)
            .values(row)
            .onConflictDoUpdate({ target: [snapshots.cluster, snapshots.takenAt], set: { body } })
          await tx.execute(thin(row.cluster))
        }),
      )
    },
    latest: async (cluster) => {
      const found = await database.guard(() =>
        db
          .select({ body: snapshots.body })
          .from(snapshots)
          .where(eq(snapshots.cluster, storableText(cluster)))
          .orderBy(desc(snapshots.takenAt))
          .limit(1),
      )
      const body = found[0]?.body
      return body === undefined ? undefined : decodeSnapshot(body)
    },
  }
}

/** Keeps the newest snapshot and the last one of each hour of the day before it. */
const thin = (cluster: string) => sql`
  with kept as (
    select distinct on (date_bin('1 hour', taken_at, to_timestamp(0))) taken_at from snapshots
    where cluster = ${cluster}
      and taken_at > (select max(taken_at) - interval '1 day' from snapshots where cluster = ${cluster})
    order by date_bin('1 hour', taken_at, to_timestamp(0)), taken_at desc)
  delete from snapshots where cluster = ${cluster} and taken_at not in (select taken_at from kept)`

function priceTable({ database, db }: Tables): PriceStore {
  return {
    list: () =>
      database.guard(async () =>
        (
          await db
            .select()
            .from(prices)
            .orderBy(asc(sql`${prices.id} collate "C"`))
        ).map(toPrice),
      ),
    put: (entry) =>
      database.guard(async () => {
        const row = priceRow(entry)
        await db.insert(prices).values(row).onConflictDoUpdate({ target: prices.id, set: row })
      }),
    remove: (id) =>
      database.guard(async () => {
        await db.delete(prices).where(eq(prices.id, storableText(id)))
      }),
  }
}

function readModelTable({ database, db }: Tables): ReadModelStore {
  const { cluster: ofCluster, key: ofKey, version } = readModel
  return {
    write: (cluster, sections) =>
      database.guard(() =>
        db.transaction(async (tx) => {
          const own = storableText(cluster)
          for (const { key, version: written, bytes } of sections) {
            if (bytes === undefined) {
              await tx.delete(readModel).where(and(eq(ofCluster, own), eq(ofKey, key)))
              continue
            }
            const row = { cluster: own, key, version: written, bytes: Buffer.from(bytes) }
            await tx
              .insert(readModel)
              .values(row)
              .onConflictDoUpdate({ target: [ofCluster, ofKey], set: row })
          }
        }),
      ),
    read: (cluster, after) =>
      database.guard(() =>
        db
          .select({ key: ofKey, version, bytes: readModel.bytes })
          .from(readModel)
          .where(and(eq(ofCluster, storableText(cluster)), gt(version, after)))
          .orderBy(asc(version)),
      ),
    version: (cluster) =>
      database.guard(async () => {
        const found = await db
          .select({ newest: max(version) })
          .from(readModel)
          .where(eq(ofCluster, storableText(cluster)))
        return found[0]?.newest ?? undefined
      }),
    forget: (cluster) =>
      database.guard(async () => {
        await db.delete(readModel).where(eq(ofCluster, storableText(cluster)))
      }),
  }
}

function settingTable({ database, db }: Tables): SettingStore {
  return {
    get: (key) =>
      database.guard(async () => {
        const found = await db
          .select({ value: settings.value })
          .from(settings)
          .where(eq(settings.key, storableText(key)))
        return found[0]?.value
      }),
    put: (key, value) =>
      database.guard(async () => {
        const row = { key: storableText(key), value: storableJson(value) }
        await db.insert(settings).values(row).onConflictDoUpdate({ target: settings.key, set: row })
      }),
    replace: (key, before, value) =>
      database.guard(async () => {
        const row = { key: storableText(key), value: storableJson(value) }
        const written =
          before === undefined
            ? await db.insert(settings).values(row).onConflictDoNothing().returning({ key: settings.key })
            : await db
                .update(settings)
                .set(row)
                .where(
                  and(
                    eq(settings.key, row.key),
                    sql`${settings.value}::text = ${JSON.stringify(storableJson(before))}`,
                  ),
                )
                .returning({ key: settings.key })
        return written.length > 0
      }),
  }
}
