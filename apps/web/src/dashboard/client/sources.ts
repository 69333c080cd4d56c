import type { Answer } from '../../api.ts'

export type Cluster = Answer<'clustersList'>['clusters'][number]

/** What is chosen: the one the address names, else the first, as the server does. */
export const chosenCluster = (
  clusters: readonly Cluster[] | undefined,
  wanted: string | undefined,
): Cluster | undefined => (wanted === undefined ? clusters?.[0] : clusters?.find((cluster) => cluster.id === wanted))

/** What kind of source it is, in words that leave no doubt. */
export const SOURCE_KIND_WORDS = {
  cluster: 'connected cluster',
  demo: 'made-up cluster, real pipeline',
  sample: 'fixed figures',
} satisfies Record<Cluster['kind'], string>

/** The state of the connection between Septet and the cluster. */
export const STATE_WORDS = {
  connecting: 'connecting',
  connected: 'connected',
  disconnected: 'disconnected',
  'not-live': 'not live',
} satisfies Record<Cluster['state'], string>

/** How far the reading of past usage is; undefined when there is nothing left to read. */
export function historyWords(cluster: Cluster | undefined): string | undefined {
  const history = cluster?.history
  if (history == null || history.done >= history.of) return undefined
  return `${history.detail}: ${history.done} of ${history.of}.`
}
