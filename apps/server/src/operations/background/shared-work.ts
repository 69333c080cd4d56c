import { deserialize, serialize } from 'node:v8'

import { instant, type NoteStore } from '@septet/domain'

/** What one server works on, noted for all others on its database: any of them may be asked how far it is, or to end it. */
export type SharedWork<State> = {
  /** Notes it from now on; undefined where it is noted already. Without the database it is this server's alone. */
  note(work: Work<State>): Promise<Noted | undefined>
  /** What another server noted; undefined where nothing is noted, or it is over. */
  find(id: string): Promise<Found<State> | undefined>
  /** Ends it, wherever it goes on; one that is noted nowhere is left alone. */
  end(id: string): Promise<void>
}

type Work<State> = {
  readonly id: string
  readonly owner: string
  readonly state: () => State
  /** Called when another server ended it. */
  readonly ended: () => void
}
type Noted = {
  /** It is done: its last state stays for so long. */
  done(keptMs: number): Promise<void>
}
type Found<State> = Pick<Work<State>, 'owner'> & {
  readonly state: State
  /** The server that worked on it has not been heard of for too long. */
  readonly isLost: boolean
}

/** How often it is noted how far it is. */
const BEAT_MS = 1000
/** A server that has noted nothing for so long has stopped; two clocks may be apart by less. */
const LOST_AFTER_MS = 30_000
const PRUNE_EVERY_MS = 60_000

type Parts = { readonly notes: NoteStore; readonly kind: string; readonly now: () => number }
type Body<State> = { readonly isDone: boolean; readonly state: State }

export function openSharedWork<State>({ notes, kind, now }: Parts): SharedWork<State> {
  let prunedAt = 0
  const prune = async (): Promise<void> => {
    if (now() - prunedAt < PRUNE_EVERY_MS) return
    prunedAt = now()
    await notes.prune(instant(now() - LOST_AFTER_MS))
  }
  return {
    async note({ id, owner, state, ended }) {
      const body = (isDone: boolean, forMs: number) => ({
        until: instant(now() + forMs),
        bytes: serialize({ isDone, state: state() } satisfies Body<State>),
      })
      const first = { kind, id, owner, at: instant(now()), ...body(false, LOST_AFTER_MS) }
      // What cannot be noted is still worked on here.
      const isNew = await notes.add(first).catch(() => true)
      if (!isNew) return undefined
      void prune().catch(() => undefined)
      let beating = Promise.resolve()
      const beat = async (): Promise<void> => {
        const isThere = await notes.renew({ kind, id, ...body(false, LOST_AFTER_MS) }).catch(() => true)
        if (isThere) return
        clearInterval(timer)
        ended()
      }
      const timer = setInterval(() => void (beating = beating.then(beat)), BEAT_MS).unref()
      return {
        async done(keptMs) {
          clearInterval(timer)
          await beating
          await notes.renew({ kind, id, ...body(true, keptMs) }).catch(() => undefined)
        },
      }
    },
    async find(id) {
      const note = await notes.get(kind, id)
      if (note === undefined) return undefined
      const { isDone, state }: Body<State> = deserialize(note.bytes)
      const isOver = note.until <= now()
      return isOver && isDone ? undefined : { owner: note.owner, state, isLost: isOver }
    },
    // Without the database nobody else knows of it.
    end: (id) => notes.remove(kind, id).catch(() => undefined),
  }
}
