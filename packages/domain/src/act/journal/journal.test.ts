import { expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import { withRequests } from '../../plan/steps/drawn-wishes.fixture.ts'
import { RUN_STATES, type RecordedWrite } from '../action-run.ts'
import { later, runFor } from '../policy/drawn-run.fixture.ts'
import { evidenceWords, journalLines } from './journal.ts'
import { HOUR_MS, MINUTE_MS } from '../../units.ts'

const cluster = withRequests(draw`node-a  T4  [lab/one]`)
const wish = { kind: 'scale', workload: 'lab/Pod/one', to: 0 } as const
const write = (number: number, at: number, rest: Partial<RecordedWrite> = {}): RecordedWrite => ({
  run: 'run-1',
  number,
  at: later(at),
  step: 1,
  isUndo: false,
  key: `write-${number}`,
  what: 'patch pods lab/one',
  says: 'Stop it.',
  outcome: undefined,
  ...rest,
})

test('there is no state whose sentence has nothing to be checked by', () => {
  for (const state of RUN_STATES) {
    const { transitions } = journalLines(runFor(cluster, wish, { states: [[state, HOUR_MS]] }), [])
    expect(transitions.filter(({ evidence }) => evidence.length === 0)).toEqual([])
    for (const { evidence } of transitions) for (const each of evidence) expect(evidenceWords(each)).not.toBe('')
  }
})

test('a proposal is checked by the hours that it was concluded from, a step by what was written for it', () => {
  const run = runFor(cluster, wish, {
    states: [
      ['approved', HOUR_MS, 'ann@example.com'],
      ['applying', 2 * HOUR_MS],
      ['applied', 3 * HOUR_MS],
      ['kept', 4 * HOUR_MS],
    ],
  })
  const writes = [write(1, 2 * HOUR_MS + MINUTE_MS), write(2, 3 * HOUR_MS - MINUTE_MS)]
  const { transitions, writes: written } = journalLines(run, writes)
  const evidence = (number: number) =>
    transitions.find((each) => each.number === number)?.evidence.map(({ kind, id }) => [kind, id])
  expect(evidence(1)).toEqual([
    ['recommendation', 'advice-run-1'],
    ['workload', 'lab/Pod/one'],
  ])
  expect(transitions[0]?.evidence[1]?.window).toEqual(run.recommendation.evidence.window)
  expect(evidence(2)).toEqual([['plan', run.digest]])
  expect(evidence(4)).toEqual([
    ['step', '1'],
    ['plan', run.digest],
  ])
  expect(transitions.at(-1)?.evidence).toEqual([
    { kind: 'workload', id: 'lab/Pod/one', window: { from: later(3 * HOUR_MS), to: later(4 * HOUR_MS) } },
    { kind: 'saving', id: 'run-1', window: undefined },
  ])
  expect(written.map((each) => each.evidence.map(({ kind, id }) => [kind, id]))).toEqual(
    writes.map(() => [
      ['step', '1'],
      ['workload', 'lab/Pod/one'],
    ]),
  )
})

test('a failure is checked by the writes since the sentence before; a warning stands on its object', () => {
  const run = runFor(cluster, wish, {
    states: [
      ['warned', HOUR_MS],
      ['applying', 2 * HOUR_MS],
      ['failed', 3 * HOUR_MS],
    ],
  })
  const { transitions, writes } = journalLines(run, [
    write(1, HOUR_MS, { step: 0, key: 'warn' }),
    write(2, 2 * HOUR_MS + MINUTE_MS),
  ])
  expect(transitions.at(-1)?.evidence[0]).toMatchObject({ kind: 'write', id: '2' })
  expect(transitions[1]?.evidence[0]).toMatchObject({ kind: 'write', id: '1' })
  expect(writes[0]?.evidence).toEqual([{ kind: 'workload', id: 'lab/Pod/one', window: undefined }])
})
