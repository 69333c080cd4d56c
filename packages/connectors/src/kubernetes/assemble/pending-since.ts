import { instant, type Instant } from '@septet/domain'
import type { NodeFacts } from '../read/parse-node.ts'

/**
 * Notes since when each node's MIG change has been pending. A label carries no time: the earlier of when its writer last
 * changed anything and when we first saw it is a lower bound of the true length.
 */
export function trackPending(since: Map<string, Instant>, nodes: Iterable<NodeFacts>, now: Instant): void {
  const pending = new Set<string>()
  for (const { name, mig, migChangedAt } of nodes) {
    if (mig.state !== 'pending') continue
    pending.add(name)
    since.set(name, instant(Math.min(since.get(name) ?? now, migChangedAt ?? now)))
  }
  for (const name of since.keys()) if (!pending.has(name)) since.delete(name)
}
