import {
  type Caller,
  type NoteStore,
  type Scenario,
  type ScenarioResult,
  type ScenarioSource,
  runScenario,
} from '@septet/domain'
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

type Parts = { readonly runScenario: RunScenario; readonly notes: NoteStore; readonly now: () => number }

/** Opens the service. `now` is in milliseconds since the epoch. */
export function openScenarioService({ runScenario: runElsewhere, notes, now }: Parts): ScenarioService {
  const tooLong = ' Start from the current workloads instead.'
  const background = openBackground<ScenarioResult>({ noun: 'scenario', atOnce: 1, now, notes, tooLong })
  return {
    ...background,
    start: (by, scenario, read) =>
      background.start(by, async (signal, progress) => {
        const source = await read()
        signal.throwIfAborted()
        const run = runElsewhere({ source, scenario }, progress)
        signal.addEventListener('abort', () => run.cancel(), { once: true })
        return run.answer
      }),
  }
}

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
