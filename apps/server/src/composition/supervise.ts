import { Worker, type WorkerOptions } from 'node:worker_threads'

import { errorText } from '@septet/domain/words'

/** A thread or a process that runs for long, from the side of whoever started it. */
export type Host<To, From> = {
  tell(message: To): void
  onMessage(heard: (message: From) => void): void
  /** Resolves once it is gone, after all that it has told was heard; with what it died of, if of an error. */
  readonly gone: Promise<Error | undefined>
  kill(): void
}

export function openThread<To, From>(code: URL | string, options: WorkerOptions): Host<To, From> {
  const worker = new Worker(code, options)
  const { promise, resolve } = Promise.withResolvers<Error | undefined>()
  let died: Error | undefined
  worker.once('error', (error: unknown) => (died = error instanceof Error ? error : new Error(String(error))))
  worker.once('exit', () => resolve(died))
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    tell: (message) => worker.postMessage(message),
    onMessage: (heard) => void worker.on('message', heard),
    gone: promise,
    kill: () => void worker.terminate(),
  }
}

export type SupervisedParts<To, From> = {
  readonly open: () => Host<To, From>
  /** One that was opened beforehand and has loaded its code meanwhile. */
  readonly first?: Host<To, From> | undefined
  /** What it is told to begin with, again by each that takes its place. */
  readonly begin: () => To
  readonly stop: To
  readonly stopWithinMs: number
  /** Hears all that it tells: whether it has begun, is alive, or why it cannot begin. */
  readonly heard: (message: From) => 'begun' | 'alive' | Error | undefined
  /** Asked again and again once it has begun. One that missed three of these is hung, and replaced. */
  readonly alive?: { readonly ask: To; readonly everyMs: number }
  /** Called when it is gone, also when it was stopped. */
  readonly gone?: () => void
  /** Called when it is to be replaced, or could not be, and when another has taken its place. */
  readonly down: (because: string) => void
  readonly up?: () => void
  /** Called when it is killed as it did not stop in time. */
  readonly tooLate?: () => void
}

export type Supervised<To> = {
  tell(message: To): void
  /** At once: it is not told, and not waited for. */
  stop(how?: 'at once'): Promise<void>
}

const RESTART_AFTER_MS = 1000
const MAY_MISS = 3

/** Keeps a thread or process running. Throws what the first one throws when it cannot begin at all, and leaves none behind. */
export async function supervise<To, From>(parts: SupervisedParts<To, From>): Promise<Supervised<To>> {
  const { open, first, stop, stopWithinMs, down, up, tooLate } = parts
  let host = first ?? open()
  let stopping = false
  let restart: NodeJS.Timeout | undefined
  const fallen = (error: unknown): void => {
    if (stopping) return
    down(errorText(error))
    restart = setTimeout(() => void again(), RESTART_AFTER_MS)
  }
  const again = async (): Promise<void> => {
    host = open()
    try {
      const { ended } = await begun(host, parts)
      up?.()
      void ended.then(fallen)
    } catch (error) {
      fallen(error)
    }
  }
  const { ended } = await begun(host, parts)
  void ended.then(fallen)
  return {
    tell: (message) => host.tell(message),
    stop: async (how) => {
      stopping = true
      clearTimeout(restart)
      if (how === 'at once') host.kill()
      else host.tell(stop)
      const force = setTimeout(() => {
        tooLate?.()
        host.kill()
      }, stopWithinMs)
      await host.gone
      clearTimeout(force)
    },
  }
}

/** Resolves when it has begun, with the promise of what ends it. Throws where it cannot begin, and leaves none behind. */
async function begun<To, From>(
  host: Host<To, From>,
  { begin, heard, alive, gone }: SupervisedParts<To, From>,
): Promise<{ readonly ended: Promise<Error> }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let [missed, hung]: [number, Error | undefined] = [0, undefined]
  let asking: NodeJS.Timeout | undefined
  host.onMessage((message) => {
    const said = heard(message)
    if (said === 'begun') resolve()
    else if (said === 'alive') missed = 0
    else if (said !== undefined) reject(said)
  })
  const ended = host.gone.then((error) => {
    clearInterval(asking)
    gone?.()
    reject(error ?? new Error('It ended before it began.'))
    return hung ?? error ?? new Error('It ended.')
  })
  host.tell(begin())
  try {
    await promise
  } catch (error) {
    host.kill()
    throw error
  }
  if (alive === undefined) return { ended }
  // Counted in rounds of this loop, so that a pause of the main thread alone does not look like a hung one.
  asking = setInterval(() => {
    if (missed === MAY_MISS) {
      hung = new Error('The thread stopped answering.')
      return host.kill()
    }
    missed += 1
    host.tell(alive.ask)
  }, alive.everyMs)
  return { ended }
}
