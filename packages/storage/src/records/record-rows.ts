import { instant, usdPerGpuHour, type ClusterRecord, type Finding, type PriceEntry } from '@septet/domain'

import { clusters, findings, prices } from '../schema.ts'
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
})

export const findingRow = (finding: Finding): typeof findings.$inferSelect => ({
  cluster: storableText(finding.cluster),
  id: storableText(finding.id),
  kind: storableText(finding.kind),
  object: storableText(finding.object),
  message: longText(finding.message),
  foundAt: new Date(finding.foundAt),
  gpuHours: finding.gpuHours ?? null,
  costPerMonth: finding.costPerMonth ?? null,
  evidence: storableJson(finding.evidence),
})

export const toFinding = (row: typeof findings.$inferSelect): Finding => ({
  id: row.id,
  cluster: row.cluster,
  kind: row.kind,
  object: row.object,
  message: row.message,
  foundAt: instant(row.foundAt.getTime()),
  gpuHours: row.gpuHours ?? undefined,
  costPerMonth: row.costPerMonth ?? undefined,
  evidence: row.evidence,
})

/** A copy that has been through JSON: what both stores give back, and nobody else holds. */
export function storableJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value ?? null))
}

const optionalText = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : storableText(text)

/** Like `storableText`, for what is in no index and may be as long as it likes. */
export const longText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')
