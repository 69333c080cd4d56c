import { Worker } from 'node:worker_threads'

import type { FromAdmission, ToAdmission } from '../admission/admission-messages.ts'
import type { StoreAddress } from './open-store.ts'

/** The thread that answers reviews, from the side of whoever started it. */
export type AdmissionThread = {
  tell(message: ToAdmission<StoreAddress>): void
  onMessage(heard: (message: FromAdmission) => void): void
  /** Called once it is gone, after all that it has told was heard; with what it died of, if of an error. */
  onExit(gone: (error: Error | undefined) => void): void
  kill(): void
}

const CODE = new URL('admission-main.ts', import.meta.url)

/** Far more than the views of 40 large clusters take: whoever leaks ends this thread and not the process. */
const HEAP_MIB = 512
/** A young generation has three semi-spaces; small ones are collected in less than a millisecond. */
const SEMI_SPACE_MIB = 8

export function openAdmissionThread(): AdmissionThread {
  const worker = new Worker(CODE, {
    name: 'admission',
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: 3 * SEMI_SPACE_MIB },
  })
  let died: Error | undefined
  worker.once('error', (error: unknown) => (died = error instanceof Error ? error : new Error(String(error))))
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    tell: (message) => worker.postMessage(message),
    onMessage: (heard) => void worker.on('message', heard),
    onExit: (gone) => void worker.once('exit', () => gone(died)),
    kill: () => void worker.terminate(),
  }
}
