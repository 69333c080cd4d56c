import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

import { instant, type Dismissal, type RecommendationSet } from '@septet/domain'

import type { dismissals } from '../schema.ts'
import { storableText } from '../usage/storable.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** Level 1 off the main thread: plans repeat themselves and are replaced every minute. */
export const encodeRecommendations = (set: RecommendationSet): Promise<Buffer> =>
  compress(JSON.stringify(set), { level: 1 })

/** Only what `encodeRecommendations` made comes in here, so its shape is trusted. */
export const decodeRecommendations = async (body: Buffer): Promise<RecommendationSet> =>
  JSON.parse((await expand(body)).toString('utf8'))

export const dismissalRow = (dismissal: Dismissal): typeof dismissals.$inferSelect => ({
  cluster: storableText(dismissal.cluster),
  id: storableText(dismissal.id),
  reason: storableText(dismissal.reason),
  at: new Date(dismissal.at),
})

export const toDismissal = (row: typeof dismissals.$inferSelect): Dismissal => ({
  ...row,
  at: instant(row.at.getTime()),
})
