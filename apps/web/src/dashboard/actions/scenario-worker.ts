import { errorText } from '@septet/domain/words'
import { openScenario, type Scenario, type ScenarioResult, type ScenarioSource } from '@septet/domain'

/** What the page asks; it ends the worker to cancel. */
export type ScenarioOrder = { readonly source: ScenarioSource; readonly scenario: Scenario }

export type ScenarioNews =
  | { readonly kind: 'progress'; readonly done: number; readonly of: number }
  | { readonly kind: 'done'; readonly result: ScenarioResult }
  | { readonly kind: 'failed'; readonly message: string }

const EVENTS = 1000
const TELL_MS = 100

const tell = (news: ScenarioNews): void => postMessage(news)

addEventListener('message', ({ data }: MessageEvent<ScenarioOrder>) => {
  try {
    const run = openScenario(data.source, data.scenario)
    let told = performance.now()
    while (run.advance(EVENTS)) {
      if (performance.now() - told < TELL_MS) continue
      told = performance.now()
      tell({ kind: 'progress', ...run.progress() })
    }
    const result = run.result()
    if (result !== undefined) tell({ kind: 'done', result })
  } catch (error) {
    tell({ kind: 'failed', message: errorText(error) })
  }
})
