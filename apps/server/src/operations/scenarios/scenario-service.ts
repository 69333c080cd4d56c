import type { Caller, Scenario, ScenarioResult, ScenarioSource } from '@septet/domain'

import { openBackground, type Background } from '../background/background-service.ts'

/** A scenario that is being computed somewhere. */
type RunningScenario = {
  /** Rejects with an error for people, also when it was cancelled. */
  readonly answer: Promise<ScenarioResult>
  cancel(): void
}

/** Computes a scenario where no answer waits for it, and tells how far it is. */
export type RunScenario = (
  question: { readonly source: ScenarioSource; readonly scenario: Scenario },
  progress: (done: number, of: number) => void,
) => RunningScenario

type Started = ReturnType<Background<ScenarioResult>['start']>

/** Scenarios of all callers: one is computed at a time. */
export type ScenarioService = Pick<Background<ScenarioResult>, 'get' | 'cancel'> & {
  /** Throws a refusal where too many wait. */
  start(by: Pick<Caller, 'id' | 'kind'>, scenario: Scenario, source: () => Promise<ScenarioSource>): Started
}

/** Opens the service. `now` is in milliseconds since the epoch. */
export function openScenarioService(runScenario: RunScenario, now: () => number): ScenarioService {
  const tooLong = ' Start from the current workloads instead.'
  const background = openBackground<ScenarioResult>({ noun: 'scenario', atOnce: 1, now, tooLong })
  return {
    ...background,
    start: (by, scenario, read) =>
      background.start(by, async (signal, progress) => {
        const source = await read()
        signal.throwIfAborted()
        const run = runScenario({ source, scenario }, progress)
        signal.addEventListener('abort', () => run.cancel(), { once: true })
        return run.answer
      }),
  }
}
