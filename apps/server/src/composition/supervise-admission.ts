import { instant, type Log } from '@septet/domain'

import type { FromAdmission, ThreadSettings, ToAdmission } from '../admission/admission-messages.ts'
import type { Interruption } from '../operations/actions/admission-answers.ts'
import type { StoreAddress } from './open-store.ts'
import { openThread, supervise, type Host, type Supervised } from './supervise.ts'

/** The thread that answers reviews, from the side of whoever started it. */
export type AdmissionThread = Host<ToAdmission<StoreAddress>, FromAdmission>

const CODE = new URL('admission-main.ts', import.meta.url)
/** Far more than the views of 40 large clusters take: whoever leaks ends this thread and not the process. */
const HEAP_MIB = 512
/** A young generation has three semi-spaces; small ones are collected in less than a millisecond. */
const SEMI_SPACE_MIB = 8

export const openAdmissionThread = (): AdmissionThread =>
  openThread(CODE, {
    name: 'admission',
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: 3 * SEMI_SPACE_MIB },
  })

type Parts = {
  readonly openThread: () => AdmissionThread
  /** What a thread begins with; `port` is the one that the thread before it had. */
  readonly settings: (port: number | undefined) => ThreadSettings<StoreAddress>
  readonly heard: (message: Extract<FromAdmission, { readonly kind: 'record' | 'log' }>) => void
  readonly log: Log
  readonly now: () => number
  /** How often a thread is asked whether it is alive. */
  readonly askEveryMs?: number
}

export type SupervisedAdmission = Supervised<ToAdmission<StoreAddress>> & {
  readonly port: number
  interruption(): Interruption | undefined
}

const STOP_WITHIN_MS = 5000
const ASK_EVERY_MS = 2000

/** Keeps a thread that answers reviews running. Throws what the first one throws when it cannot begin at all. */
export async function superviseAdmission(parts: Parts): Promise<SupervisedAdmission> {
  const { settings, heard, log, now, askEveryMs = ASK_EVERY_MS } = parts
  let port: number | undefined
  let interruption: Interruption | undefined
  const supervised = await supervise<ToAdmission<StoreAddress>, FromAdmission>({
    open: parts.openThread,
    begin: () => ({ kind: 'begin', settings: settings(port) }),
    stop: { kind: 'stop' },
    stopWithinMs: STOP_WITHIN_MS,
    alive: { ask: { kind: 'alive' }, everyMs: askEveryMs },
    heard(message) {
      if (message.kind === 'refused') return new Error(message.message)
      if (message.kind === 'begun') port = message.port
      else if (message.kind !== 'alive') heard(message)
      return message.kind === 'begun' || message.kind === 'alive' ? message.kind : undefined
    },
    down(because) {
      const since = interruption?.until === undefined ? interruption?.at : undefined
      log.error(
        since === undefined
          ? 'the thread that answers about new pods died; they stay as they are until it is back'
          : 'the thread that answers about new pods did not start again',
        { because },
      )
      interruption = { at: since ?? instant(now()), because, until: undefined }
    },
    up() {
      if (interruption !== undefined) interruption = { ...interruption, until: instant(now()) }
      log.info('the thread that answers about new pods is back')
    },
  })
  return { ...supervised, port: port ?? 0, interruption: () => interruption }
}
