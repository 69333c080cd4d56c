import { describe, expect, test } from 'vitest'

import { draw, DRAWN_AT } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { GpuNode } from '../../cluster/node.ts'
import { gpuHours, instant, seconds } from '../../units.ts'
import { servedByDra } from '../steps/drawn-wishes.fixture.ts'
import type { AppointmentAsk } from './appointment.ts'
import { cutFirst, cutFirstWords } from './cut-first.ts'
import { tolerationsFor } from './let-in.ts'

const ASK: AppointmentAsk = {
  gpus: 4,
  perNode: 1,
  profile: '1g.10gb',
  at: instant(DRAWN_AT + 3_600_000),
  length: seconds(3600),
}
const cutsIn = (snapshot: ClusterSnapshot, missing: number, ask: Partial<AppointmentAsk> = {}) =>
  cutFirst({ snapshot, ask: { ...ASK, ...ask }, maxDisplaced: 10 }, missing)
const withNodes = (snapshot: ClusterSnapshot, change: Partial<GpuNode>): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => ({ ...node, ...change })),
})

const FLEET = draw`
  a  A100-SXM4-80GB  [1g.10gb -] [3g.40gb -]
  b  A100-SXM4-80GB  MIG
  b  A100-SXM4-80GB  MIG
  c  A100-SXM4-80GB  [3g.40gb lab/x]
  d  A100-SXM4-80GB  [-]`

describe('what is cut before more instances can be kept', () => {
  test('is as little as gives enough, the node that gives most first', () => {
    expect(cutsIn(FLEET, 1)).toEqual([{ node: 'b', gpus: [0, 1], each: 7, gives: 14 }])
    expect(cutsIn(FLEET, 15)).toEqual([
      { node: 'b', gpus: [0, 1], each: 7, gives: 14 },
      { node: 'a', gpus: [0], each: 7, gives: 6 },
    ])
    expect(cutsIn(FLEET, 99)).toHaveLength(2)
    expect(cutsIn(FLEET, 0)).toEqual([])
  })
  test.for<[string, ClusterSnapshot, Partial<AppointmentAsk>]>([
    ['no board has the profile', FLEET, { profile: '1g.5gb' }],
    ['another model is meant', FLEET, { model: 'h100' }],
    ['the nodes are not to be counted on', FLEET, { except: ['a', 'b'] }],
    ['the nodes are cordoned', withNodes(FLEET, { schedulable: false }), {}],
    [
      'the nodes advertise one size only',
      withNodes(FLEET, { mig: { strategy: 'single', config: undefined, state: undefined } }),
      {},
    ],
    ['a DRA driver serves them', servedByDra(FLEET), {}],
  ])('is nothing where %s', ([, snapshot, ask]) => {
    expect(cutsIn(snapshot, 1, ask)).toEqual([])
  })
  test('is nothing where whole GPUs are wanted', () => {
    const { profile: _, ...whole } = ASK
    expect(cutFirst({ snapshot: FLEET, ask: whole, maxDisplaced: 10 }, 1)).toEqual([])
  })
  test('is told GPU by GPU', () => {
    expect(cutFirstWords(cutsIn(FLEET, 15), '1g.10gb')).toBe(
      ' An appointment uses existing instances, so approve Repartitions first: GPU 0 and 1 of b into 7 × 1g.10gb each (14 more); GPU 0 of a into 7 × 1g.10gb (6 more). All of these GPUs are unallocated now.',
    )
    expect(cutFirstWords(cutsIn(FLEET, 1), '1g.10gb')).toBe(
      ' An appointment uses existing instances, so approve a Repartition first: GPU 0 and 1 of b into 7 × 1g.10gb each (14 more). All of these GPUs are unallocated now.',
    )
    const one = cutsIn(draw`a  A100-SXM4-80GB  MIG`, 1)
    expect(cutFirstWords(one, '1g.10gb')).toContain(
      'first: GPU 0 of a into 7 × 1g.10gb (7 more). That GPU is unallocated now.',
    )
    expect(cutFirstWords([], '1g.10gb')).toBe(
      ' No GPU that is free now and in MIG mode could be partitioned into more 1g.10gb.',
    )
    expect(cutFirstWords([], undefined)).toBe('')
  })
})

const node = (...taints: readonly { readonly key: string; readonly value: string; readonly effect: string }[]) => ({
  node: 'a',
  gpus: 1,
  closesAt: DRAWN_AT,
  evictsAt: undefined,
  evicted: [],
  ending: [],
  idle: gpuHours(0),
  idleNow: 0,
  taints,
})

test('what lets a pod onto a closed node: the cordon, and each taint of the nodes that keeps pods off, once', () => {
  const red = { key: 'team', value: 'red', effect: 'NoSchedule' }
  const cordon = { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', value: '', effect: 'NoSchedule' }
  expect(tolerationsFor([])).toEqual([cordon])
  expect(tolerationsFor([node(red, { ...red, effect: 'PreferNoSchedule' }), node(red)])).toEqual([
    cordon,
    { ...red, operator: 'Equal' },
  ])
  expect(tolerationsFor([node(red), node({ ...red, effect: 'NoExecute' })])).toHaveLength(3)
})
