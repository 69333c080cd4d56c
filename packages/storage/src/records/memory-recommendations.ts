import { compareText, type Dismissal, type RecommendationStore } from '@septet/domain'

import { storableText } from '../usage/storable.ts'
import { decodeRecommendations, dismissalRow, encodeRecommendations, toDismissal } from './recommendation-codec.ts'

/** The twin of `postgresRecommendations`, in memory. */
export function memoryRecommendations(): { readonly store: RecommendationStore; forget(cluster: string): void } {
  const bodies = new Map<string, Buffer>()
  const kept = new Map<string, Dismissal>()
  const store: RecommendationStore = {
    replace: async (cluster, fresh) => void bodies.set(storableText(cluster), await encodeRecommendations(fresh)),
    current: async (cluster) => {
      const body = bodies.get(storableText(cluster))
      return body === undefined ? undefined : decodeRecommendations(body)
    },
    dismiss: async (dismissal) =>
      void kept.set(keyOf(dismissal.cluster, dismissal.id), toDismissal(dismissalRow(dismissal))),
    restore: async (cluster, id) => void kept.delete(keyOf(cluster, id)),
    dismissals: async (cluster) =>
      [...kept.values()]
        .filter((dismissal) => dismissal.cluster === storableText(cluster))
        .toSorted((a, b) => compareText(a.id, b.id)),
  }
  return {
    store,
    forget: (cluster) => {
      bodies.delete(storableText(cluster))
      for (const [key, dismissal] of kept) if (dismissal.cluster === storableText(cluster)) kept.delete(key)
    },
  }
}

const keyOf = (cluster: string, id: string): string => JSON.stringify([storableText(cluster), storableText(id)])
