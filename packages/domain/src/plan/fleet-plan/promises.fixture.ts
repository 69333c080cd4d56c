import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { shippedPrices } from '../../cost/shipped-prices.ts'
import { drawnWishes } from '../steps/drawn-wishes.fixture.ts'
import { planFleet } from './plan-fleet.ts'
import type { FleetGoal, FleetPlan } from './plan-fleet-answer.ts'
import { DEVICE_ORDERS, replaySteps, type DeviceOrder } from './replay-steps.fake.ts'

export const planned = (snapshot: ClusterSnapshot, goal: FleetGoal): FleetPlan =>
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

/** What is shown comes about, in so many times a few drawn fleets. */
export function shownPlansKeepPromises(times: number): void {
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
        { numRuns: (stack === 'dra' ? 25 : 75) * times, seed: 5 },
      )
      expect(shown).toBeGreaterThan(4)
    })
  })
}
