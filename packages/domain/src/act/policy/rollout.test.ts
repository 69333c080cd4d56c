import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ActionRun, RunState } from '../action-run.ts'
import { DEFAULT_ACT_POLICY } from './act-policy.ts'
import { later, runFor } from './drawn-run.fixture.ts'
import { nodesAtOnce, rolloutOf } from './rollout.ts'
import { HOUR_MS } from '../../units.ts'

const cluster = draw`node-a T4 [lab/one]`
type States = ReadonlyArray<readonly [RunState, number, string?]>
const run = (id: string, states: States): ActionRun =>
  runFor(cluster, { kind: 'scale', workload: 'lab/Pod/one', to: 0 }, { id, states })
const kept = (hour: number, by = 'septet'): ActionRun =>
  run(`kept-${hour}`, [
    ['approved', hour * HOUR_MS, by],
    ['applying', hour * HOUR_MS + 1],
    ['applied', hour * HOUR_MS + 2],
    ['verified', hour * HOUR_MS + 3],
    ['kept', hour * HOUR_MS + 4],
  ])
const reverted = (hour: number, by = 'septet'): ActionRun =>
  run(`reverted-${hour}`, [
    ['approved', hour * HOUR_MS, by],
    ['applying', hour * HOUR_MS + 1],
    ['reverting', hour * HOUR_MS + 2],
    ['reverted', hour * HOUR_MS + 3],
  ])
const rollout = (runs: readonly ActionRun[], policy = DEFAULT_ACT_POLICY) => rolloutOf('reclaim-idle', runs, policy)

test('it starts with one node and goes on with every three runs kept', () => {
  const stages = Array.from({ length: 9 }, (_, count) =>
    rollout(Array.from({ length: count }, (_each, hour) => kept(hour))),
  )
  expect(stages.map(({ stage }) => stage)).toEqual([
    ...Array.from({ length: 3 }, () => 'one-node'),
    ...Array.from({ length: 3 }, () => 'ten-percent'),
    ...Array.from({ length: 3 }, () => 'all'),
  ])
  expect(stages.map((each) => each.kept)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2])
})

test('only what Septet approved itself counts forward, and only of the same class', () => {
  const approved = Array.from({ length: 5 }, (_, hour) => kept(hour, 'ann@example.com'))
  expect(rollout(approved)).toEqual({ stage: 'one-node', kept: 0, halted: undefined })
  expect(rolloutOf('share', [kept(0), kept(1), kept(2)], DEFAULT_ACT_POLICY)).toMatchObject({ kept: 0 })
})

test('the first run that is taken back stops it, whoever approved it', () => {
  const before = Array.from({ length: 7 }, (_, hour) => kept(hour))
  expect(rollout([...before, reverted(8, 'ann@example.com'), kept(9), kept(10), kept(11)])).toEqual({
    stage: 'one-node',
    kept: 0,
    halted: { run: 'reverted-8', at: later(8 * HOUR_MS + 2), because: 'It is reverting.' },
  })
})

test('a run that was kept and is taken back later stops it, and so does one that fails half-way', () => {
  const undone = run('undone', [...keptStates, ['reverting', 2 * HOUR_MS, 'ann@example.com']])
  expect(rollout([undone]).halted?.run).toBe('undone')
  const stuck = run('stuck', [
    ['approved', 1],
    ['applying', 2],
    ['failed', 3],
  ])
  expect(rollout([stuck]).halted?.run).toBe('stuck')
})
const keptStates: States = [
  ['approved', 1],
  ['applying', 2],
  ['applied', 3],
  ['verified', 4],
  ['kept', 5],
]

test('a run that failed before it wrote anything stops nothing', () => {
  const harmless = run('harmless', [
    ['approved', 1],
    ['failed', 2],
  ])
  expect(rollout([harmless, kept(1)])).toEqual({ stage: 'one-node', kept: 1, halted: undefined })
})

test('once a person lets it go on it begins again with one node', () => {
  const runs = [kept(0), kept(1), kept(2), reverted(3), kept(6)]
  const resumedAt = { 'reclaim-idle': later(4 * HOUR_MS) }
  const policy = { ...DEFAULT_ACT_POLICY, auto: { ...DEFAULT_ACT_POLICY.auto, resumedAt } }
  expect(rollout(runs, policy)).toEqual({ stage: 'one-node', kept: 1, halted: undefined })
})

test('a tenth of a small cluster is one node', () => {
  const stages = ['one-node', 'ten-percent', 'all'] as const
  expect(stages.map((stage) => nodesAtOnce(stage, 8))).toEqual([1, 1, 8])
  expect(stages.map((stage) => nodesAtOnce(stage, 250))).toEqual([1, 25, 250])
})
