import { instant, usdPerGpuHour, type ClusterRecord, type PriceEntry } from '@septet/domain'

import { clusters, prices } from '../schema.ts'
import { storableText } from '../usage/storable.ts'

/** Between what the domain knows and what a table row holds. Texts from a cluster are made storable on the way in. */

export const clusterRow = (cluster: ClusterRecord): typeof clusters.$inferInsert => ({
  id: storableText(cluster.id),
  name: storableText(cluster.name),
  kind: cluster.kind,
  createdAt: new Date(cluster.createdAt),
})

export const toCluster = (row: typeof clusters.$inferSelect): ClusterRecord => ({
  ...row,
  createdAt: instant(row.createdAt.getTime()),
})

export const priceRow = (entry: PriceEntry): typeof prices.$inferInsert & typeof prices.$inferSelect => ({
  id: storableText(entry.id),
  cluster: optionalText(entry.cluster) ?? null,
  pool: optionalText(entry.pool) ?? null,
  model: optionalText(entry.model) ?? null,
  price: entry.price,
  source: storableText(entry.source),
  asOf: new Date(entry.asOf),
  origin: entry.origin,
  instanceType: optionalText(entry.instanceType) ?? null,
  region: optionalText(entry.region) ?? null,
  capacity: entry.capacity ?? null,
  effectiveFrom: entry.effectiveFrom === undefined ? null : new Date(entry.effectiveFrom),
  owned: entry.owned ?? null,
})

export const toPrice = (row: typeof prices.$inferSelect): PriceEntry => ({
  id: row.id,
  cluster: row.cluster ?? undefined,
  pool: row.pool ?? undefined,
  model: row.model ?? undefined,
  price: usdPerGpuHour(row.price),
  source: row.source,
  asOf: instant(row.asOf.getTime()),
  origin: row.origin,
  ...(row.instanceType === null ? {} : { instanceType: row.instanceType }),
  ...(row.region === null ? {} : { region: row.region }),
  ...(row.capacity === null ? {} : { capacity: row.capacity }),
  ...(row.effectiveFrom === null ? {} : { effectiveFrom: instant(row.effectiveFrom.getTime()) }),
  ...(row.owned === null ? {} : { owned: row.owned }),
})

/** A copy that has been through JSON: what is given back, and nobody else holds. */
export function storableJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value ?? null))
}

const optionalText = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : storableText(text)

/** Like `storableText`, for what is in no index and may be as long as it likes. */
export const longText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')
