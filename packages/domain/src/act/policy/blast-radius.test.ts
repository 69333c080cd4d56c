import { expect, test } from 'vitest'
import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { openFleet } from '../../fleet/fleet.ts'
import type { Wish } from '../../plan/words/wish.ts'
import type { ActionRun } from '../action-run.ts'
import { blastRadius } from './blast-radius.ts'
import { adviceIn, runFor, twoDollars } from './drawn-run.fixture.ts'
import { overLimits } from '../guardrails/stays-within-blast-radius.ts'

const cluster = draw`
  node-a  A100-SXM4-40GB  [3g.20gb lab/one] [3g.20gb lab/two]
  node-a  A100-SXM4-40GB  [3g.20gb lab/one]
  node-a  A100-SXM4-40GB  [3g.20gb -]
  node-b  T4              [lab/three]
  node-b  T4              [-]`

const touched = (run: ActionRun, snapshot: ClusterSnapshot, priceOf = twoDollars) =>
  blastRadius({ plan: run.plan, gpus: adviceIn(run).gpus ?? [], state: openFleet(snapshot), priceOf, isAhead: true })
const wanting = (wish: Wish, snapshot = cluster) => touched(runFor(snapshot, wish), snapshot)

test('a scale to 0 touches the pods that stop, and the GPUs and nodes that they hold', () => {
  expect(wanting({ kind: 'scale', workload: 'lab/Pod/one', to: 0 })).toEqual({
    pods: ['lab/one'],
    workloads: ['lab/Pod/one'],
    nodes: ['node-a'],
    gpus: ['GPU-node-a-0', 'GPU-node-a-1'],
    usdPerHour: 4,
    unpriced: [],
    unpricedModels: [],
  })
})

test('a repartition touches the GPUs that are cut, not their neighbors that keep running', () => {
  const target = {
    gpu: 'GPU-node-a-2',
    migEnabled: true,
    layout: [{ profile: '7g.40gb', placement: { start: 0, size: 8 } }],
  }
  expect(wanting({ kind: 'layout', targets: [target], moves: [] })).toMatchObject({
    pods: [],
    nodes: ['node-a'],
    gpus: ['GPU-node-a-2'],
  })
})

test('a change of MIG mode touches every pod of its node, which may restart', () => {
  const plain = draw`
    node-a  H100-80GB-HBM3  [lab/one]
    node-a  H100-80GB-HBM3  [-]`
  const target = {
    gpu: 'GPU-node-a-1',
    migEnabled: true,
    layout: [{ profile: '7g.80gb', placement: { start: 0, size: 8 } }],
  }
  expect(wanting({ kind: 'layout', targets: [target], moves: [] }, plain)).toMatchObject({
    pods: ['lab/one'],
    workloads: ['lab/Pod/one'],
    gpus: ['GPU-node-a-0', 'GPU-node-a-1'],
  })
})

test('a node that is removed is touched whole, also once it is gone', () => {
  const run = runFor(cluster, { kind: 'remove-node', node: 'node-b', moves: [] })
  const whole = { pods: ['lab/three'], nodes: ['node-b'], gpus: ['GPU-node-b-0', 'GPU-node-b-1'], usdPerHour: 4 }
  expect(touched(run, cluster)).toMatchObject(whole)
  const without = {
    ...cluster,
    nodes: cluster.nodes.filter(({ name }) => name !== 'node-b'),
    pods: cluster.pods.filter(({ node }) => node !== 'node-b'),
    allocations: cluster.allocations.filter(({ pod }) => pod !== 'lab/three'),
  }
  const past = {
    plan: run.plan,
    gpus: adviceIn(run).gpus ?? [],
    state: openFleet(without),
    priceOf: twoDollars,
    isAhead: false,
  }
  expect(blastRadius(past)).toMatchObject(whole)
})

test('what takes displaced pods in is not touched', () => {
  const room = draw`
    node-a  T4  [lab/one]
    node-b  T4  [-]`
  const moves = [{ pod: 'lab/one', from: 'GPU-node-a-0', to: { gpu: 'GPU-node-b-0', profile: '' } }]
  expect(wanting({ kind: 'remove-node', node: 'node-a', moves }, room)).toMatchObject({
    nodes: ['node-a'],
    gpus: ['GPU-node-a-0'],
  })
})

test('a GPU without a price is named, and is within no limit of money', () => {
  const strange = draw`node-a T4 [lab/one]`
  const run = runFor(strange, { kind: 'scale', workload: 'lab/Pod/one', to: 0 })
  const radius = touched(run, strange, () => ({ kind: 'unknown', because: 'No price.' }))
  expect(radius).toMatchObject({ usdPerHour: 0, unpriced: ['GPU-node-a-0'], unpricedModels: ['T4'] })
  const limits = { pods: undefined, nodes: undefined, gpus: undefined, usdPerHour: 100 }
  expect(overLimits([radius], limits)).toBe(
    '1 GPU without a price ($100 an hour allowed; set a price for T4 in Settings → Prices)',
  )
  expect(overLimits([radius], { ...limits, usdPerHour: undefined })).toBeUndefined()
})

test('several runs count together, and each amount that is too much is named', () => {
  const radius = wanting({ kind: 'scale', workload: 'lab/Pod/one', to: 0 })
  const limits = { pods: 1, nodes: 2, gpus: 3, usdPerHour: 7 }
  expect(overLimits([radius], limits)).toBeUndefined()
  expect(overLimits([radius, radius], limits)).toBe(
    '2 pods (1 allowed), 4 GPUs (3 allowed) and GPUs for $8.00 an hour ($7.00 allowed)',
  )
})
