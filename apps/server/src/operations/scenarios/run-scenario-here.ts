import { openScenario, type ScenarioResult } from '@septet/domain'

import type { RunScenario } from './scenario-service.ts'

/** Computes in this thread, in pieces between other work: for tests, and where no thread can be had. */
export const runScenarioHere: RunScenario = ({ source, scenario }, progress) => {
  const cancelled = new AbortController()
  const computed = async (): Promise<ScenarioResult> => {
    const run = openScenario(source, scenario)
    while (run.advance(500)) {
      const { done, of } = run.progress()
      progress(done, of)
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
      if (cancelled.signal.aborted) throw new Error('The scenario was cancelled.')
    }
    const result = run.result()
    if (result === undefined) throw new Error('The scenario has no result.')
    return result
  }
  return { answer: computed(), cancel: () => cancelled.abort() }
}
