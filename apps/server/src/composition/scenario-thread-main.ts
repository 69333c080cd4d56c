import { parentPort, workerData } from 'node:worker_threads'

import { openScenario } from '@septet/domain'

import type { FromScenario, ToScenario } from './scenario-thread.ts'

const EVENTS = 2000
const TELL_MS = 200

/** Computes the scenario that the thread was made for. */
function run(question: ToScenario, post: (message: FromScenario) => void): void {
  const scenario = openScenario(question.source, question.scenario)
  let told = performance.now()
  while (scenario.advance(EVENTS)) {
    if (performance.now() - told < TELL_MS) continue
    told = performance.now()
    post({ kind: 'progress', ...scenario.progress() })
  }
  const result = scenario.result()
  post(result === undefined ? { kind: 'failed', message: 'It returned no result.' } : { kind: 'done', result })
}

if (parentPort !== null) {
  const port = parentPort
  run(workerData, (message) => port.postMessage(message))
}
