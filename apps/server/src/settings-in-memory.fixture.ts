import { isDeepStrictEqual } from 'node:util'

import type { SettingStore } from '@septet/domain'

/** Settings that last as long as a test; what is read is what a database would give back. */
export function settingsInMemory(): SettingStore {
  const kept = new Map<string, unknown>()
  return {
    get: async (key) => kept.get(key),
    put: async (key, value) => void kept.set(key, asRead(value)),
    replace: async (key, before, value) => {
      if (!isDeepStrictEqual(kept.get(key), before)) return false
      kept.set(key, asRead(value))
      return true
    },
  }
}

const asRead = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
