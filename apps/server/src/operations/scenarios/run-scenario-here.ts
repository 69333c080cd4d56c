import { runScenario, type ScenarioResult } from '@septet/domain'

import type { RunScenario } from './scenario-service.ts'

/** Computes in this thread, in pieces between other work: for tests, and where no thread can be had. */
export const runScenarioHere: RunScenario = ({ source, scenario }, progress) => {
  const cancelled = new AbortController()
  const computed = async (): Promise<ScenarioResult> => {
    const run = runScenario(source, scenario)
    for (let step = run.next(); ; step = run.next()) {
      if (step.done === true) return step.value
      progress(step.value.done, step.value.of)
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
      if (cancelled.signal.aborted) throw new Error('The scenario was cancelled.')
    }
  }
  return { answer: computed(), cancel: () => cancelled.abort() }
}
