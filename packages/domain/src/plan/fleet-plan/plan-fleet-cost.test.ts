import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { shippedPrices } from '../../cost/shipped-prices.ts'
import { checkPlan } from '../steps/check-plan.ts'
import { withRequests } from '../steps/drawn-wishes.fixture.ts'
import { planFleet } from './plan-fleet.ts'
import { replaySteps } from './replay-steps.fake.ts'

function cheapest(snapshot: ClusterSnapshot, maxDisplaced = 30) {
  const { use, ...found } = planFleet({ snapshot, goal: { kind: 'cost' }, prices: shippedPrices, maxDisplaced })
  if (use === undefined) throw new Error('A plan for cost counts GPUs.')
  return { ...found, use }
}

const CUTS = [
  ['3g.40gb', '3g.40gb'],
  ['3g.40gb', '2g.20gb', '2g.20gb'],
  ['4g.40gb', '2g.20gb', '1g.10gb'],
  ['1g.10gb', '1g.10gb', '1g.10gb', '1g.10gb', '1g.10gb', '1g.10gb', '1g.10gb'],
]

/** Clusters of cut GPUs, some of them empty, with pods here and there. */
const clusters = fc
  .array(
    fc.array(
      fc.record({
        cut: fc.constantFrom(...CUTS),
        held: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
        empty: fc.nat(3),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    { minLength: 4, maxLength: 9 },
  )
  .map((nodes) => {
    let pods = 0
    const lines = nodes.flatMap((gpus, node) =>
      gpus.map(({ cut, held, empty }) => {
        const boxes = cut.map((profile, at) => {
          if (empty === 0 || held[at] !== true) return `[${profile} -]`
          pods += 1
          return `[${profile} lab/p-${String(pods).padStart(3, '0')}]`
        })
        return `node-${node}  A100-SXM4-80GB  ${boxes.join(' ')}`
      }),
    )
    return withRequests(draw`${lines.join('\n')}`)
  })

describe('what a plan for cost promises', () => {
  test('an empty GPU that would draw the evicted pod is fenced off until the pod runs where it was meant to', () => {
    const snapshot = withRequests(draw`
      node-a  A100-SXM4-80GB  [3g.40gb lab/one] [3g.40gb -]
      node-b  A100-SXM4-80GB  [3g.40gb lab/two] [3g.40gb -]
      node-c  A100-SXM4-80GB  [3g.40gb -] [3g.40gb -]`)
    const { plan, use, policy } = cheapest(snapshot)
    expect(use).toMatchObject({ before: 2, after: 1 })
    const { used, waiting, left } = replaySteps(snapshot, plan.steps, policy)
    expect({ used: used.size, waiting, left }).toEqual({ used: 1, waiting: [], left: [] })
    expect(plan.steps[0]?.title).toBe('Cordon node-c')
    expect(plan.steps.at(-1)?.title).toMatch(/^Uncordon node-c once lab\/.* runs elsewhere$/u)
    expect(plan.steps[0]?.inverse).toEqual([{ kind: 'uncordon', node: 'node-c' }])
  })

  test('a pod is not sent to a node where the device plugin may give it an empty GPU', () => {
    const snapshot = withRequests(draw`
      node-a  A100-SXM4-80GB  [3g.40gb lab/one] [3g.40gb -]
      node-b  A100-SXM4-80GB  [3g.40gb lab/two] [3g.40gb -]
      node-b  A100-SXM4-80GB  [3g.40gb -] [3g.40gb -]`)
    const { plan, use, policy } = cheapest(snapshot)
    const { used } = replaySteps(snapshot, plan.steps, policy)
    expect(used.size).toBe(use.after)
  })

  test('is kept under a scheduler that spreads, on random clusters', () => {
    let freed = 0
    fc.assert(
      fc.property(clusters, (snapshot) => {
        const { plan, use, policy } = cheapest(snapshot)
        const { used, waiting, left } = replaySteps(snapshot, plan.steps, policy)
        expect(used.size).toBe(use.after)
        expect(use.freed.filter((gpu) => used.has(gpu))).toEqual([])
        expect({ waiting, left }).toEqual({ waiting: [], left: [] })
        freed += use.freed.length
      }),
      { numRuns: 15, seed: 11 },
    )
    expect(freed).toBeGreaterThan(15)
  })
})

describe('the layout that a whole-number program finds', () => {
  test('cuts a GPU again where nobody fits as it is, and says how good that is', () => {
    const snapshot = withRequests(draw`
      node-a  A100-SXM4-80GB  [4g.40gb lab/one] [2g.20gb -] [1g.10gb -]
      node-b  A100-SXM4-80GB  [3g.40gb lab/two] [3g.40gb -]`)
    const { plan, use, policy, notes } = cheapest(snapshot)
    expect(use).toMatchObject({ before: 2, after: 1, bound: 1 })
    expect(plan.bound).toBe('1 GPU; no plan for the same work uses fewer than 1')
    expect(plan.refused).toEqual([])
    expect(notes.at(-1)).toBe(
      'With pods that must not move left in place, what runs on 2 partitioned GPUs fits on 1 by moving 2 pods; no fewer GPUs do (1), and no fewer moves (2). CPU and memory of nodes are not looked at in this.',
    )
    const { used, waiting, left } = replaySteps(snapshot, plan.steps, policy)
    expect({ used: used.size, waiting, left }).toEqual({ used: 1, waiting: [], left: [] })
  })

  test('moves no more pods than allowed, and frees no fewer GPUs for more of them', () => {
    let freed = 0
    for (const snapshot of fc.sample(clusters, { numRuns: 8, seed: 7 })) {
      const [few, many] = [3, 30].map((limit) => {
        const { plan, use, policy } = cheapest(snapshot, limit)
        expect(plan.steps.flatMap(({ displaced }) => displaced).length).toBeLessThanOrEqual(limit)
        const { used, waiting, left } = replaySteps(snapshot, plan.steps, policy)
        expect({ used: used.size, waiting, left }).toEqual({ used: use.after, waiting: [], left: [] })
        return use.before - use.after
      })
      expect(many).toBeGreaterThanOrEqual(few ?? 0)
      freed += many ?? 0
    }
    expect(freed).toBeGreaterThan(15)
  })

  test('moves no more of a budget than it allows, and nobody to a node without the CPU, without losing whole nodes', () => {
    let freed = 0
    for (const drawn of fc.sample(clusters, { numRuns: 6, seed: 3 })) {
      const nodes = drawn.nodes.map((node, at) => ({
        ...node,
        room: { ...node.room, cpuMilli: at % 2 === 0 ? 40_000 : 9000 },
      }))
      const pods = drawn.pods.map((pod) => ({ ...pod, scheduling: { ...pod.scheduling, cpuMilli: 2000 } }))
      const budgets = [{ id: 'lab/all', pods: pods.map(({ id }) => id), allowed: 6 }]
      const snapshot = { ...drawn, nodes, pods, budgets }
      const { plan, use, policy } = cheapest(snapshot)
      expect(plan.steps.flatMap(({ displaced }) => displaced).length).toBeLessThanOrEqual(6)
      expect(checkPlan(snapshot, plan, policy).kind).toBe('executable')
      freed += use.before - use.after
    }
    expect(freed).toBeGreaterThan(0)
  })
})
