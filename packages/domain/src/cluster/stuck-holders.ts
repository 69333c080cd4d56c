import { duration, firstFew, plural } from '../words.ts'
import { HOUR_MS, type Instant } from '../units.ts'
import type { Problem } from './node.ts'
import type { Pod } from './workload.ts'

/** A pod that starts may pull a large image, and one that stops may save its work. */
const LEAST_MS = HOUR_MS

/** Pods that hold what they ask for and do no work, as they cannot start or do not end: one problem for all of them. */
export function stuckHolders(pods: readonly Pod[], now: Instant): readonly Problem[] {
  const stuck = pods.flatMap(({ id, stuck: at }) =>
    at !== undefined && now - at.since >= LEAST_MS ? [{ id, ...at }] : [],
  )
  if (stuck.length === 0) return []
  const named = stuck
    .toSorted((a, b) => a.since - b.since)
    .map(({ id, since, because }) => `${id} (${because} for ${duration((now - since) / 1000)})`)
  const message = `${plural(stuck.length, 'pod holds GPUs and does not run', 'pods hold GPUs and do not run')}: ${firstFew(named, 3)}. No one else gets these GPUs meanwhile. Correct what keeps them from starting or ending, or delete them.`
  return [{ code: 'holder-not-running', message, object: 'pods' }]
}
