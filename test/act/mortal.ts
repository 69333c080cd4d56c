import type { ActionStore, ClusterWriter } from '@septet/domain'

/** What a process does before it is killed: so many calls that change something, counted twice, before each and after it. */
export type Mortal = {
  readonly store: ActionStore
  readonly writer: ClusterWriter
  /** What it was about to do, or had just done, when it died; undefined while it lives. */
  diedAt(): string | undefined
}

/** Which of all moments, or which of those of a name: `{ what: 'after write evict', nth: 2 }`. */
export type Moment = number | { readonly what: string; readonly nth: number }

const STORE = new Set(['advance', 'intend', 'settle', 'stop'])

/**
 * A store and a line to the cluster of one who dies at a given moment. From then on nothing that it does reaches anybody, as
 * if its process had been killed: neither does it hear what came of its last call.
 */
export function mortal({ store, writer }: { store: ActionStore; writer: ClusterWriter }, killAt: Moment): Mortal {
  const [only, nth] = typeof killAt === 'number' ? [undefined, killAt] : [killAt.what, killAt.nth]
  let moments = 0
  let died: string | undefined
  const moment = (what: string): void => {
    if (died === undefined && what === (only ?? what) && (moments += 1) >= nth) died = what
    if (died !== undefined) throw new Error(`killed ${died}`)
  }
  const counted =
    (name: string, call: (...given: unknown[]) => unknown) =>
    async (...given: unknown[]): Promise<unknown> => {
      moment(`before ${name}`)
      const result = await call(...given)
      moment(`after ${name}`)
      return result
    }
  const alive =
    (call: (...given: unknown[]) => unknown) =>
    async (...given: unknown[]): Promise<unknown> => {
      if (died !== undefined) throw new Error(`killed ${died}`)
      return call(...given)
    }
  const wrapped = <Target extends object>(
    target: Target,
    isCounted: (name: string, given: unknown[]) => string | undefined,
  ): Target =>
    new Proxy(target, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name)
        if (typeof member !== 'function') return member
        return (...given: unknown[]) => {
          const call = bound(member, object)
          const counts = isCounted(String(name), given)
          return counts === undefined ? alive(call)(...given) : counted(counts, call)(...given)
        }
      },
    })
  return {
    store: wrapped(store, (name, [write]) => (STORE.has(name) && !isRehearsal(write) ? name : undefined)),
    writer: wrapped(writer, (name, [write, options]) =>
      name === 'write' && !isDryRun(options) ? `write ${verbOf(write)}` : undefined,
    ),
    diedAt: () => died,
  }
}

const bound =
  (member: CallableFunction, object: object) =>
  (...given: unknown[]): unknown =>
    Reflect.apply(member, object, given)

/** A dry run changes nothing: there is little to see in a death before it. */
const isRehearsal = (write: unknown): boolean =>
  typeof write === 'object' && write !== null && 'isRehearsal' in write && write.isRehearsal === true

const isDryRun = (options: unknown): boolean =>
  typeof options === 'object' && options !== null && 'dryRun' in options && options.dryRun === true

const verbOf = (write: unknown): string =>
  typeof write === 'object' && write !== null && 'verb' in write ? String(write.verb) : ''
