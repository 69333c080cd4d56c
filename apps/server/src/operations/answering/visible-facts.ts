import type { Caller } from '@septet/domain'
import type { ClusterFacts, Facts } from '../../facts.ts'
import { factsOfNamespaces } from './namespace-facts.ts'
import { SAMPLE_ID } from './sample-source.ts'

/** What there is for one caller: their clusters and, unless it is kept from them, the sample data. */
export type VisibleFacts = Facts & {
  readonly sample: boolean
  /** Whether they may know of a cluster, also of one that is no longer watched. */
  mayKnow(cluster: string): boolean
}

/**
 * Leaves out the clusters that a caller may not see: to them those do not exist. Where they are limited to namespaces,
 * nothing else is in the ones that are left.
 */
export function visibleFacts(
  facts: Facts,
  { clusters, namespaces }: Pick<Caller, 'clusters' | 'namespaces'>,
): VisibleFacts {
  const known = (): readonly ClusterFacts[] =>
    namespaces === undefined ? facts.clusters() : facts.clusters().map((one) => factsOfNamespaces(one, namespaces))
  if (clusters === undefined) return { clusters: known, sample: true, mayKnow: () => true }
  const wanted = new Set(clusters)
  return {
    clusters: () => known().filter(({ record }) => wanted.has(record.id)),
    sample: wanted.has(SAMPLE_ID),
    mayKnow: (cluster) => wanted.has(cluster),
  }
}
