import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { shippedPrices } from '../../cost/shipped-prices.ts'
import { drawnWishes, servedByDra, withRequests } from '../steps/drawn-wishes.fixture.ts'
import { planFleet } from './plan-fleet.ts'
import type { FleetGoal, FleetPlan } from './plan-fleet-answer.ts'
import { DEVICE_ORDERS, replaySteps, type DeviceOrder } from './replay-steps.fake.ts'

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
  ? queue/five 3g.20gb
  ? queue/six 1g.6gb
  ? queue/seven 2g.10gb`
const queued = (snapshot: ClusterSnapshot): ClusterSnapshot => ({
  ...snapshot,
  pods: [...snapshot.pods, ...QUEUE.pods.map((pod) => ({ ...pod, waiting: undefined }))],
  workloads: [...snapshot.workloads, ...QUEUE.workloads],
})

/** What the plan says and a scheduler that spreads does not bring about, by some order of each node's devices. */
function brokenBy(
  { plan, policy, starts, use }: FleetPlan,
  snapshot: ClusterSnapshot,
  orders: readonly DeviceOrder[],
): string | undefined {
  const promised = [...plan.moves.map(({ pod }) => pod), ...starts.flatMap(({ pods }) => pods)]
  for (const order of orders)
    try {
      const { waiting, used } = replaySteps(snapshot, plan.steps, { ...policy, order })
      const broken = promised.find((pod) => waiting.includes(pod)) ?? use?.freed.find((gpu) => used.has(gpu))
      if (broken !== undefined) return `${broken} by ${JSON.stringify(order)}`
    } catch (error) {
      return `${String(error)} by ${JSON.stringify(order)}`
    }
  return undefined
}

const asDrawn = (snapshot: ClusterSnapshot): ClusterSnapshot => snapshot

describe('a plan that is shown keeps its promise on a scheduler that is not ours', () => {
  // Which of its devices a driver gives out for a claim, nobody says; the device plugin here gives out the least suiting.
  test.each([
    { name: 'with nothing that waits', stack: 'mig-manager', of: asDrawn },
    { name: 'with work that waits', stack: 'mig-manager', of: queued },
    { name: 'under a DRA driver with nothing that waits', stack: 'dra', of: asDrawn },
    { name: 'under a DRA driver with work that waits', stack: 'dra', of: queued },
  ] as const)('$name', ({ stack, of }) => {
    const orders = stack === 'dra' ? DEVICE_ORDERS : DEVICE_ORDERS.slice(0, 1)
    let shown = 0
    fc.assert(
      fc.property(drawnWishes(stack), fc.constantFrom(...GOALS), ({ snapshot: drawn }, goal) => {
        const snapshot = of(drawn)
        const found = planned(snapshot, goal)
        if (found.plan.steps.length === 0) return
        shown += 1
        expect(brokenBy(found, snapshot, orders)).toBeUndefined()
      }),
      { numRuns: stack === 'dra' ? 80 : 150, seed: 5 },
    )
    expect(shown).toBeGreaterThan(10)
  })
})

test('a GPU that would be empty is not called free where a claim for a whole one waits', () => {
  const snapshot = servedByDra(
    withRequests(draw`
      node-a  A30  MIG [1g.6gb lab/one]
      node-a  A30  MIG [2g.12gb lab/two] [1g.6gb lab/three]
      ? lab/waits gpu`),
  )
  const { plan, use } = planned(snapshot, { kind: 'cost' })
  expect([plan.steps, use?.freed]).toEqual([[], []])
  expect(plan.refused.map(({ message }) => message).join(' ')).toMatch(
    /GPU-node-a-0 of node-a would not stay free: Kubernetes’ scheduler would start lab\/waits on it/u,
  )
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
