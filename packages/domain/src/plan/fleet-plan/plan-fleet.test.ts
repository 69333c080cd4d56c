import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { draw, DRAWN_AT } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Pod } from '../../cluster/workload.ts'
import { shippedPrices } from '../../cost/shipped-prices.ts'
import { checkPlan } from '../steps/check-plan.ts'
import type { Layout } from '../../gpu/layout.ts'
import { instant, seconds } from '../../units.ts'
import { drawnWishes, withRequests } from '../steps/drawn-wishes.fixture.ts'
import type { FleetQuestion } from './fleet-question.ts'
import { planFleet } from './plan-fleet.ts'
import type { FleetGoal } from './plan-fleet-answer.ts'

const planned = (snapshot: ClusterSnapshot, goal: FleetGoal, more: Partial<FleetQuestion> = {}) =>
  planFleet({ snapshot, goal, prices: shippedPrices, maxDisplaced: 10, ...more })

const servedByDra = (snapshot: ClusterSnapshot): ClusterSnapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => ({ ...node, servedByDra: true })),
})

const withPod = (snapshot: ClusterSnapshot, id: string, change: Partial<Pod['scheduling']>): ClusterSnapshot => ({
  ...snapshot,
  pods: snapshot.pods.map((pod) => (pod.id === id ? { ...pod, scheduling: { ...pod.scheduling, ...change } } : pod)),
})

/** Two half-used GPUs of which one would do. */
const HALVES = draw`
  node-a  A100-SXM4-80GB  [3g.40gb lab/one] [3g.40gb -]
  node-b  A100-SXM4-80GB  [3g.40gb lab/two] [3g.40gb -]`

/** Full but for one instance on each. */
const TAKEN = withRequests(draw`
  a  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb -]
  b  A100-SXM4-80GB  [3g.40gb lab/y] [3g.40gb -]`)

test('whole GPUs are part of every plan under the single strategy too; only what is cut there is not', () => {
  const drawn = draw`
    l40s  L40S            [lab/one]
    l40s  L40S            [-]
    t4    T4              [-]
    off   A100-SXM4-80GB  [-]
    cut   A100-SXM4-80GB  [1g.10gb lab/two] [1g.10gb -]
    ?     lab/waits       gpu`
  const nodes = drawn.nodes.map((node) => ({ ...node, mig: { ...node.mig, strategy: 'single' as const } }))
  const { leftOut, starts, use } = planned({ ...drawn, nodes }, { kind: 'fit' })
  expect(leftOut.map(({ object, message }) => [object, message])).toEqual([
    ['gpu/GPU-cut-0', 'cut offers MIG devices under the single strategy, as plain GPUs.'],
  ])
  expect(starts.map(({ workload }) => workload)).toEqual(['lab/Pod/waits'])
  expect(use).toMatchObject({ gpus: 3, heldWhole: 1 })
})

test('a node that is not ready is not freed, and no money is credited for it', () => {
  const broken = draw`
    sound  T4        [lab/one]
    away   T4  down  [-]`
  for (const goal of [{ kind: 'free-node', node: 'away' }, { kind: 'free-node' }] as const) {
    const { plan, saving, because } = planned(broken, goal, { maxDisplaced: 0 })
    expect([plan.steps, saving]).toEqual([[], undefined])
    expect(because).toMatch(/^No node is freed[.:]/u)
  }
})

describe('the goal cost', () => {
  test('empties a GPU into room that is there and says that no plan does better, with the price used', () => {
    const { plan, use, saving } = planned(HALVES, { kind: 'cost' })
    expect(use).toMatchObject({ before: 2, after: 1, bound: 1 })
    expect(use?.freed).toHaveLength(1)
    expect(plan.bound).toBe('1 GPU; no plan for the same work uses fewer than 1')
    expect(plan.steps.flatMap(({ displaced }) => displaced)).toHaveLength(1)
    const price = shippedPrices.find(({ model }) => model === 'A100-SXM4-80GB')?.price ?? Number.NaN
    expect(saving?.usdPerMonth).toBeCloseTo(price * 730, 1)
    expect(saving?.prices[0]).toContain(String(price))
  })

  test('under DRA moves one instance beside a running neighbor', () => {
    const { plan, use } = planned(servedByDra(HALVES), { kind: 'cost' }, { actuator: 'dra' })
    expect(use).toMatchObject({ before: 2, after: 1, bound: 1 })
    expect(plan.steps.map(({ action }) => action.kind)).not.toContain('repartition')
  })

  test('changes nothing that the asked actuator does not cut, and says so', () => {
    const { plan, notes } = planned(HALVES, { kind: 'cost' }, { actuator: 'dra' })
    expect(plan.steps).toEqual([])
    expect(notes).toContain('Nodes left unchanged because dra does not partition their GPUs: 2.')
  })

  test('leaves pods that must stay, and says what stopped it', () => {
    const fixed = withPod(withPod(HALVES, 'lab/one', { managed: false }), 'lab/two', { evictable: false })
    const { plan, use, notes } = planned(fixed, { kind: 'cost' })
    expect(plan.steps).toEqual([])
    expect(use).toMatchObject({ before: 2, after: 2, bound: 1 })
    expect(notes.join(' ')).toMatch(/It stops there because .*lab\/(one|two) (has no controller|says)/u)
  })

  test('moves no more pods than allowed and says what the rest would take', () => {
    const { plan, use, notes } = planned(HALVES, { kind: 'cost' }, { maxDisplaced: 0 })
    expect(plan.steps).toEqual([])
    expect(use).toMatchObject({ after: 2, bound: 1 })
    expect(notes.join(' ')).toContain('1 move would be needed; limit 0')
    expect(notes.join(' ')).toContain('Left out: a layout with 1 GPU is known')
  })

  test('says so when the layout is best already', () => {
    const full = draw`node-a  A100-SXM4-80GB  [3g.40gb lab/one] [3g.40gb lab/two]`
    const { plan, notes } = planned(full, { kind: 'cost' })
    expect(plan.steps).toEqual([])
    expect(notes).toContain('The layout is already best: bound = now.')
  })

  test('counts GPUs where a price is missing, and says which', () => {
    const { use, saving, notes } = planned(HALVES, { kind: 'cost' }, { prices: [] })
    expect(use).toMatchObject({ after: 1, bound: 1 })
    expect(saving).toMatchObject({ gpus: 1, usdPerMonth: undefined })
    expect(saving?.prices[0]).toContain('No price is known for A100-SXM4-80GB')
    expect(notes.join(' ')).toContain('GPUs are counted instead of dollars')
  })

  test('keeps its goal where one more model has no price, and says what it assumes', () => {
    const snapshot = draw`
      node-a  A100-SXM4-80GB   [3g.40gb lab/one] [3g.40gb -]
      node-b  A100-SXM4-80GB   [3g.40gb lab/two] [3g.40gb -]
      node-q  Quadro-RTX-6000  [-]`
    const { use, saving, notes } = planned(snapshot, { kind: 'cost' })
    expect(use).toMatchObject({ after: 1, bound: 1 })
    expect(saving?.usdPerMonth).toBeGreaterThan(0)
    expect(notes.join(' ')).not.toContain('GPUs are counted')
    expect(notes.join(' ')).toMatch(/No price is known for Quadro-RTX-6000\/.*: planned with at \$3\.43 per GPU-hour/u)
  })

  test('leaves boards that nobody knows as they are', () => {
    const snapshot = draw`
      node-a  A100-SXM4-80GB  [3g.40gb lab/one] [3g.40gb -]
      node-x  Unheard-9000    [lab/two]`
    const { leftOut, use } = planned(snapshot, { kind: 'cost' })
    expect(use?.gpus).toBe(1)
    expect(leftOut.map(({ message }) => message)).toEqual(['Its board, Unheard-9000, is unknown.'])
  })
})

describe('the goal fit', () => {
  test('starts what a new layout has room for and says which can start under none', () => {
    const snapshot = draw`
      node-a  A100-SXM4-80GB  [-]
      ? lab/small 3g.40gb
      ? lab/strange 9g.10gb
      ? lab/far 3g.40gb zone=moon`
    const { plan, starts, waits, notes } = planned(snapshot, { kind: 'fit' })
    expect(starts.map(({ workload }) => workload)).toEqual(['lab/Pod/small'])
    expect(waits).toHaveLength(2)
    expect(plan.bound).toBe('1 waiting workload of 3 can start; no plan starts more than 1')
    expect(notes.join(' ')).toContain('where lab/strange may run')
    expect(notes.join(' ')).toContain('where lab/far may run')
  })

  test('says that nothing waits', () => {
    const { plan, notes } = planned(HALVES, { kind: 'fit' })
    expect(plan.steps).toEqual([])
    expect(notes).toContain('Nothing waits.')
  })
})

describe('the goal free-node', () => {
  const snapshot = draw`
    node-a  T4  [lab/one]
    node-b  T4  [-]
    node-c  T4  [-]
    ? lab/wants gpu`

  test('takes the node with fewest moves and warns where somebody waits for it', () => {
    const { plan, notes, saving } = planned(snapshot, { kind: 'free-node' })
    expect(plan.steps.map(({ action }) => action.kind)).toEqual(['cordon', 'remove-node'])
    expect(plan.bound).toBe('0 pods displaced; no plan displaces fewer than 0')
    expect(saving?.gpus).toBe(1)
    expect(notes.join(' ')).not.toContain('undefined')
  })

  test('moves the pods of a node that is named', () => {
    const { plan } = planned(snapshot, { kind: 'free-node', node: 'node-a' })
    expect(plan.steps.map(({ action }) => action.kind)).toEqual(['cordon', 'evict', 'remove-node'])
    expect(plan.moves.map(({ pod }) => pod)).toEqual(['lab/one'])
  })

  test('refuses with the reason', () => {
    const { plan, because } = planned(snapshot, { kind: 'free-node', node: 'node-z' })
    expect(plan.steps).toEqual([])
    expect(because).toBe('No node is freed: nothing in the cluster can become a free node.')
  })
})

describe('the goal room-for', () => {
  test('cuts a GPU for one more instance, or says that there is room', () => {
    const snapshot = draw`node-a  A100-SXM4-80GB  [-]`
    expect(planned(snapshot, { kind: 'room-for', profile: '7g.80gb' }).plan.steps).toHaveLength(3)
    const { plan, notes } = planned(HALVES, { kind: 'room-for', profile: '3g.40gb' })
    expect(plan.steps).toEqual([])
    expect(notes[0]).toContain('There is already room for a 3g.40gb')
  })

  test('comes with the GPUs that change, and the proof that no plan moves fewer', () => {
    const { plan, gpus } = planned(TAKEN, { kind: 'room-for', profile: '7g.80gb' })
    expect(plan).toMatchObject({ bound: '1 pod displaced; no plan displaces fewer than 1', refused: [] })
    expect(plan.moves).toHaveLength(1)
    // The one that is cut again, and the one that takes its pod.
    expect(gpus).toHaveLength(2)
  })

  test.for<[string, ClusterSnapshot]>([
    ['nobody may move', TAKEN],
    ['no board has the profile', withRequests(draw`a  A30  MIG`)],
    ['there is no node', { ...TAKEN, nodes: [], allocations: [], pods: [], workloads: [] }],
  ])('is none where %s, with the reason', ([, snapshot]) => {
    const { because, plan } = planned(snapshot, { kind: 'room-for', profile: '7g.80gb' }, { maxDisplaced: 0 })
    expect(because).toMatch(/^No room for a 7g\.80gb: \w+ .*\.$/u)
    expect(plan.steps).toEqual([])
  })
})

/** The first GPU of a, as somebody draws it. */
const layoutOf = (...layout: Layout): FleetGoal => ({
  kind: 'layout',
  targets: [{ gpu: 'GPU-a-0', migEnabled: true, layout }],
})

describe('GPUs that become a layout', () => {
  test('are changed as they are asked for, without a bound', () => {
    const free = withRequests(draw`a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb -]`)
    const { plan, gpus } = planned(free, layoutOf({ profile: '7g.80gb', placement: { start: 0, size: 8 } }))
    expect(plan).toMatchObject({ title: 'Repartition 1 GPU on a', bound: undefined, refused: [] })
    expect(gpus).toHaveLength(1)
  })

  test('that cannot be are refused within the plan', () => {
    const odd = [0, 4].map((start) => ({ profile: '4g.40gb', placement: { start, size: 4 } }))
    const { plan, gpus } = planned(TAKEN, layoutOf(...odd))
    expect([plan.steps, gpus, plan.refused.length]).toEqual([[], [], 1])
  })

  test('may make pods wait where that is allowed, and only there', () => {
    const full = withRequests(draw`a  A100-SXM4-80GB  [3g.40gb lab/x] [3g.40gb lab/y]`)
    const goal = layoutOf({ profile: '7g.80gb', placement: { start: 0, size: 8 } })
    const [stay, wait] = [false, true].map((mayWait) => planned(full, goal, { mayWait }).plan)
    expect(stay?.refused[0]?.message).toContain('No room is left for')
    expect(wait?.steps.flatMap(({ displaced }) => displaced)).toEqual(['lab/x', 'lab/y'])
  })
})

describe('GPUs at an instant', () => {
  const goal: FleetGoal = {
    kind: 'appointment',
    ask: { gpus: 1, perNode: 1, at: instant(DRAWN_AT + 7_200_000), length: seconds(3600) },
  }
  test('are planned, or the reason is told, with the answer of the appointment beside it', () => {
    const free = withRequests(draw`
      a  T4  [-]
      b  T4  [lab/x]`)
    const found = planned(free, goal)
    expect([found.because, found.appointment?.kind, found.plan.steps.length > 0]).toEqual([undefined, 'found', true])
    const none = planned({ ...free, nodes: [] }, goal)
    expect(none).toMatchObject({ plan: { steps: [] }, appointment: { kind: 'none', because: none.because } })
  })
})

const QUEUE = draw`
  ? queue/one 1g.5gb
  ? queue/two 1g.6gb
  ? queue/three 3g.40gb
  ? queue/four gpu
  ? queue/five 9g.1gb`

const withQueue = (snapshot: ClusterSnapshot): ClusterSnapshot => ({
  ...snapshot,
  pods: [...snapshot.pods, ...QUEUE.pods],
  workloads: [...snapshot.workloads, ...QUEUE.workloads],
})

describe('on drawn clusters', () => {
  const goals: readonly FleetGoal[] = [{ kind: 'fit' }, { kind: 'cost' }, { kind: 'free-node' }]

  test.each(['mig-manager', 'dra'] as const)(
    'every plan can be done, keeps to its limits, and is the same again (%s)',
    (stack) => {
      let changing = 0
      fc.assert(
        fc.property(
          drawnWishes(stack),
          fc.constantFrom(...goals),
          fc.nat(4),
          ({ snapshot: drawn }, goal, maxDisplaced) => {
            const snapshot = withQueue(drawn)
            const answer = planned(snapshot, goal, { maxDisplaced })
            expect(checkPlan(snapshot, answer.plan, answer.policy).kind).toBe('executable')
            const displaced = new Set(answer.plan.steps.flatMap((step) => step.displaced))
            expect(displaced.size).toBeLessThanOrEqual(maxDisplaced)
            const { before = 0, after = 0, bound = 0, gpus = 0 } = answer.use ?? {}
            expect(bound).toBeLessThanOrEqual(after)
            expect(Math.max(before, after)).toBeLessThanOrEqual(gpus)
            expect(planned(snapshot, goal, { maxDisplaced })).toEqual(answer)
            if (answer.plan.steps.length > 0) changing += 1
          },
        ),
        { numRuns: 50, seed: 3 },
      )
      expect(changing).toBeGreaterThan(12)
    },
  )
})
