import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { shippedPrices } from '../../cost/shipped-prices.ts'
import { drawnWishes, servedByDra, withRequests } from '../steps/drawn-wishes.fixture.ts'
import { planFleet } from './plan-fleet.ts'
import type { FleetGoal, FleetPlan } from './plan-fleet-answer.ts'
import { replaySteps } from './replay-steps.fake.ts'

const planned = (snapshot: ClusterSnapshot, goal: FleetGoal): FleetPlan =>
  planFleet({ snapshot, goal, prices: shippedPrices, maxDisplaced: 10 })

const GOALS: readonly FleetGoal[] = [
  { kind: 'fit' },
  { kind: 'cost' },
  { kind: 'free-node' },
  { kind: 'room-for', profile: '3g.40gb' },
]

/** Work that the scheduler has not looked at yet: each may start before the first step is done. */
const QUEUE = draw`
  ? queue/one 1g.5gb
  ? queue/two 1g.10gb
  ? queue/three 3g.40gb
  ? queue/four gpu
  ? queue/five 3g.20gb`
const queued = (snapshot: ClusterSnapshot): ClusterSnapshot => ({
  ...snapshot,
  pods: [...snapshot.pods, ...QUEUE.pods.map((pod) => ({ ...pod, waiting: undefined }))],
  workloads: [...snapshot.workloads, ...QUEUE.workloads],
})

/** What the plan says and a scheduler that spreads, with the least suiting device of each node, does not bring about. */
function brokenBy({ plan, policy, starts, use }: FleetPlan, snapshot: ClusterSnapshot): string | undefined {
  const promised = [...plan.moves.map(({ pod }) => pod), ...starts.flatMap(({ pods }) => pods)]
  try {
    const { waiting, used } = replaySteps(snapshot, plan.steps, policy)
    return promised.find((pod) => waiting.includes(pod)) ?? use?.freed.find((gpu) => used.has(gpu))
  } catch (error) {
    return String(error)
  }
}

describe('a plan that is shown keeps its promise on a scheduler that is not ours', () => {
  test.each([
    ['with nothing that waits', (snapshot: ClusterSnapshot) => snapshot],
    ['with work that waits', queued],
  ])('%s', (_name, of) => {
    let shown = 0
    fc.assert(
      fc.property(drawnWishes('mig-manager'), fc.constantFrom(...GOALS), ({ snapshot: drawn }, goal) => {
        const snapshot = of(drawn)
        const found = planned(snapshot, goal)
        if (found.plan.steps.length === 0) return
        shown += 1
        expect(brokenBy(found, snapshot)).toBeUndefined()
      }),
      { numRuns: 150, seed: 5 },
    )
    expect(shown).toBeGreaterThan(20)
  })

  test('under a DRA driver, which makes instances on any GPU of a node', () => {
    let shown = 0
    fc.assert(
      fc.property(drawnWishes('dra'), fc.constantFrom(...GOALS), ({ snapshot }, goal) => {
        const found = planned(snapshot, goal)
        if (found.plan.steps.length === 0) return
        shown += 1
        expect(brokenBy(found, snapshot)).toBeUndefined()
      }),
      { numRuns: 150, seed: 5 },
    )
    expect(shown).toBeGreaterThan(20)
  })
})

test('a GPU that a DRA driver may hand out to the pod that is to leave it is not called free', () => {
  const snapshot = servedByDra(
    withRequests(draw`
      node-a  A30  MIG [1g.6gb lab/one] [1g.6gb -]
      node-a  A30  MIG [1g.6gb lab/two] [1g.6gb lab/three] [1g.6gb lab/four]`),
  )
  const { plan, use, saving } = planned(snapshot, { kind: 'cost' })
  expect([plan.steps, use?.freed, saving]).toEqual([[], [], undefined])
  expect(plan.refused.map(({ message }) => message).join(' ')).toMatch(
    /GPU-node-a-0 of node-a would not stay free: Kubernetes’ scheduler would start lab\/one on it/u,
  )
})

test('a layout that somebody draws is refused where the pod that makes way would wait', () => {
  // The only other room is what waits for longer takes first.
  const drawn = withRequests(draw`
    node-a  A100-SXM4-80GB  [3g.40gb lab/one] [3g.40gb -]
    node-b  A100-SXM4-80GB  [3g.40gb -] [4g.40gb lab/two]
    ? lab/waits 3g.40gb`)
  const snapshot = { ...drawn, pods: drawn.pods.map((pod) => ({ ...pod, waiting: undefined })) }
  const target = {
    gpu: 'GPU-node-a-0',
    migEnabled: true,
    layout: [{ profile: '7g.80gb', placement: { start: 0, size: 8 } }],
  }
  const { plan, because } = planned(snapshot, { kind: 'layout', targets: [target] })
  expect(plan.steps).toEqual([])
  expect(because ?? plan.refused[0]?.message).toMatch(/lab\/(one|waits)/u)
})
