import { percent } from '../words.ts'
import { ratio } from '../units.ts'
import type { PodId, ReservedCache, Workload } from './workload.ts'

/** Workloads with the cache of their fullest pod, where one has any. */
export const withCaches = (
  workloads: readonly Workload[],
  caches: ReadonlyMap<PodId, ReservedCache>,
): readonly Workload[] =>
  caches.size === 0
    ? workloads
    : workloads.map((workload) => {
        const [fullest] = workload.pods.flatMap((pod) => caches.get(pod) ?? []).toSorted((a, b) => b.peak - a.peak)
        return fullest === undefined ? workload : { ...workload, cache: fullest }
      })

/** From here on a cache is what the work needs. */
const FULL = ratio(0.9)

/**
 * Why the memory in use does not tell what a workload needs, as the rest of a sentence; undefined where it may. An engine
 * takes its memory when it starts, 90% of the GPU unless it is told otherwise, and never gives any back.
 */
export const whyReserved = ({ cache }: Pick<Workload, 'cache'>): string | undefined =>
  cache === undefined || cache.peak >= FULL
    ? undefined
    : `${cache.engine} reserves its memory for a KV cache, of which at most ${percent(cache.peak, 0)} was in use in the last ` +
      'week: memory in use is not what it needs. Let it reserve less, and measure again'
