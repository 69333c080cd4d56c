import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

import type { Config } from '../config.ts'
import type { FromPipeline, ToPipeline } from './pipeline-messages.ts'
import { openThread, type Host } from './supervise.ts'

/** Where one pipeline runs, from the side of whoever started it. It has loaded its code when it is told anything. */
export type PipelineHost = Host<ToPipeline, FromPipeline>

export const openPipelineHost = (kind: Config['pipelines']): PipelineHost =>
  kind === 'thread' ? inThread() : inProcess()

const CODE = new URL('pipeline-main.ts', import.meta.url)

/**
 * By itself V8 lets a heap grow to up to four times what lives in it and keeps the pages: 1.6 GB for 0.3 GB on 10,000
 * GPUs. Collecting at 1.45 times costs little processor time.
 */
const HEAP_GROWTH = '--heap-growing-percent=45'
/** V8 would take semi-spaces of 32 MiB each on a large machine, and keep them. What `run.json` tells Node comes first in threads. */
const SEMI_SPACE_MIB = 8

function inThread(): PipelineHost {
  setFlagsFromString(HEAP_GROWTH)
  // A young generation has three of them.
  return openThread(CODE, { name: 'pipeline', resourceLimits: { maxYoungGenerationSizeMb: 3 * SEMI_SPACE_MIB } })
}

function inProcess(): PipelineHost {
  const child = fork(fileURLToPath(CODE), {
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-semi-space-size=${SEMI_SPACE_MIB}`, HEAP_GROWTH],
    // Bytes travel as bytes.
    serialization: 'advanced',
  })
  const { promise, resolve } = Promise.withResolvers<Error | undefined>()
  child.once('error', resolve)
  child.once('exit', (code, signal) =>
    resolve(code === 0 ? undefined : new Error(`The process of a pipeline ended with ${signal ?? `code ${code}`}.`)),
  )
  return {
    tell: (message) => {
      // What is told to one that is gone is told to the next one, or to nobody.
      if (child.connected) child.send(message, () => undefined)
    },
    onMessage: (heard) => void child.on('message', (message: FromPipeline) => heard(message)),
    gone: promise,
    kill: () => void child.kill('SIGKILL'),
  }
}

/** After one was taken, and has begun, another is opened, milliseconds. */
const NEXT_AFTER_MS = 30_000

/** One that has loaded its code and waits, so that a cluster can be taken over that much sooner. */
export class SpareHost {
  readonly #open: () => PipelineHost
  #host: PipelineHost | undefined
  #opening: NodeJS.Timeout | undefined

  constructor(open: () => PipelineHost) {
    this.#open = open
    this.#next()
  }

  take(): PipelineHost | undefined {
    const taken = this.#host
    this.#host = undefined
    if (taken !== undefined) this.#opening = setTimeout(() => this.#next(), NEXT_AFTER_MS).unref()
    return taken
  }

  stop(): void {
    clearTimeout(this.#opening)
    this.take()?.kill()
    clearTimeout(this.#opening)
  }

  #next(): void {
    const host = this.#open()
    this.#host = host
    void host.gone.then(() => (this.#host = this.#host === host ? undefined : this.#host))
  }
}
