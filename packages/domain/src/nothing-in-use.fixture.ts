import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DRAWN_AT } from './cluster/draw.fixture.ts'
import type { ClusterSnapshot } from './cluster/inventory.ts'
import type { GpuId } from './cluster/node.ts'
import { everyPlan, touchedBy } from './every-plan.fixture.ts'
import { type DrawnWishes, drawnWishes } from './plan/steps/drawn-wishes.fixture.ts'
import { makePlan } from './plan/steps/make-plan.ts'

/** The same cluster, on which some of the GPUs that nobody holds all of are used all the same. */
function usedBesides(
  snapshot: ClusterSnapshot,
  order: number,
): { readonly used: ReadonlySet<GpuId>; readonly snapshot: ClusterSnapshot } {
  const held = new Set(snapshot.allocations.map(({ partition }) => partition))
  const gpus = snapshot.nodes.flatMap((node) => node.gpus)
  const open = gpus.filter(({ partitions }) => !partitions.every(({ id }) => held.has(id)))
  const used = new Set(open.filter((_, at) => (order >> (at % 16)) % 2 === 1).map(({ id }) => id))
  const nodes = snapshot.nodes.map((node) => ({
    ...node,
    gpus: node.gpus.map((gpu) => (used.has(gpu.id) ? { ...gpu, unrequestedSince: DRAWN_AT } : gpu)),
  }))
  return { used, snapshot: { ...snapshot, nodes } }
}

const plansOf = ({ snapshot, wishes, policy }: DrawnWishes) => [
  ...everyPlan(snapshot),
  makePlan({ snapshot, wishes, policy, title: 'wishes' }),
]

/** Looked for in so many times a few drawn fleets. */
export function nothingInUseIsTouched(times: number): void {
  describe('of drawn fleets no plan touches a GPU that something uses and nobody is known to hold', () => {
    test.each(['mig-manager', 'dra'] as const)('under %s', (stack) => {
      let otherwise = 0
      fc.assert(
        fc.property(drawnWishes(stack), fc.nat(65_535), (drawn, order) => {
          const { used, snapshot } = usedBesides(drawn.snapshot, order)
          fc.pre(used.size > 0)
          const taken = (of: DrawnWishes) =>
            plansOf(of).filter((plan) => [...touchedBy(plan, of.snapshot)].some((gpu) => used.has(gpu)))
          expect(taken({ ...drawn, snapshot }).map(({ title }) => title)).toEqual([])
          otherwise += taken(drawn).length
        }),
        { numRuns: 12 * times, seed: 13 },
      )
      // Were they free, plans would take them.
      expect(otherwise).toBeGreaterThan(12 * times)
    })
  })
}
