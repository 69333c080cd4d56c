import { Worker } from 'node:worker_threads'

import type { Scenario, ScenarioResult, ScenarioSource } from '@septet/domain'

import type { RunScenario } from '../operations/scenarios/scenario-service.ts'

/** What the thread tells. */
export type FromScenario =
  | { readonly kind: 'progress'; readonly done: number; readonly of: number }
  | { readonly kind: 'done'; readonly result: ScenarioResult }
  | { readonly kind: 'failed'; readonly message: string }

export type ToScenario = { readonly source: ScenarioSource; readonly scenario: Scenario }

const HEAP_MIB = 1024

/** Computes a scenario in a thread of its own, which ends with it; cancelling ends it at once. */
export const runScenarioInThread: RunScenario = (question, progress) => {
  const { promise, resolve, reject } = Promise.withResolvers<ScenarioResult>()
  const worker = new Worker(new URL('scenario-thread-main.ts', import.meta.url), {
    name: 'scenario',
    workerData: question satisfies ToScenario,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  worker.on('message', (message: FromScenario) => {
    if (message.kind === 'progress') progress(message.done, message.of)
    else if (message.kind === 'done') resolve(message.result)
    else reject(new Error(message.message))
  })
  worker.once('error', (error) => reject(new Error(`The scenario could not be computed: ${String(error)}`)))
  worker.once('exit', () => reject(new Error('The scenario was stopped before it was done.')))
  return { result: promise, cancel: () => void worker.terminate() }
}
