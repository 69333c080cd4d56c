import { openScenario, type Scenario, type ScenarioSource } from '@septet/domain'

import { answerInThread } from './run-in-thread.ts'

const EVENTS = 2000

type Question = { readonly source: ScenarioSource; readonly scenario: Scenario }

await answerInThread(({ source, scenario }: Question, progress) => {
  const run = openScenario(source, scenario)
  while (run.advance(EVENTS)) {
    const { done, of } = run.progress()
    progress(done, of)
  }
  const result = run.result()
  if (result === undefined) throw new Error('The scenario returned no result.')
  return result
})
