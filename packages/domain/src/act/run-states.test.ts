import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw, DRAWN_AT } from '../cluster/draw.fixture.ts'
import type { Action } from '../plan/words/action.ts'
import { HOUR_MS, instant } from '../units.ts'
import { RUN_STATES, type ActionRun, type RunState, type Transition } from './action-run.ts'
import { runFor } from './policy/drawn-run.fixture.ts'
import {
  canBeUndone,
  goneNodes,
  isBeforeWriting,
  mayFollow,
  OPEN_STATES,
  OVER_STATES,
  reachedStep,
  SETBACK_STATES,
  WORKING_STATES,
} from './run-states.ts'

const SHARED = runFor(draw`a  T4  [-]`, {
  kind: 'share',
  node: 'a',
  to: { kind: 'time-slicing', replicas: 4 },
  tenant: 'lab',
  moves: [],
})

/** A run that has come through these states, at these steps where one is named, and whose steps do this. */
function runThrough(
  states: ReadonlyArray<RunState | readonly [RunState, number]>,
  actions?: readonly Action[],
): ActionRun {
  const [proposed] = SHARED.transitions
  const [step] = SHARED.plan.steps
  if (step === undefined) throw new Error('the plan has a step')
  const steps = actions?.map((action, order) => ({ ...step, number: order + 1, action })) ?? SHARED.plan.steps
  const more = states.map((each, order): Transition => {
    const [state, at] = typeof each === 'string' ? [each, undefined] : each
    const told = { number: order + 2, at: DRAWN_AT, by: 'septet', because: '' }
    return { ...told, state, ...(at === undefined ? {} : { step: at }) }
  })
  return { ...SHARED, plan: { ...SHARED.plan, steps }, transitions: [proposed, ...more] }
}

/** A way through the states that runs may take, drawn. */
const WAYS: fc.Arbitrary<readonly RunState[]> = fc.array(fc.nat(20), { maxLength: 30 }).map((choices) => {
  const way: RunState[] = ['proposed']
  for (const choice of choices) {
    const next = RUN_STATES.filter((state) => mayFollow(way.at(-1) ?? 'proposed', state))
    const chosen = next[choice % Math.max(1, next.length)]
    if (chosen === undefined) break
    way.push(chosen)
  }
  return way
})

describe('states of a run', () => {
  test('are each either open or over', () => {
    expect([...OPEN_STATES, ...OVER_STATES].toSorted()).toEqual([...RUN_STATES].toSorted())
    expect(OPEN_STATES.filter((state) => !WORKING_STATES.includes(state))).toEqual(['proposed'])
  })

  test('each can be reached, and what is over leads to nothing but being taken back', () => {
    const reached = new Set<RunState>(['proposed'])
    for (const from of reached) for (const to of RUN_STATES) if (mayFollow(from, to)) reached.add(to)
    expect([...reached].toSorted()).toEqual([...RUN_STATES].toSorted())
    for (const state of OVER_STATES) {
      const next = RUN_STATES.filter((to) => mayFollow(state, to))
      expect(next).toEqual(state === 'kept' || state === 'failed' ? ['reverting'] : [])
    }
  })

  test('nothing was written before its states that say so, and never again once something was', () => {
    fc.assert(
      fc.property(WAYS, (way) => {
        const began = way.findIndex((state) => state === 'applying' || state === 'applied')
        const before = way.slice(0, began < 0 ? way.length : began)
        expect(
          before.every((state) => isBeforeWriting(state) || OVER_STATES.includes(state) || state === 'reverting'),
        ).toBe(true)
        expect(way.slice(before.length).filter(isBeforeWriting)).toEqual([])
      }),
    )
  })

  test('a way that ends well has no setback in it', () => {
    fc.assert(
      fc.property(WAYS, (way) => {
        const kept = way.slice(0, way.indexOf('kept') + 1)
        expect(kept.filter((state) => SETBACK_STATES.includes(state))).toEqual([])
      }),
    )
  })
})

const REMOVE = { kind: 'remove-node', node: 'a' } as const
const KEEP = {
  kind: 'keep-free',
  nodes: [{ node: 'a', gpus: 8 }],
  at: instant(0),
  until: instant(HOUR_MS),
} as const
const CORDON = { kind: 'cordon', node: 'a' } as const
const DONE: readonly RunState[] = ['approved', 'checked', 'rehearsed', 'applying', 'applied']

describe('a run can be taken back', () => {
  test.each<[string, ActionRun, boolean]>([
    ['once its steps are done', runThrough(DONE), true],
    ['while it is watched, and after that', runThrough([...DONE, 'verified', 'kept']), true],
    ['half-way', runThrough(['approved', 'checked', 'rehearsed', 'applying']), true],
    ['where it failed half-way', runThrough(['approved', 'checked', 'rehearsed', ['applying', 2], 'failed']), true],
  ])('%s', (_, run, can) => expect(canBeUndone(run)).toBe(can))

  test.each<[string, ActionRun, boolean]>([
    ['before anything was written', runThrough(['approved', 'checked']), false],
    ['while it is taken back already, or has been', runThrough([...DONE, 'reverting']), false],
    ['that somebody else applied', runThrough(['approved', 'handed-over', 'applied']), false],
    ['once its machine is gone', runThrough([...DONE.slice(0, 3), ['applying', 2]], [REMOVE, CORDON]), false],
    ['as an appointment that is over', runThrough([...DONE, 'verified'], [CORDON, KEEP]), false],
  ])('never %s', (_, run, can) => expect(canBeUndone(run)).toBe(can))

  test('as long as its machine is still there, and its appointment not over', () => {
    expect(canBeUndone(runThrough([...DONE.slice(0, 3), ['applying', 1]], [REMOVE, CORDON]))).toBe(true)
    expect(canBeUndone(runThrough([...DONE.slice(0, 3), ['applying', 2]], [CORDON, KEEP]))).toBe(true)
    expect(canBeUndone(runThrough([...DONE.slice(0, 3), ['applying', 2], 'failed'], [CORDON, KEEP]))).toBe(true)
  })
})

test('the furthest step counts, however far it has gone back since; machines gone before it are gone', () => {
  const back = runThrough(
    [
      ['applying', 1],
      ['applying', 3],
      ['reverting', 1],
    ],
    [REMOVE, CORDON],
  )
  expect([reachedStep(back), goneNodes(back)]).toEqual([3, ['a']])
  expect([reachedStep(SHARED), goneNodes(SHARED)]).toEqual([0, []])
})
