import type { ApiClient } from '../connect/api-client.ts'
import { listPages } from '../connect/list-pages.ts'
import { parseFinishedPod, type PodFacts } from '../read/parse-pod.ts'

/** Of more than this the newest are enough to say how long work waits. */
const MOST = 2_000

/**
 * Pods that held GPUs and have finished, the newest first: read once, since the watch leaves them out and a cluster may have
 * many. Throws when they cannot be listed; one that cannot be understood is left out.
 */
export async function readFinishedPods(client: ApiClient, signal: AbortSignal): Promise<readonly PodFacts[]> {
  const found: PodFacts[] = []
  for (const phase of ['Succeeded', 'Failed']) {
    const query = { fieldSelector: `status.phase=${phase}` }
    const onItem = (item: unknown): void => {
      const facts = readable(item)
      if (facts?.phase === phase) found.push(facts)
    }
    await listPages({ client, path: '/api/v1/pods', query, signal, onItem })
  }
  return found.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, MOST)
}

function readable(item: unknown): PodFacts | undefined {
  try {
    return parseFinishedPod(item)
  } catch {
    return undefined
  }
}
