import type { ModelSection, ReadModelStore } from '@septet/domain'

import { analysisOfSection } from './section.ts'

export type ModelKeeperOptions = {
  readonly cluster: string
  readonly store: ReadModelStore
  /** Called where the store has lost what was written: all must come again. */
  readonly onLost: () => void
}

/** Keeps the newest read model in the store: of each section the last version, one write after the other. */
export class ModelKeeper {
  readonly #options: ModelKeeperOptions
  #waiting = new Map<string, ModelSection>()
  #hasWritten = false

  constructor(options: ModelKeeperOptions) {
    this.#options = options
  }

  add(sections: readonly ModelSection[]): void {
    for (const section of sections) if (isKept(section)) this.#waiting.set(section.key, section)
  }

  /** Writes what has come since. Throws the store's error; what was not written is written the next time. */
  async flush(): Promise<void> {
    const { cluster, store, onLost } = this.#options
    if (this.#waiting.size === 0) return
    if (!this.#hasWritten) await store.forget(cluster)
    else if ((await store.version(cluster)) === undefined) onLost()
    const sections = this.#waiting
    this.#waiting = new Map()
    try {
      await store.write(cluster, [...sections.values()])
      this.#hasWritten = true
    } catch (error) {
      this.#waiting = new Map([...sections, ...this.#waiting])
      throw error
    }
  }
}

/** Analyses of what somebody chose have no end; whoever follows the store makes them from it. */
function isKept({ key }: ModelSection): boolean {
  const of = analysisOfSection(key)
  return of === undefined || (of.namespaces === undefined && of.range.kind === 'quick')
}
