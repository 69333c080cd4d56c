import { Worker } from 'node:worker_threads'

import type { Replay, ReplayQuestion } from '../operations/shadow/replay-history.ts'
import type { RunReplay } from '../operations/shadow/shadow-service.ts'
import type { StoreAddress } from './open-store.ts'

export type ToShadow = { readonly address: StoreAddress; readonly question: ReplayQuestion }

/** What the thread tells. */
export type FromShadow =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'done'; readonly replay: Replay }
  | { readonly kind: 'failed'; readonly message: string }

/** What a replay may take: memory of its thread, and time. */
export const SHADOW_LIMITS = { heapMib: 1536, milliseconds: 300_000 } as const

/** Replays in a thread of its own with connections of its own: neither reading the past nor replaying it holds an answer up. */
export const replayInThread =
  (address: StoreAddress): RunReplay =>
  (question, progress) => {
    const { promise, resolve, reject } = Promise.withResolvers<Replay>()
    const worker = new Worker(new URL('shadow-thread-main.ts', import.meta.url), {
      name: 'shadow',
      workerData: { address, question } satisfies ToShadow,
      resourceLimits: { maxOldGenerationSizeMb: SHADOW_LIMITS.heapMib },
    })
    const limit = setTimeout(() => {
      reject(
        new Error(
          `It took longer than ${SHADOW_LIMITS.milliseconds / 60_000} minutes and was stopped. Ask for fewer days.`,
        ),
      )
      void worker.terminate()
    }, SHADOW_LIMITS.milliseconds).unref()
    worker.unref()
    worker.on('message', (message: FromShadow) => {
      if (message.kind === 'progress') progress(message.share)
      else if (message.kind === 'done') resolve(message.replay)
      else reject(new Error(message.message))
    })
    worker.once('error', reject)
    worker.once('exit', () => {
      clearTimeout(limit)
      reject(new Error('The replay was stopped before it was done.'))
    })
    return promise
  }
