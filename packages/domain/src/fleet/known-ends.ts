import type { Pod } from '../cluster/workload.ts'
import { instant, seconds, type Instant, type Seconds } from '../units.ts'

/**
 * The kubelet counts from when it first saw a pod and looks at its deadline once in a while, so a pod may hold its GPU for
 * so much longer than its limit says.
 */
const LATE = seconds(60)

/** When a pod is gone for sure; undefined: nothing says when. A forecast is not asked: hope holds no appointment. */
export function knownEnd({ endsBy, startedAt }: Pod, longest: Seconds | undefined): Instant | undefined {
  const own = endsBy === undefined ? Infinity : endsBy
  const all = longest === undefined || startedAt === undefined ? Infinity : startedAt + longest * 1000
  const end = Math.min(own, all) + LATE * 1000
  return Number.isFinite(end) ? instant(end) : undefined
}

/** The last moment at which work that says how long it may run, its stopping included, is gone before an instant. */
export const lastStart = (at: Instant, runsAtMost: Seconds): Instant => instant(at - (runsAtMost + LATE) * 1000)
