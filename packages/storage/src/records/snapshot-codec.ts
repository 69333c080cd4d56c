import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

import type { ClusterSnapshot } from '@septet/domain'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** Level 1 off the main thread: snapshots are written often and read seldom. */
export const encodeSnapshot = (snapshot: ClusterSnapshot): Promise<Buffer> =>
  compress(JSON.stringify(snapshot), { level: 1 })

/** Only what `encodeSnapshot` made comes in here, so its shape is trusted. */
export async function decodeSnapshot(body: Buffer): Promise<ClusterSnapshot> {
  return JSON.parse((await expand(body)).toString('utf8'))
}
