import { z } from 'zod'
import { sayError } from '../connect/connect-error.ts'

/** Turns a raw object into what we keep of it; undefined when it is none of ours. Throws when it cannot be read. */
export type Parse<T> = (raw: unknown) => T | undefined

/** The side of an object store that a mirror fills. */
export type FilledStore = {
  /** True when something that we keep has come, changed or gone. */
  put(raw: unknown): boolean
  remove(raw: unknown): boolean
  clear(): void
  /** A new full list: objects go into a second map, which replaces the first when the list is done. */
  refill(): { readonly take: (raw: unknown) => void; readonly done: () => void }
}

/** The kept objects of one resource by `namespace/name` (`name` alone where there is no namespace). */
export type ObjectStore<T> = FilledStore & {
  values(): Iterable<T>
  /** What is kept of an object, by its name. */
  get(raw: unknown): T | undefined
  /** Objects that could not be read: key → why. At most a few are kept. */
  unreadable(): ReadonlyMap<string, string>
}

export function openObjectStore<T>(parse: Parse<T>): ObjectStore<T> {
  let kept: Shelf<T> = { objects: new Map(), unreadable: new Map() }
  const holds = (key: string): boolean => kept.objects.has(key) || kept.unreadable.has(key)
  return {
    values: () => kept.objects.values(),
    get: (raw) => kept.objects.get(keyOf(raw)),
    put(raw) {
      const key = keyOf(raw)
      const held = holds(key)
      place(kept, parse, raw)
      return held || holds(key)
    },
    remove(raw) {
      const key = keyOf(raw)
      const objectGone = kept.objects.delete(key)
      return kept.unreadable.delete(key) || objectGone
    },
    clear() {
      kept = { objects: new Map(), unreadable: new Map() }
    },
    refill() {
      const shelf: Shelf<T> = { objects: new Map(), unreadable: new Map() }
      return {
        take: (raw) => {
          if (place(shelf, parse, raw)) return
          // An object that cannot be read now stays as it was last readable.
          const key = keyOf(raw)
          const before = kept.objects.get(key)
          if (before !== undefined) shelf.objects.set(key, before)
        },
        done: () => {
          kept = shelf
        },
      }
    },
    unreadable: () => kept.unreadable,
  }
}

type Shelf<T> = { readonly objects: Map<string, T>; readonly unreadable: Map<string, string> }

const MOST_UNREADABLE = 50

/** False when the object cannot be read. */
function place<T>(shelf: Shelf<T>, parse: Parse<T>, raw: unknown): boolean {
  const key = keyOf(raw)
  try {
    const object = parse(raw)
    shelf.unreadable.delete(key)
    if (object === undefined) shelf.objects.delete(key)
    else shelf.objects.set(key, object)
    return true
  } catch (error) {
    if (shelf.unreadable.size < MOST_UNREADABLE) shelf.unreadable.set(key, sayParseError(error))
    return false
  }
}

const KeySchema = z.object({
  metadata: z.object({ namespace: z.string().optional().catch(undefined), name: z.string() }),
})

function keyOf(raw: unknown): string {
  const parsed = KeySchema.safeParse(raw)
  if (!parsed.success) return '(without a name)'
  const { namespace, name } = parsed.data.metadata
  return namespace === undefined ? name : `${namespace}/${name}`
}

function sayParseError(error: unknown): string {
  if (!(error instanceof z.ZodError)) return sayError(error)
  const [issue] = error.issues
  return issue === undefined ? 'it is not as expected' : `${issue.path.join('.')}: ${issue.message}`
}
