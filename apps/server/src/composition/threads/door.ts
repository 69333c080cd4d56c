import type { keptKubeconfig, offeredContexts, readManifest } from '@septet/connectors'
import { notReady, Refusal } from '@septet/contract'
import type { Log } from '@septet/domain'

import { KeptThreads, ThreadsError } from './kept-threads.ts'

/** What somebody hands in, and what is made of it. */
export type Readers = {
  readonly manifest: typeof readManifest
  readonly contexts: typeof offeredContexts
  readonly kubeconfig: typeof keptKubeconfig
}

/** Reads what somebody hands in, where nobody else waits for it. Each throws a `Refusal` where it takes too much. */
export type Door = {
  readonly [Name in keyof Readers]: (...given: Parameters<Readers[Name]>) => Promise<ReturnType<Readers[Name]>>
}

export type DoorOptions = {
  readonly log: Log
  /** The program of its threads. */
  readonly code?: URL
  /** How long one may take, milliseconds: a hundred times what the dearest does. */
  readonly milliseconds?: number
}

const HEAP_MIB = 128
const MOST_WAITING = 32
const IDLE_MS = 120_000

export function openDoor({
  log,
  code = new URL('door-main.ts', import.meta.url),
  milliseconds = 2000,
}: DoorOptions): Door & { stop(): void } {
  const threads = new KeptThreads({
    code,
    name: 'door',
    heapMib: HEAP_MIB,
    milliseconds,
    threads: 2,
    waiting: MOST_WAITING,
    idleMs: IDLE_MS,
  })
  const through =
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what each reader is given, and gives
    <Given extends readonly unknown[], Read>(reader: keyof Readers, noun: string) =>
      async (...given: Given): Promise<Read> => {
        try {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the program answers what its reader gives
          return (await threads.ask({ reader, given })) as Read
        } catch (error) {
          if (!(error instanceof ThreadsError)) throw error
          // That too many ask at a time is told to them alone: whoever sends them could fill the log.
          if (error.cause !== undefined) log.warn('what was handed in was not read', { reader, error: error.message })
          throw REFUSALS[error.kind](noun, milliseconds / 1000)
        }
      }
  return {
    manifest: through('manifest', 'manifest'),
    contexts: through('contexts', 'kubeconfig'),
    kubeconfig: through('kubeconfig', 'kubeconfig'),
    stop: () => threads.stop(),
  }
}

const REFUSALS = {
  ended: (noun: string, seconds: number) =>
    new Refusal(
      'too-large',
      `Reading the ${noun} took more than ${seconds} s or ${HEAP_MIB} MiB of memory, so it was stopped. Nothing was changed.`,
      'Send less of it at once.',
    ),
  full: (noun: string) =>
    notReady(`Too many others are being read, so the ${noun} was not.`, {
      words: 'Try again in a few seconds.',
      retryAfter: 5,
    }),
  stopped: (noun: string) =>
    notReady(`Septet is shutting down, so the ${noun} was not read.`, 'Try again when it is back.'),
} satisfies Record<ThreadsError['kind'], (noun: string, seconds: number) => Refusal>
