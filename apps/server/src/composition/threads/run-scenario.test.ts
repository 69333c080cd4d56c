import type { Scenario, ScenarioSource } from '@septet/domain'
import { expect, test } from 'vitest'

import { runScenarioHere } from '../../operations/scenarios/scenario-service.ts'
import { runScenarioInThread } from './run-scenario.ts'

const PODS = 400
const SOURCE: ScenarioSource = {
  cluster: 'lab',
  kind: 'week',
  from: 0,
  to: 86_400_000,
  groups: [{ model: 'A100-SXM4-80GB', pool: '', nodes: 2, gpusPerNode: 4, price: 1, cuts: [] }],
  shapes: [
    { model: 'A100-SXM4-80GB', size: { kind: 'mig', profile: '2g.20gb' } },
    { model: 'A100-SXM4-80GB', size: { kind: 'whole', gpus: 2 } },
  ],
  jobs: {
    at: Array.from({ length: PODS }, (_, pod) => pod * 97),
    stays: Array.from({ length: PODS }, (_, pod) => 600 + ((pod * 7919) % 5000)),
    shape: Array.from({ length: PODS }, (_, pod) => (pod % 5 === 0 ? 1 : 0)),
    fit: Array<number>(PODS).fill(0),
    tenant: Array.from({ length: PODS }, (_, pod) => pod % 3),
    work: Array<number>(PODS).fill(0.1),
  },
  notes: [],
}
const SCENARIO: Scenario = {
  from: 'week',
  changes: [],
  boards: 'same',
  sizes: 'held',
}

test('a thread comes to the same result as its caller would', async () => {
  const here = await runScenarioHere({ source: SOURCE, scenario: SCENARIO }, () => undefined).answer
  const there = await runScenarioInThread({ source: SOURCE, scenario: SCENARIO }, () => undefined).answer
  expect(there).toEqual(here)
})

test('a thread that is cancelled ends, and says so', async () => {
  const running = runScenarioInThread({ source: SOURCE, scenario: SCENARIO }, () => undefined)
  running.cancel()
  await expect(running.answer).rejects.toThrow('stopped before it was done')
})
