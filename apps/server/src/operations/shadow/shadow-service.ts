import { HOUR_MS, type NoteStore } from '@septet/domain'
import { errorText } from '@septet/domain/words'

import { contentDigest } from '../../content-digest.ts'
import type { Replayed, ReplayQuestion } from './replay-history.ts'
import { inTime, lookUntil } from '../../in-time.ts'
import { openSharedWork } from '../background/shared-work.ts'

/** Replays beside the answers; rejects with an error for people. `progress`: share of it that is done, 0 to 1. */
export type RunReplay = (question: ReplayQuestion, progress: (share: number) => void) => Promise<Replayed>

type ReplayState =
  | { readonly kind: 'computing'; readonly done: number }
  | { readonly kind: 'ready'; readonly replay: Replayed }
  | { readonly kind: 'failed'; readonly problem: string }

/** Replays that are kept for as long as they are still what another run would say. */
export type ShadowService = {
  /** `rules`: all that was decided since and would change the answer. Waits a moment for what is quick. */
  get(question: ReplayQuestion, rules: unknown): Promise<ReplayState>
}

type Kept = { readonly state: () => ReplayState; readonly over: Promise<unknown> }

const MOST_KEPT = 20
const PATIENCE_MS = 1500

type Parts = { readonly runReplay: RunReplay; readonly notes: NoteStore; readonly now: () => number }

/**
 * Opens the service. One replay at a time: each takes a processor for seconds. What another server on the database replays
 * is not replayed here too.
 */
export function openShadowService({ runReplay, notes, now }: Parts): ShadowService {
  const kept = new Map<string, Kept>()
  const shared = openSharedWork<ReplayState>({ notes, kind: 'replay', now })
  let last: Promise<unknown> = Promise.resolve()

  /** Begins it; undefined where another server has. */
  const begin = async (id: string, question: ReplayQuestion): Promise<Kept | undefined> => {
    let state: ReplayState = { kind: 'computing', done: 0 }
    const noted = await shared.note({ id, owner: '', state: () => state, ended: () => undefined })
    if (noted === undefined) return kept.get(id)
    const replaying = last.then(() => runReplay(question, (done) => (state = { kind: 'computing', done })))
    const follow = async (): Promise<void> => {
      state = await settled(replaying)
      await noted.done(state.kind === 'ready' ? HOUR_MS : 0)
    }
    const one = { state: () => state, over: follow() }
    last = one.over
    kept.set(id, one)
    return one
  }
  /** As the server tells it that replays it. */
  const elsewhere = (id: string): Promise<ReplayState> => {
    const look = async (): Promise<ReplayState> => (await shared.find(id))?.state ?? { kind: 'computing', done: 0 }
    return lookUntil(PATIENCE_MS, look, ({ kind }) => kind === 'ready')
  }
  return {
    async get(question, rules) {
      const { record, class: kind, asked, now: at } = question
      const id = contentDigest([record.id, kind, asked, Math.floor(at / HOUR_MS), rules])
      for (const [name, { state }] of kept) if (kept.size >= MOST_KEPT && state().kind === 'ready') kept.delete(name)
      const one = kept.get(id) ?? (await begin(id, question))
      if (one === undefined) return elsewhere(id)
      await inTime(PATIENCE_MS, one.over)
      const state = one.state()
      // Told once; who asks again has it tried again.
      if (state.kind === 'failed') kept.delete(id)
      return state
    },
  }
}

async function settled(replaying: Promise<Replayed>): Promise<ReplayState> {
  try {
    return { kind: 'ready', replay: await replaying }
  } catch (error) {
    return { kind: 'failed', problem: errorText(error) }
  }
}
