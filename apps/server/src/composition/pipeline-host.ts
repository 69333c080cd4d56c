import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

import type { Config } from '../config.ts'
import type { FromPipeline, ToPipeline } from './pipeline-messages.ts'

/** Where one pipeline runs, from the side of whoever started it. It has loaded its code when it is told anything. */
export type PipelineHost = {
  tell(message: ToPipeline): void
  onMessage(heard: (message: FromPipeline) => void): void
  /** Called with the error that ends it. */
  onError(failed: (error: Error) => void): void
  /** Called once it is gone, whatever it ended of. */
  onExit(gone: () => void): void
  isGone(): boolean
  kill(): void
}

export const openPipelineHost = (kind: Config['pipelines']): PipelineHost =>
  kind === 'thread' ? inThread() : inProcess()

const CODE = new URL('pipeline-main.ts', import.meta.url)

/**
 * By itself V8 lets a heap grow to up to four times what lives in it and keeps the pages: 1.6 GB for 0.3 GB on 10,000
 * GPUs. Collecting at 1.45 times costs little processor time.
 */
const HEAP_GROWTH = '--heap-growing-percent=45'
/** V8 would take semi-spaces of 32 MiB each on a large machine, and keep them. */
const SEMI_SPACE_MIB = 16

function inThread(): PipelineHost {
  setFlagsFromString(HEAP_GROWTH)
  const worker = new Worker(CODE, {
    name: 'pipeline',
    // A young generation has three of them.
    resourceLimits: { maxYoungGenerationSizeMb: 3 * SEMI_SPACE_MIB },
  })
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    tell: (message) => worker.postMessage(message),
    onMessage: (heard) => void worker.on('message', heard),
    onError: (failed) => void worker.once('error', failed),
    onExit: (gone) => void worker.once('exit', gone),
    isGone: () => worker.threadId === -1,
    kill: () => void worker.terminate(),
  }
}

function inProcess(): PipelineHost {
  const child = fork(fileURLToPath(CODE), {
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-semi-space-size=${SEMI_SPACE_MIB}`, HEAP_GROWTH],
    // Bytes travel as bytes.
    serialization: 'advanced',
  })
  return {
    tell: (message) => {
      // What is told to one that is gone is told to the next one, or to nobody.
      if (child.connected) child.send(message, () => undefined)
    },
    onMessage: (heard) => void child.on('message', (message: FromPipeline) => heard(message)),
    onError: (failed) => {
      child.once('error', failed)
      child.once('exit', (code, signal) => {
        if (code !== 0) failed(new Error(`The process of a pipeline ended with ${signal ?? `code ${code}`}.`))
      })
    },
    onExit: (gone) => void child.once('exit', gone),
    isGone: () => child.exitCode !== null || child.signalCode !== null,
    kill: () => void child.kill('SIGKILL'),
  }
}
