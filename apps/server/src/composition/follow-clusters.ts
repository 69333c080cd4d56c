import type { Log, Store } from '@septet/domain'

import { repeat } from '../pipeline/repeat.ts'
import type { ClusterFleet } from './cluster-fleet.ts'

type Parts = {
  readonly store: Pick<Store, 'clusters' | 'readModels'>
  readonly fleet: ClusterFleet
  readonly log: Log
}

const LOOK_MS = 5000

/** Shows the clusters that another Septet watches, as they come and go. Resolves after the first look. */
export async function followClusters({ store, fleet, log }: Parts): Promise<{ stop(): Promise<void> }> {
  const look = async (): Promise<void> => {
    const shown = new Set(fleet.clusters().map(({ record }) => record.id))
    const known = await store.clusters.list()
    for (const record of known) {
      // One that is watched no more has figures only, and no read model.
      const isWatched = !shown.has(record.id) && (await store.readModels.version(record.id)) !== undefined
      if (isWatched) await fleet.watch({ record, source: { kind: 'store' } })
    }
    const there = new Set(known.map(({ id }) => id))
    for (const id of shown) if (!there.has(id)) await fleet.release(id)
  }
  await look()
  return repeat(look, {
    everyMs: LOOK_MS,
    startMs: LOOK_MS,
    onError: (error) => log.warn('the clusters could not be listed', { error: String(error) }),
  })
}
