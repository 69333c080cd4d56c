import { expect, test } from 'vitest'

import { actionRun, RECOMMENDATION } from '../action-run.fixture.ts'
import { actionTransitions } from '../action-schema.ts'
import { rowOf } from '../rows.ts'
import { runRow, toRun, type TransitionRow } from './action-rows.ts'

/** A run as it comes back from what an older Septet has kept: with a recommendation, whoever asked for it. */
async function keptBefore(rest: object) {
  const { cause: _cause, ...run } = actionRun('r', rest)
  const row = await runRow(Object.assign(run, { cause: undefined as never, recommendation: RECOMMENDATION }, rest))
  return toRun(
    row,
    run.transitions.map((each) => rowOf(actionTransitions, { ...each, run: run.id }) as TransitionRow),
  )
}

test('what an older Septet has kept of a recommendation comes from that', async () => {
  const run = await keptBefore({})
  expect(run?.cause).toEqual({ kind: 'advice', recommendation: RECOMMENDATION })
  expect(run).not.toHaveProperty('recommendation')
})

test('what a person asked for has no evidence, though an older Septet has invented some', async () => {
  const saving = { kind: 'none', brings: '2 GPUs at 2026-11-30 09:00 UTC', because: '4 GPU-hours sit idle.' }
  const recommendation = { ...RECOMMENDATION, kind: 'appointment', saving }
  const run = await keptBefore({ class: 'appointment', recommendation })
  expect(run?.cause).toEqual({ kind: 'wish', wants: saving.brings, costs: saving.because })
})
