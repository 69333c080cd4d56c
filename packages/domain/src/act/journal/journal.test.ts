import { expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import { withRequests } from '../../plan/steps/drawn-wishes.fixture.ts'
import { type ActionRun, RUN_STATES, type RecordedWrite, type Transition } from '../action-run.ts'
import { adviceIn, later, runFor, withAdvice } from '../policy/drawn-run.fixture.ts'
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
  expect(transitions[0]?.evidence[1]?.window).toEqual(adviceIn(run).evidence.window)
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

/** The steps by which each sentence is checked, of a run of two steps that went through these states. */
function stepsTold(...states: ReadonlyArray<readonly [state: Transition['state'], step: number]>) {
  const one = runFor(cluster, wish)
  const [step] = one.plan.steps
  if (step === undefined) throw new Error('the plan has a step')
  const run: ActionRun = {
    ...one,
    plan: { ...one.plan, steps: [step, { ...step, number: 2 }] },
    transitions: [
      one.transitions[0],
      ...states.map(([state, at], index) => ({ ...one.transitions[0], number: index + 2, state, step: at })),
    ],
  }
  return journalLines(run, [])
    .transitions.slice(1)
    .map(({ evidence }) => evidence.flatMap(({ kind, id }) => (kind === 'step' ? [id] : [])))
}

test('a sentence is checked by the step that it begins, ends or takes back', () => {
  // It begins with the first; then the first is done, then the second.
  expect(stepsTold(['applying', 1], ['applying', 2], ['applying', 3])).toEqual([['1'], ['1'], ['2']])
  // It is taken back from the second on; then that is, then the first.
  expect(stepsTold(['reverting', 2], ['reverting', 1], ['reverting', 0])).toEqual([['2'], ['2'], ['1']])
  expect(stepsTold(['reverting', 0])).toEqual([[]])
})

test('an appointment is checked by its plan: nothing recommended it', () => {
  const run = runFor(cluster, wish, { class: 'appointment', states: [['rejected', HOUR_MS]] })
  const { transitions } = journalLines(run, [])
  expect(transitions.map(({ evidence }) => evidence[0])).toMatchObject([
    { kind: 'plan', id: run.digest },
    { kind: 'plan', id: run.digest },
  ])
})

test('what has no estimate is kept by its hours alone', () => {
  const run = runFor(cluster, wish, { states: [['kept', HOUR_MS]] })
  const unmeasured = withAdvice(run, { saving: { kind: 'none', brings: '', because: '' } })
  const { transitions } = journalLines(unmeasured, [])
  expect(transitions.at(-1)?.evidence.map(({ kind }) => kind)).toEqual(['workload'])
})

test.each([
  ['workload', 'lab/Deployment/chat', 'lab/chat'],
  ['node', 'gpu-1', 'gpu-1'],
  ['plan', '0123456789abcdef', 'plan 01234567'],
  ['step', '3', 'step 3'],
  ['write', '7', 'write 7'],
  ['policy', 'share', 'what Septet may do'],
  ['reading', '0', 'reading of the cluster'],
  ['saving', 'run-1', 'measured saving'],
  ['recommendation', 'r', 'recommendation'],
] as const)('%s %s is called %s', (kind, id, words) =>
  expect(evidenceWords({ kind, id, window: undefined })).toBe(words),
)
