/** What happened to a pod or to a node's mig-manager, by whoever's doing; what ends by itself is not told. */
export type JournalEntry = {
  /** ISO 8601, by the demo's clock. */
  readonly at: string
  readonly kind: 'evicted' | 'deleted' | 'pod-started' | 'mig-manager-restarted' | 'reconfigured'
  readonly node: string | undefined
  /** `namespace/name`. */
  readonly pod: string | undefined
  readonly uid: string | undefined
}

export type DemoJournal = {
  add(entry: Omit<JournalEntry, 'at'>): void
  /** Oldest first. */
  all(): readonly JournalEntry[]
}

// A demo that runs for weeks has started many pods; the newest are what anybody asks for.
const KEPT = 20_000

export function createJournal(now: () => number): DemoJournal {
  const entries: JournalEntry[] = []
  return {
    add: (entry) => {
      entries.push({ at: new Date(now()).toISOString(), ...entry })
      if (entries.length > KEPT * 1.25) entries.splice(0, entries.length - KEPT)
    },
    all: () => entries,
  }
}
