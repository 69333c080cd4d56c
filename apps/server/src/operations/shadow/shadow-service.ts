import { HOUR_MS } from '@septet/domain'
import { errorText } from '@septet/domain/words'

import { contentDigest } from '../../content-digest.ts'
import type { Replayed, ReplayQuestion } from './replay-history.ts'
import { inTime } from '../../in-time.ts'

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

type Kept = { state: ReplayState; over: Promise<unknown>; askedAt: number }

const MOST_KEPT = 20
const PATIENCE_MS = 1500

/** Opens the service. One replay at a time: each takes a processor for seconds. */
export function openShadowService(run: RunReplay): ShadowService {
  const kept = new Map<string, Kept>()
  let last: Promise<unknown> = Promise.resolve()

  const begin = (question: ReplayQuestion): Kept => {
    const one: Kept = { state: { kind: 'computing', done: 0 }, over: last, askedAt: question.now }
    const replaying = last.then(() =>
      run(question, (done) => {
        one.state = { kind: 'computing', done }
      }),
    )
    const follow = async (): Promise<void> => {
      one.state = await settled(replaying)
    }
    one.over = follow()
    last = one.over
    return one
  }
  return {
    async get(question, rules) {
      const { record, class: kind, asked, now } = question
      const key = contentDigest([record.id, kind, asked, Math.floor(now / HOUR_MS), rules])
      for (const [name, { state }] of kept) if (kept.size >= MOST_KEPT && state.kind === 'ready') kept.delete(name)
      const one = kept.get(key) ?? begin(question)
      kept.set(key, one)
      await inTime(PATIENCE_MS, one.over)
      // Told once; who asks again has it tried again.
      if (one.state.kind === 'failed') kept.delete(key)
      return one.state
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
