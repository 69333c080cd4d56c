import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

import type { ServerEvent } from '@septet/contract'
import type { ModelSection, ClusterRecord, DraftQuestion, Log, WorkloadId } from '@septet/domain'

import type { ClusterSource } from '../config.ts'
import type { ClusterFacts } from '../facts.ts'
import type { Pace } from '../pace.ts'
import { ModelFacts, type Asks } from '../read-model/model-facts.ts'
import { errorOf, type AnalysisOf, type Answer, type Failure } from '../read-model/questions.ts'
import type { DemoAddresses } from './demo-process.ts'
import type { StoreAddress } from './open-store.ts'

/** All that a pipeline needs to know; it travels to its thread, so it is data. */
export type PipelineSettings = {
  readonly record: ClusterRecord
  readonly source:
    | { readonly kind: 'cluster'; readonly cluster: ClusterSource }
    | { readonly kind: 'demo'; readonly addresses: DemoAddresses }
    /** Another Septet watches it: what that one writes into the store is followed. */
    | { readonly kind: 'store' }
  readonly store: StoreAddress
  readonly pace: Pace
  readonly logLevel: string
}

export type ToPipeline =
  | { readonly kind: 'begin'; readonly settings: PipelineSettings }
  | { readonly kind: 'analysis'; readonly of: AnalysisOf; readonly isKnown: boolean }
  | { readonly kind: 'draft'; readonly number: number; readonly question: DraftQuestion }
  | { readonly kind: 'workload'; readonly number: number; readonly id: WorkloadId }
  | { readonly kind: 'stop' }

/** What a pipeline tells the thread that answers. */
export type FromPipeline =
  | { readonly kind: 'begun' }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'sections'; readonly sections: readonly ModelSection[] }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'stage'; readonly stage: string; readonly tookMs: number }
  | { readonly kind: 'stopped' }

export type PipelineThread = {
  facts(): ClusterFacts
  rename(record: ClusterRecord): void
  /** Writes what is not written yet, and ends. */
  stop(): Promise<void>
}

export type PipelineThreadOptions = {
  readonly settings: PipelineSettings
  /** A thread that was made beforehand and has loaded its code meanwhile. */
  readonly worker: Worker
  readonly log: Log
  readonly publish: (event: ServerEvent) => void
  readonly observe: (stage: string, tookMs: number) => void
}

const RESTART_AFTER_MS = 1000
const STOP_WITHIN_MS = 20_000

/** Three semi-spaces of 16 MiB: V8 would take 32 MiB each on a large machine, and keep them. */
const YOUNG_MIB = 48

/** Makes a thread that loads its code and waits for `startPipelineThread`. */
export function preparePipelineThread(): Worker {
  // By itself V8 lets a heap grow to up to four times what lives in it and keeps the pages. On 10,000 GPUs that was
  // 1.6 GB for 0.3 GB; collecting at 1.7 times costs little processor time.
  setFlagsFromString('--heap-growing-percent=45')
  return new Worker(new URL('pipeline-thread-main.ts', import.meta.url), {
    name: 'pipeline',
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  })
}

/**
 * Runs a cluster's pipeline in a thread. One that dies of an error is begun again, and what it told stays. Throws what
 * the pipeline throws when it cannot begin at all.
 */
export async function startPipelineThread(options: PipelineThreadOptions): Promise<PipelineThread> {
  const { settings, log } = options
  let worker = options.worker
  let stopping = false
  const asks: Asks = {
    analysis: (of, isKnown) => tell(worker, { kind: 'analysis', of, isKnown }),
    draft: (number, question) => tell(worker, { kind: 'draft', number, question }),
    workload: (number, id) => tell(worker, { kind: 'workload', number, id }),
  }
  const facts = new ModelFacts(settings.record, asks, options.publish)
  const begin = (): Promise<void> => {
    worker.once('error', (error) =>
      log.error('a pipeline failed', { cluster: settings.record.id, error: String(error) }),
    )
    worker.once('exit', () => {
      facts.abandon(new Error(`The pipeline of ${settings.record.name} was interrupted and begins again.`))
      if (!stopping) setTimeout(again, RESTART_AFTER_MS)
    })
    return begun(worker, facts, { ...options, settings: { ...settings, record: facts.record } })
  }
  const again = (): void => {
    if (stopping) return
    worker = preparePipelineThread()
    begin().catch((error: unknown) => {
      log.error('a pipeline did not begin again', { cluster: settings.record.id, error: String(error) })
      void worker.terminate()
    })
  }
  await begin().catch(async (error: unknown) => {
    stopping = true
    await worker.terminate()
    throw error
  })
  return {
    facts: () => facts,
    rename: (record) => facts.rename(record),
    stop: async () => {
      stopping = true
      await ended(worker, () => log.warn('a pipeline did not end in time', { cluster: settings.record.id }))
    },
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const tell = (worker: Worker, message: ToPipeline): void => worker.postMessage(message)

/** Resolves when the pipeline has begun, and hears it from then on. */
function begun(worker: Worker, facts: ModelFacts, options: PipelineThreadOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  worker.on('message', (message: FromPipeline) => {
    switch (message.kind) {
      case 'begun':
        return resolve()
      case 'refused':
        return reject(errorOf(message.failure))
      case 'stage':
        return options.observe(message.stage, message.tookMs)
      case 'sections':
        return facts.take(message.sections)
      case 'answer':
        return facts.takeAnswer(message.answer)
      case 'stopped':
        return undefined
    }
  })
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('The pipeline ended before it had begun.')))
  tell(worker, { kind: 'begin', settings: options.settings })
  return promise
}

async function ended(worker: Worker, tooLate: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  worker.once('exit', () => resolve())
  if (worker.threadId === -1) return
  tell(worker, { kind: 'stop' })
  const force = setTimeout(() => {
    tooLate()
    void worker.terminate()
  }, STOP_WITHIN_MS)
  await promise
  clearTimeout(force)
}
