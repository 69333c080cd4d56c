import { openTokenReviewer, type ClusterAddress } from '@septet/connectors'
import type { SettingStore, TokenReviewer } from '@septet/domain'

import type { Config } from '../config.ts'
import { idOf } from './cluster-sources.ts'
import { addressOf } from './connect-cluster.ts'
import { readConnections, sourceOf, type Opening } from './stored-connections.ts'

type TokenReviewParts = Opening & {
  readonly configured: Config['cluster']
  /** Kubeconfig of the demo cluster, where it runs. */
  readonly demo: string | undefined
  readonly settings: SettingStore
}

/**
 * Finds who asks the API server of a cluster, by the connection that it has now; undefined where there is none, or an agent
 * reads the cluster. Throws what the store throws, and a `ConnectError` for credentials that cannot be used.
 */
export function openTokenReviews(parts: TokenReviewParts): (cluster: string) => Promise<TokenReviewer | undefined> {
  const opened = new Map<string, { readonly by: string; readonly reviewer: TokenReviewer }>()
  return async (cluster) => {
    const address = await addressFor(parts, cluster)
    const by = JSON.stringify(address)
    const known = opened.get(cluster)
    if (known !== undefined && known.by === by) return known.reviewer
    known?.reviewer.close()
    opened.delete(cluster)
    if (address === undefined) return undefined
    const reviewer = openTokenReviewer(address)
    opened.set(cluster, { by, reviewer })
    return reviewer
  }
}

/** Of clusters with one id the configured one is the one that is watched, then the demo cluster. */
async function addressFor(parts: TokenReviewParts, cluster: string): Promise<ClusterAddress | undefined> {
  const { configured, demo, settings } = parts
  if (configured !== undefined && idOf(configured.name) === cluster) return addressOf(configured)
  if (demo !== undefined && cluster === 'demo') return { path: demo }
  const { connections } = await readConnections(settings)
  const stored = connections.find(({ id }) => id === cluster)
  const source = stored && sourceOf(parts, stored)
  return source?.kind === 'cluster' ? addressOf(source.cluster) : undefined
}
