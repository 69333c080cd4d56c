import { runScenario, type Scenario, type ScenarioSource } from '@septet/domain'

import { answerInThread } from './run-in-thread.ts'

type Question = { readonly source: ScenarioSource; readonly scenario: Scenario }

await answerInThread(({ source, scenario }: Question, progress) => {
  const run = runScenario(source, scenario)
  for (let step = run.next(); ; step = run.next()) {
    if (step.done === true) return step.value
    progress(step.value.done, step.value.of)
  }
})
