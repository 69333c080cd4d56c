import { expect, test } from 'vitest'

import { draw } from '../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { HOUR_MS, MINUTE_MS, instant } from '../units.ts'
import type { RecordedWrite } from './action-run.ts'
import { runFor } from './policy/drawn-run.fixture.ts'
import { stoppedByUndo, undoActions, undoStops } from './undo-stops.ts'

const BEFORE = draw`
  node-a  A100-SXM4-80GB  [7g.80gb -]
  node-a  A100-SXM4-80GB  [7g.80gb team/old]
`
const layout = [0, 4].map((start) => ({ profile: '3g.40gb', placement: { start, size: 4 } }))
const WISH = {
  kind: 'layout',
  targets: [{ gpu: 'GPU-node-a-0', migEnabled: true, layout }],
  moves: [],
} as const

const KEPT = runFor(BEFORE, WISH, {
  states: [
    ['approved', MINUTE_MS],
    ['applying', 2 * MINUTE_MS],
    ['kept', HOUR_MS],
  ],
})
/** As if every step had been begun. */
const run = {
  ...KEPT,
  transitions: [
    KEPT.transitions[0],
    ...KEPT.transitions.slice(1).map((each) => (each.state === 'applying' ? { ...each, step: 99 } : each)),
  ],
} as typeof KEPT

const after = (first: string, second: string): ClusterSnapshot => draw`
  node-a  A100-SXM4-80GB  [3g.40gb ${first}] [3g.40gb ${second}]
  node-a  A100-SXM4-80GB  [7g.80gb team/old]
`

test('an undo stops the pods that started on what it takes away, and no others', () => {
  expect(undoStops(run, after('team/new-1', 'team/new-2'))).toEqual({ pods: ['team/new-1', 'team/new-2'] })
  expect(undoStops(run, after('-', '-'))).toEqual({ pods: [] })
  // Taken back already, or never cut: nobody holds what would change.
  expect(undoStops(run, BEFORE)).toEqual({ pods: [] })
})

test('steps that were never begun stop nobody when they are taken back', () => {
  const [proposed] = run.transitions
  expect(undoStops({ ...run, transitions: [proposed] }, after('team/new-1', '-'))).toEqual({ pods: [] })
})

test('who holds the devices of a node is not known while its pods and devices do not add up, and never counts as nobody', () => {
  const seen = after('team/new-1', '-')
  const code = 'more-held-than-exists'
  const nodes = seen.nodes.map((node) => ({
    ...node,
    problems: [{ code, message: 'Ask more.', object: 'node/node-a' }],
  }))
  expect(undoStops(run, { ...seen, nodes })).toEqual({ unknown: expect.stringMatching(/node-a/u) })
  expect(undoStops(run, { ...seen, nodes: [] })).toEqual({ unknown: expect.stringMatching(/node-a/u) })
})

test('pods of a workload that gets its former size back are replaced', () => {
  const seen = draw`
    node-b  A100-SXM4-80GB  [3g.40gb team/api-1] [-]
  `
  const [asks] = [[{ resource: 'nvidia.com/mig-3g.40gb', count: 1 }]]
  const [step] = run.plan.steps
  if (step === undefined) throw new Error('no step')
  const back = { kind: 'resize', workload: 'team/Pod/api-1', from: asks ?? [], to: asks ?? [] } as const
  const resized = { ...run, plan: { ...run.plan, steps: [{ ...step, action: back, inverse: [back] }] } }
  expect(undoStops(resized, seen)).toEqual({ pods: ['team/api-1'] })
})

const sharedRun = runFor(
  draw`node-s  T4  [-]`,
  { kind: 'share', node: 'node-s', to: { kind: 'time-slicing', replicas: 2 }, tenant: 'team', moves: [] },
  { states: [['kept', HOUR_MS]] },
)
const SHARED = {
  ...sharedRun,
  transitions: [sharedRun.transitions[0], { ...sharedRun.transitions[0], state: 'applying', step: 99 }],
} as typeof sharedRun
const inUse = draw`
  node-s  T4  [1/2 team/one] [1/2 team/two]
  node-t  T4  [team/elsewhere]
`

test('the end of sharing stops everybody on the node, and nobody elsewhere', () => {
  expect(undoStops(SHARED, inUse)).toEqual({ pods: ['team/one', 'team/two'] })
})

test.each([
  ['a cut', run, after('team/new-1', 'team/new-2'), ['team/new-1', 'team/new-2']],
  ['sharing', SHARED, inUse, ['team/one', 'team/two']],
])('%s is taken back once those have left that were told to', (...[, before, seen, pods]) => {
  const actions = before.plan.steps.toReversed().flatMap((each) => undoActions(each, seen))
  const evicted = actions.flatMap((each) => (each.kind === 'evict' ? [each.pod] : []))
  expect(evicted.toSorted()).toEqual(pods)
  const kinds = actions.map(({ kind }) => kind)
  expect(kinds.lastIndexOf('evict')).toBeLessThan(kinds.findIndex((kind) => kind === 'repartition' || kind === 'share'))
})

test('a cut that is taken back gives way to whoever has set another configuration since', () => {
  const cuts = run.plan.steps.flatMap((each) => undoActions(each, BEFORE)).filter(({ kind }) => kind === 'repartition')
  const wanted = run.plan.steps.flatMap(({ action }) => (action.kind === 'repartition' ? [action.config] : []))
  expect(cuts.map((each) => 'replaces' in each && each.replaces)).toEqual(wanted)
})

const write = (what: string, isUndo: boolean, kind: 'done' | 'refused' | undefined): RecordedWrite => ({
  run: 'run-1',
  number: 1,
  at: instant(0),
  step: 1,
  isUndo,
  key: what,
  what,
  says: what,
  outcome: kind && { kind, at: instant(0), because: '' },
})

test('the journal tells which pods an undo evicted: once each, refused tries and the way there left out', () => {
  expect(
    stoppedByUndo([
      write('evict pods team/there', false, 'done'),
      write('evict pods team/b', true, 'refused'),
      write('evict pods team/b', true, 'done'),
      write('evict pods team/a', true, undefined),
      write('evict pods team/stays', true, 'refused'),
      write('patch nodes node-a', true, 'done'),
    ]),
  ).toEqual(['team/a', 'team/b'])
})

test('it tells too which pods an undo has replaced with another size', () => {
  expect(
    stoppedByUndo([
      { ...write('patch deployments team/api', false, 'done'), stops: ['team/there'] },
      { ...write('patch deployments team/api', true, 'refused'), stops: ['team/late'] },
      { ...write('patch deployments team/api', true, 'done'), stops: ['team/api-2', 'team/api-1'] },
      // Evicted since it never ran.
      { ...write('evict pods team/pending', true, 'done'), stops: [] },
    ]),
  ).toEqual(['team/api-1', 'team/api-2'])
})
