import { errorText } from '@septet/domain/words'
import { instant, type Instant, type Log } from '@septet/domain'

import type { FromAdmission, ThreadSettings, ToAdmission } from '../admission/admission-messages.ts'
import type { Interruption } from '../operations/actions/admission-answers.ts'
import type { AdmissionThread } from './admission-thread.ts'
import type { StoreAddress } from './open-store.ts'

type Heard = Exclude<FromAdmission, { readonly kind: 'begun' | 'refused' | 'alive' }>

export type SupervisedParts = {
  readonly openThread: () => AdmissionThread
  /** What a thread begins with; `port` is the one that the thread before it had. */
  readonly settings: (port: number | undefined) => ThreadSettings<StoreAddress>
  readonly heard: (message: Heard) => void
  readonly log: Log
  readonly now: () => number
  /** How often a thread is asked whether it is alive. One that missed three of these is hung, and replaced. */
  readonly askEveryMs?: number
}

export type SupervisedAdmission = {
  readonly port: number
  tell(message: ToAdmission<StoreAddress>): void
  interruption(): Interruption | undefined
  stop(): Promise<void>
}

const RESTART_AFTER_MS = 1000
const STOP_WITHIN_MS = 5000
const ASK_EVERY_MS = 2000
const MAY_MISS = 3

/** Keeps a thread that answers reviews running. Throws what the first one throws when it cannot begin at all. */
export async function superviseAdmission(parts: SupervisedParts): Promise<SupervisedAdmission> {
  const { log, now } = parts
  let running = await begun(parts, undefined)
  const { port } = running
  let interruption: { readonly at: Instant; readonly because: string; readonly until: Instant | undefined } | undefined
  let stopping = false
  let restart: NodeJS.Timeout | undefined
  const watch = async (): Promise<void> => {
    const error = await running.gone
    if (stopping) return
    const because = error === undefined ? 'The thread ended.' : errorText(error)
    interruption = { at: instant(now()), because, until: undefined }
    log.error('the thread that answers about new pods died; they stay as they are until it is back', { because })
    restart = setTimeout(() => void again(), RESTART_AFTER_MS)
  }
  const again = async (): Promise<void> => {
    try {
      running = await begun(parts, port)
      // It was stopped while a new thread began.
      if (stopping) return running.thread.kill()
      if (interruption !== undefined) interruption = { ...interruption, until: instant(now()) }
      log.info('the thread that answers about new pods is back')
      void watch()
    } catch (error) {
      const because = errorText(error)
      if (interruption !== undefined) interruption = { ...interruption, because }
      log.error('the thread that answers about new pods did not start again', { because })
      if (!stopping) restart = setTimeout(() => void again(), RESTART_AFTER_MS)
    }
  }
  void watch()
  return {
    port,
    tell: (message) => running.thread.tell(message),
    interruption: () => interruption,
    stop: async () => {
      stopping = true
      clearTimeout(restart)
      running.thread.tell({ kind: 'stop' })
      const force = setTimeout(() => running.thread.kill(), STOP_WITHIN_MS)
      await running.gone
      clearTimeout(force)
    },
  }
}

type Begun = {
  readonly thread: AdmissionThread
  readonly port: number
  /** Resolves when it is gone, with the error that it died of. */
  readonly gone: Promise<Error | undefined>
}

/** A thread that listens. Throws where it cannot, and leaves none behind. */
async function begun(parts: SupervisedParts, before: number | undefined): Promise<Begun> {
  const { openThread, settings, heard, askEveryMs = ASK_EVERY_MS } = parts
  const thread = openThread()
  let [missed, hung]: [number, Error | undefined] = [0, undefined]
  let asking: NodeJS.Timeout | undefined
  const gone = Promise.withResolvers<Error | undefined>()
  const listening = Promise.withResolvers<number>()
  thread.onMessage((message) => {
    if (message.kind === 'begun') listening.resolve(message.port)
    else if (message.kind === 'refused') listening.reject(new Error(message.message))
    else if (message.kind === 'alive') missed = 0
    else heard(message)
  })
  thread.onExit((error) => {
    clearInterval(asking)
    listening.reject(error ?? new Error('The thread for admission ended before it listened.'))
    gone.resolve(hung ?? error)
  })
  thread.tell({ kind: 'begin', settings: settings(before) })
  try {
    const port = await listening.promise
    // Counted in rounds of this loop, so that a pause of the main thread alone does not look like a hung one.
    asking = setInterval(() => {
      if (missed === MAY_MISS) {
        hung = new Error('The thread stopped answering.')
        return thread.kill()
      }
      missed += 1
      thread.tell({ kind: 'alive' })
    }, askEveryMs)
    return { thread, port, gone: gone.promise }
  } catch (error) {
    thread.kill()
    throw error
  }
}
