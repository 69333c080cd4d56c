import type { Caller } from '../caller.ts'
import type { Facts } from '../facts.ts'
import { SAMPLE_ID } from './sample-source.ts'

/** What there is for one caller: their clusters and, unless it is kept from them, the sample data. */
export type VisibleFacts = Facts & {
  readonly sample: boolean
  /** Whether they may know of a cluster, also of one that is no longer watched. */
  mayKnow(cluster: string): boolean
}

/** Leaves out the clusters that a caller may not see: to them those do not exist. */
export function visibleFacts(facts: Facts, { clusters }: Pick<Caller, 'clusters'>): VisibleFacts {
  if (clusters === undefined) return { clusters: () => facts.clusters(), sample: true, mayKnow: () => true }
  const wanted = new Set(clusters)
  return {
    clusters: () => facts.clusters().filter(({ record }) => wanted.has(record.id)),
    sample: wanted.has(SAMPLE_ID),
    mayKnow: (cluster) => wanted.has(cluster),
  }
}
