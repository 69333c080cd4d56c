import type { ModelSection, ReadModelStore } from '@septet/domain'

import { storableText } from '../usage/storable.ts'

/** The twin of PostgreSQL's table of read models, in memory. */
export function memoryReadModels(): { readonly store: ReadModelStore; forget(cluster: string): void } {
  const readModels = new Map<string, Map<string, Kept>>()
  const store: ReadModelStore = {
    write: async (cluster, sections) => {
      const key = storableText(cluster)
      const model = readModels.get(key) ?? new Map<string, Kept>()
      readModels.set(key, model)
      for (const { bytes, ...section } of sections) {
        if (bytes === undefined) model.delete(section.key)
        else model.set(section.key, { ...section, bytes: Buffer.from(bytes) })
      }
    },
    read: async (cluster, after) =>
      [...(readModels.get(storableText(cluster))?.values() ?? [])]
        .filter(({ version }) => version > after)
        .toSorted((a, b) => a.version - b.version),
    version: async (cluster) => {
      const versions = [...(readModels.get(storableText(cluster))?.values() ?? [])].map(({ version }) => version)
      return versions.length === 0 ? undefined : Math.max(...versions)
    },
    forget: async (cluster) => void readModels.delete(storableText(cluster)),
  }
  return { store, forget: (cluster) => void readModels.delete(storableText(cluster)) }
}

type Kept = ModelSection & { readonly bytes: Uint8Array }
