import { compareText, type ClusterRecord, type PriceEntry } from '@septet/domain'

import { storableText } from '../usage/storable.ts'
import { memoryReadModels } from './memory-read-models.ts'
import { memoryRecommendations } from './memory-recommendations.ts'
import type { RecordStores } from './postgres-records.ts'
import { clusterRow, priceRow, storableJson, toCluster, toPrice } from './record-rows.ts'
import { decodeSnapshot, encodeSnapshot } from './snapshot-codec.ts'

/** The twin of `postgresRecords`, in memory. What goes in is copied, so nobody changes it afterwards. */
export function memoryRecords(): RecordStores {
  const clusters = new Map<string, ClusterRecord>()
  const prices = new Map<string, PriceEntry>()
  const readModels = memoryReadModels()
  const settings = new Map<string, unknown>()
  const recommendations = memoryRecommendations()
  const snapshots = new Map<string, { takenAt: number; body: Buffer }>()

  return {
    clusters: {
      upsert: async (cluster) => void clusters.set(storableText(cluster.id), toCluster({ ...clusterRow(cluster) })),
      list: async () => byId(clusters.values()),
      remove: async (id) => {
        const key = storableText(id)
        for (const kept of [clusters, snapshots]) kept.delete(key)
        readModels.forget(key)
        recommendations.forget(key)
      },
    },
    snapshots: {
      save: async (snapshot) => {
        const key = storableText(snapshot.cluster)
        const body = await encodeSnapshot(snapshot)
        if (snapshot.takenAt >= (snapshots.get(key)?.takenAt ?? -Infinity)) {
          snapshots.set(key, { takenAt: snapshot.takenAt, body })
        }
      },
      latest: async (cluster) => {
        const found = snapshots.get(storableText(cluster))
        return found === undefined ? undefined : decodeSnapshot(found.body)
      },
    },
    prices: {
      list: async () => byId(prices.values()),
      put: async (entry) => void prices.set(storableText(entry.id), toPrice(priceRow(entry))),
      remove: async (id) => void prices.delete(storableText(id)),
    },
    readModels: readModels.store,
    recommendations: recommendations.store,
    settings: {
      get: async (key) => {
        const found = settings.get(storableText(key))
        return found === undefined ? undefined : storableJson(found)
      },
      put: async (key, value) => void settings.set(storableText(key), storableJson(value)),
    },
  }
}

const byId = <Row extends { id: string }>(rows: Iterable<Row>): Row[] =>
  [...rows].toSorted((a, b) => compareText(a.id, b.id))
