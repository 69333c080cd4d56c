import type { ClusterRecord, ClusterStore, Problem } from '@septet/domain'

import type { ClusterFacts, Facts } from '../facts.ts'
import type { PipelineHost } from './pipeline-host.ts'
import { brokenFacts, WatchedCluster, type Watchable, type WatchedParts } from './watched-cluster.ts'

/** The clusters that are shown now: those that this server watches or could, and others that it follows. They come and go. */
export type ClusterFleet = Facts & {
  /** Watches it, or follows the server that does. Throws what the pipeline throws when it cannot begin at all. */
  watch(wanted: Watchable, host?: PipelineHost): Promise<void>
  /** Shows what another server keeps of it. */
  follow(record: ClusterRecord): Promise<void>
  /** Shows a cluster that cannot be watched, with the reason. */
  showBroken(record: ClusterRecord, problem: Problem): void
  /** Watches a cluster by another connection, where it is another. It is shown as being connected meanwhile. */
  reconnect(wanted: Watchable): Promise<void>
  rename(record: ClusterRecord): Promise<void>
  /** Stops watching: what is not written yet is written first. */
  release(id: string): Promise<void>
  stop(): Promise<void>
}

export type FleetParts = WatchedParts & { readonly store: Pick<ClusterStore, 'upsert'> }

/** In the order in which they came; the demo cluster last. */
export function openClusterFleet({ store, ...parts }: FleetParts): ClusterFleet {
  const shown = new Map<string, Shown>()
  const all = (): readonly ClusterFacts[] => [...shown.values()].map((one) => one.facts())
  const watch: ClusterFleet['watch'] = async (wanted, host) => {
    const { record } = wanted
    await store.upsert(record)
    const one = new WatchedCluster(record, parts)
    await one.watch(wanted, host)
    // One that was shown as broken under this id, or was only followed, gives way.
    await shown.get(record.id)?.stop()
    shown.set(record.id, one)
  }
  return {
    watch,
    clusters: () => all().toSorted((a, b) => Number(a.record.kind === 'demo') - Number(b.record.kind === 'demo')),
    async follow(record) {
      const one = new WatchedCluster(record, parts)
      await one.follow()
      shown.set(record.id, one)
    },
    showBroken(record, problem) {
      const facts = brokenFacts(record, problem)
      shown.set(record.id, {
        facts: () => facts,
        rename: (renamed) => facts.rename(renamed),
        stop: async () => undefined,
      })
    },
    async reconnect(wanted) {
      const one = shown.get(wanted.record.id)
      if (one instanceof WatchedCluster && one.isWatchable()) await one.reconnect(wanted)
      else await watch(wanted)
    },
    async rename(record) {
      await store.upsert(record)
      shown.get(record.id)?.rename(record)
    },
    async release(id) {
      const one = shown.get(id)
      shown.delete(id)
      await one?.stop()
    },
    stop: async () => void (await Promise.all([...shown.values()].map((one) => one.stop()))),
  }
}

type Shown = Pick<WatchedCluster, 'facts' | 'rename' | 'stop'>
