import type { Facts, PackedAdmission } from '../facts.ts'
import type { AskingCluster, Changes, ToAdmission } from './admission-messages.ts'

type Told = { readonly kind: AskingCluster['kind']; readonly view: PackedAdmission | undefined }
type News = Extract<ToAdmission<never>, { readonly kind: 'cluster' | 'cluster-gone' }>

/** What a thread was told of the clusters, so that it is told no more than what has changed since. */
export class ToldClusters {
  readonly #facts: Facts
  readonly #told = new Map<string, Told>()

  constructor(facts: Facts) {
    this.#facts = facts
  }

  /** All there are, for a thread that knows of none. */
  all(changes: (cluster: string) => Changes): readonly AskingCluster[] {
    this.#told.clear()
    return this.news().flatMap((each) =>
      each.kind === 'cluster' ? [{ ...each.cluster, changes: changes(each.cluster.id) }] : [],
    )
  }

  news(): readonly News[] {
    const now = this.#facts.clusters().map((each) => ({ ...each.record, view: each.admission() }))
    const there = new Set(now.map(({ id }) => id))
    const gone = [...this.#told.keys()].filter((id) => !there.has(id))
    const changed = now.filter(({ id, kind, view }) => {
      const told = this.#told.get(id)
      return told === undefined || told.kind !== kind || told.view !== view
    })
    for (const id of gone) this.#told.delete(id)
    for (const { id, kind, view } of changed) this.#told.set(id, { kind, view })
    return [
      ...gone.map((id) => ({ kind: 'cluster-gone' as const, id })),
      ...changed.map(({ id, kind, view }) => ({
        kind: 'cluster' as const,
        cluster: { id, kind, view: view && ofItsOwn(view.bytes) },
      })),
    ]
  }
}

/** Shared memory is handed over as it is; else all of the buffer would be copied, of which this may be a small part. */
const ofItsOwn = (bytes: Uint8Array): Uint8Array => (bytes.buffer instanceof SharedArrayBuffer ? bytes : bytes.slice())
