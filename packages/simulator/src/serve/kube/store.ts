import { same, withValue, type JsonObject } from './json.ts'
import { KUBE_KINDS, type Kind } from './kinds.ts'

/** An object as it was at one resourceVersion. Most are rendered only when somebody asks. */
export type Entry = {
  readonly key: string
  readonly version: number
  read(): JsonObject
}
export type StoreChange = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly version: number
  readonly entry: Entry
  readonly previous: Entry | undefined
}

/** Objects by kind, with one counter of versions for all and a short memory of what changed. */
export type KubeStore = {
  version(): number
  get(kind: Kind, key: string): Entry | undefined
  /** Sorted by key. The list never changes afterwards. */
  list(kind: Kind): readonly Entry[]
  size(kind: Kind): number
  put(kind: Kind, key: string, render: () => JsonObject): Entry
  remove(kind: Kind, key: string): Entry | undefined
  /** Changes after a version, or undefined when that is longer ago than the memory reaches. */
  changesAfter(kind: Kind, version: number): readonly StoreChange[] | undefined
  subscribe(kind: Kind, listener: (change: StoreChange) => void): () => void
  /** Takes the contents of another store. Only what differs gets a new version and is told. */
  become(other: KubeStore): void
}

export const keyOf = (namespace: string | undefined, name: string): string =>
  namespace === undefined ? name : `${namespace}/${name}`

// Changes remembered per kind: a watch that fell further behind must list again.
const REMEMBERED = 4_000

type Shelf = {
  readonly entries: Map<string, Entry>
  sorted: readonly Entry[] | undefined
  readonly changes: StoreChange[]
  /** Version up to which changes were forgotten. */
  forgotten: number
  readonly listeners: Set<(change: StoreChange) => void>
}

/** `first` is the version to begin with: above every one of an earlier run, so that old watches must list again. */
export function createObjectStore(first: number): KubeStore {
  const shelves = new Map<Kind, Shelf>()
  let version = first
  const shelfOf = (kind: Kind): Shelf => {
    const known = shelves.get(kind)
    if (known !== undefined) return known
    const made: Shelf = {
      entries: new Map(),
      sorted: undefined,
      changes: [],
      forgotten: first,
      listeners: new Set(),
    }
    shelves.set(kind, made)
    return made
  }
  const store: KubeStore = {
    version: () => version,
    get: (kind, key) => shelfOf(kind).entries.get(key),
    size: (kind) => shelfOf(kind).entries.size,
    list: (kind) => {
      const shelf = shelfOf(kind)
      shelf.sorted ??= [...shelf.entries.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
      return shelf.sorted
    },
    put: (kind, key, render) => {
      const shelf = shelfOf(kind)
      const previous = shelf.entries.get(key)
      const entry = makeEntry(key, ++version, render)
      shelf.entries.set(key, entry)
      shelf.sorted = undefined
      tell(shelf, { type: previous === undefined ? 'ADDED' : 'MODIFIED', version, entry, previous })
      return entry
    },
    remove: (kind, key) => {
      const shelf = shelfOf(kind)
      const previous = shelf.entries.get(key)
      if (previous === undefined) return undefined
      shelf.entries.delete(key)
      shelf.sorted = undefined
      const entry = makeEntry(key, ++version, () => previous.read())
      tell(shelf, { type: 'DELETED', version, entry, previous })
      return entry
    },
    changesAfter: (kind, after) => {
      const shelf = shelfOf(kind)
      return after < shelf.forgotten ? undefined : shelf.changes.filter((change) => change.version > after)
    },
    subscribe: (kind, listener) => {
      const { listeners } = shelfOf(kind)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    become: (other) => KUBE_KINDS.forEach((kind) => refill(shelfOf(kind), kind, { store, other })),
  }
  return store
}

/** Gives a shelf of a store what another store has of that kind. */
function refill(shelf: Shelf, kind: Kind, { store, other }: Record<'store' | 'other', KubeStore>): void {
  for (const entry of other.list(kind)) {
    const { key } = entry
    const was = shelf.entries.get(key)
    if (was === undefined || !isSame(was, entry)) store.put(kind, key, () => entry.read())
    // What is the same is from now on told by the other: it may change with the time.
    else
      shelf.entries.set(
        key,
        makeEntry(key, was.version, () => entry.read()),
      )
  }
  for (const key of shelf.entries.keys()) if (other.get(kind, key) === undefined) store.remove(kind, key)
  shelf.sorted = undefined
}

function tell(shelf: Shelf, change: StoreChange): void {
  shelf.changes.push(change)
  if (shelf.changes.length > REMEMBERED * 1.25) {
    const gone = shelf.changes.splice(0, shelf.changes.length - REMEMBERED)
    shelf.forgotten = gone.at(-1)?.version ?? shelf.forgotten
  }
  for (const listener of shelf.listeners) listener(change)
}

const isSame = (one: Entry, other: Entry): boolean => same(unversioned(one), unversioned(other))
const unversioned = (entry: Entry): JsonObject => withValue(entry.read(), VERSION, undefined)
const VERSION = ['metadata', 'resourceVersion']

const makeEntry = (key: string, version: number, render: () => JsonObject): Entry => ({
  key,
  version,
  read: () => withValue(render(), VERSION, String(version)),
})
