import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import { HOUR_MS, instant, type Instant } from '../../units.ts'
import type { ActionRun, RunState } from '../action-run.ts'
import { later, runFor } from './drawn-run.fixture.ts'
import {
  countsFrom,
  firstDue,
  isRunStuck,
  isUnderWay,
  setbacksOf,
  spokenFor,
  wasAutomatic,
  wasHandedOver,
} from './run-times.ts'

const share = { kind: 'share', node: 'a', to: { kind: 'mps', replicas: 2 }, tenant: 'lab', moves: [] } as const
/** A run that came through these states, one after the other each hour. */
const through = (...states: readonly RunState[]): ActionRun =>
  runFor(draw`a  T4  [-]`, share, { states: states.map((state, order) => [state, (order + 1) * HOUR_MS]) })
const hour = (count: number): Instant => later(count * HOUR_MS)
const BEGUN = ['approved', 'checked', 'rehearsed', 'applying'] as const

describe('a run counts as a change of the cluster', () => {
  test.each<[string, ActionRun, Instant | undefined]>([
    ['not before it is judged', through('approved'), undefined],
    ['from its judgement on, before it has written', through('approved', 'checked', 'rehearsed'), hour(3)],
    ['not while its owner is warned: it is judged again', through('approved', 'checked', 'warned'), undefined],
    ['from its last write on', through(...BEGUN, 'applied', 'verified', 'kept'), hour(5)],
    ['from being taken back on, too', through(...BEGUN, 'reverting', 'reverted'), hour(6)],
    ['not at all where it was cancelled', through('approved', 'cancelled'), undefined],
  ])('%s', (...[, run, from]) => expect(countsFrom(run)).toBe(from))
})

test.each<[string, ActionRun, boolean, boolean]>([
  ['waits for approval', through(), false, false],
  ['is about to begin', through('approved', 'checked'), true, false],
  ['writes', through(...BEGUN), true, false],
  ['was not looked at yet', through(...BEGUN, 'applied'), true, false],
  ['is taken back', through(...BEGUN, 'reverting'), true, false],
  ['is watched', through(...BEGUN, 'applied', 'verified'), false, false],
  ['failed half-way', through(...BEGUN, 'failed'), false, true],
  ['failed before it wrote', through('approved', 'failed'), false, false],
])('one that %s is under way, or stuck', (...[, run, underWay, stuck]) => {
  expect([isUnderWay(run), isRunStuck(run)]).toEqual([underWay, stuck])
})

const states = (run: ActionRun) => setbacksOf(run).map(({ state }) => state)

test('setbacks are what was taken back, or failed after it had written', () => {
  expect(states(through(...BEGUN, 'reverting', 'failed'))).toEqual(['reverting', 'failed'])
  expect(states(through('approved', 'failed'))).toEqual([])
  expect(states(through(...BEGUN, 'applied', 'kept'))).toEqual([])
})

test('who applies a run, and who approved it, stays told whatever comes after', () => {
  expect(wasHandedOver(through('approved', 'handed-over', 'applied', 'kept'))).toBe(true)
  expect(wasHandedOver(through(...BEGUN))).toBe(false)
  expect(wasAutomatic(through(...BEGUN, 'kept'))).toBe(true)
  const byAnn = runFor(draw`a  T4  [-]`, share, { states: [['approved', HOUR_MS, 'ann@example.com']] })
  expect(wasAutomatic(byAnn)).toBe(false)
})

test('an appointment has a time of its own, and speaks for its nodes from the beginning', () => {
  const run = through()
  const [step] = run.plan.steps
  if (step === undefined) throw new Error('the plan has a step')
  const kept = (...nodes: string[]) => ({
    plan: {
      ...run.plan,
      steps: [
        { ...step, notBefore: hour(9), action: { kind: 'cordon', node: nodes[0] ?? '' } as const },
        {
          ...step,
          action: {
            kind: 'keep-free',
            nodes: nodes.map((node) => ({ node, gpus: 1 })),
            at: instant(0),
            until: instant(1),
          } as const,
        },
      ],
    },
  })
  expect(spokenFor([kept('a', 'b'), run, kept('b', 'c')])).toEqual(['a', 'b', 'c'])
  expect([firstDue(kept('a').plan), firstDue(run.plan)]).toEqual([hour(9), undefined])
})
