import type { Replayed, ReplayQuestion } from '../../operations/shadow/replay-history.ts'
import type { RunReplay } from '../../operations/shadow/shadow-service.ts'
import type { StoreAddress } from '../open-store.ts'
import { runInThread } from './run-in-thread.ts'

export type HistoryQuestion = { readonly address: StoreAddress; readonly question: ReplayQuestion }

/** What a replay may take: memory of its thread, and time. */
const SHADOW_LIMITS = { heapMib: 1536, milliseconds: 300_000 } as const

const PROGRAM = {
  code: new URL('replay-main.ts', import.meta.url),
  name: 'replay',
  heapMib: SHADOW_LIMITS.heapMib,
  limit: {
    milliseconds: SHADOW_LIMITS.milliseconds,
    words: `It took longer than ${SHADOW_LIMITS.milliseconds / 60_000} minutes and was stopped. Ask for fewer days.`,
  },
}

/** Replays in a thread with connections of its own: neither reading the past nor replaying it holds an answer up. */
export const replayInThread =
  (address: StoreAddress): RunReplay =>
  (question, progress) =>
    runInThread<Replayed>(PROGRAM, { address, question } satisfies HistoryQuestion, (done, of) => progress(done / of))
      .answer
