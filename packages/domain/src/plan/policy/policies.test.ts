import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { mib } from '../../units.ts'
import { GPU_MILLI, type Demand, type GpuDemand } from '../place/demand.ts'
import { openFleet, place, undo, type Fleet, type FleetNode, type Spot } from '../place/fleet.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import { makeRoom } from './make-room.ts'
import { POLICIES } from './policies.ts'
import { typicalDemands } from './typical-demands.ts'

const MODELS = ['A', 'B']

const someNodes = fc
  .array(
    fc.record({
      cpuMilli: fc.integer({ min: 0, max: 32 }).map((cores) => cores * 1000),
      memory: fc.integer({ min: 0, max: 64 }).map((gib) => mib(gib * 1024)),
      model: fc.constantFrom(...MODELS),
      gpus: fc.integer({ min: 0, max: 4 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((nodes) => nodes.map((node, index): FleetNode => ({ ...node, id: `n${index}`, pool: node.model })))

const someGpu: fc.Arbitrary<GpuDemand> = fc.oneof(
  fc.constant<GpuDemand>({ kind: 'none' }),
  fc.integer({ min: 1, max: 4 }).map((count): GpuDemand => ({ kind: 'whole', count })),
  fc.integer({ min: 1, max: 19 }).map((part): GpuDemand => ({ kind: 'share', milli: part * 50 })),
  fc.integer({ min: 1, max: 999 }).map((milli): GpuDemand => ({ kind: 'share', milli })),
)

const somePods = fc
  .array(
    fc.record({
      cpuMilli: fc.integer({ min: 0, max: 12 }).map((cores) => cores * 1000),
      memory: fc.integer({ min: 0, max: 16 }).map((gib) => mib(gib * 1024)),
      gpu: someGpu,
      models: fc.subarray(MODELS, { maxLength: 1 }),
      tenant: fc.constantFrom(undefined, 'red', 'blue'),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((pods) => pods.map((pod, index): Demand => ({ ...pod, id: `p${index}` })))

const room = ({ cpuFree, memoryFree, milliFree, wholeFree, tenantOfGpu, sharersOfGpu }: Fleet) =>
  structuredClone({ cpuFree, memoryFree, milliFree, wholeFree, tenantOfGpu, sharersOfGpu })

/** Every limit, added up from the pods themselves and not from the fleet's own books. */
function expectNoOverCommit(fleet: Fleet, placed: ReadonlyArray<{ demand: Demand; spot: Spot }>): void {
  for (const [node, { cpuMilli, memory, model }] of fleet.nodes.entries()) {
    const here = placed.filter(({ spot }) => spot.node === node)
    expect(here.reduce((sum, { demand }) => sum + demand.cpuMilli, 0)).toBeLessThanOrEqual(cpuMilli)
    expect(here.reduce((sum, { demand }) => sum + demand.memory, 0)).toBeLessThanOrEqual(memory)
    for (const { demand } of here) expect(demand.models.length === 0 || demand.models.includes(model)).toBe(true)
  }
  for (const [gpu, free] of fleet.milliFree.entries()) {
    const here = placed.filter(({ spot }) => spot.gpus.includes(gpu)).map(({ demand }) => demand)
    const used = here.reduce((sum, demand) => sum + (demand.gpu.kind === 'share' ? demand.gpu.milli : GPU_MILLI), 0)
    expect(used).toBeLessThanOrEqual(GPU_MILLI)
    expect(free).toBe(GPU_MILLI - used)
    expect(new Set(here.map(({ tenant }) => tenant)).size).toBeLessThanOrEqual(1)
  }
  for (const { demand, spot } of placed) {
    expect(spot.gpus).toHaveLength(demand.gpu.kind === 'none' ? 0 : demand.gpu.kind === 'whole' ? demand.gpu.count : 1)
    for (const gpu of spot.gpus) expect(fleet.nodeOfGpu[gpu]).toBe(spot.node)
  }
}

/** Whether a demand fits on a node, counted from the pods that are there. */
function fitsByCount(
  nodes: readonly FleetNode[],
  placed: ReadonlyArray<{ demand: Demand; spot: Spot }>,
  { demand, node }: { demand: Demand; node: number },
): boolean {
  const { cpuMilli = 0, memory = 0, model = '', gpus = 0 } = nodes[node] ?? {}
  const first = nodes.slice(0, node).reduce((sum, before) => sum + before.gpus, 0)
  const here = placed.filter(({ spot }) => spot.node === node)
  if (here.reduce((sum, { demand: held }) => sum + held.cpuMilli, demand.cpuMilli) > cpuMilli) return false
  if (here.reduce((sum, { demand: held }) => sum + held.memory, Number(demand.memory)) > memory) return false
  if (demand.models.length > 0 && !demand.models.includes(model)) return false
  const onGpu = Array.from({ length: gpus }, (_, gpu) => here.filter(({ spot }) => spot.gpus.includes(first + gpu)))
  return gpuFitsByCount(onGpu, demand)
}

const milliOf = (held: ReadonlyArray<{ demand: Demand }>): number =>
  held.reduce((sum, { demand: { gpu } }) => sum + (gpu.kind === 'share' ? gpu.milli : GPU_MILLI), 0)

function gpuFitsByCount(onGpu: ReadonlyArray<ReadonlyArray<{ demand: Demand }>>, { gpu, tenant }: Demand): boolean {
  if (gpu.kind === 'none') return true
  if (gpu.kind === 'whole') return onGpu.filter((held) => held.length === 0).length >= gpu.count
  return onGpu.some(
    (held) => held.every(({ demand: other }) => other.tenant === tenant) && milliOf(held) + gpu.milli <= GPU_MILLI,
  )
}

function runPolicy(name: string, nodes: readonly FleetNode[], pods: readonly Demand[]) {
  const policy = POLICIES.find((known) => known.name === name)
  if (policy === undefined) throw new Error(name)
  const fleet = openFleet(nodes)
  const chooser = policy.start({ fleet, typical: typicalDemands(pods), random: seededChance(7) })
  const placed: Array<{ demand: Demand; spot: Spot }> = []
  const skipped: Demand[] = []
  for (const demand of pods) {
    const fits = nodes.some((_, node) => fitsByCount(nodes, placed, { demand, node }))
    const spot = chooser.choose(demand)
    // Skipped when, and only when, it fits nowhere.
    expect({ demand, placed: spot !== undefined }).toEqual({ demand, placed: fits })
    if (spot === undefined) skipped.push(demand)
    else {
      place(fleet, demand, spot)
      placed.push({ demand, spot })
    }
  }
  return { fleet, placed, skipped }
}

describe.each(POLICIES.map(({ name }) => name))('%s', (name) => {
  it('over-commits nothing, skips only what fits nowhere, and answers the same twice', () => {
    fc.assert(
      fc.property(someNodes, somePods, (nodes, pods) => {
        const { fleet, placed } = runPolicy(name, nodes, pods)
        expectNoOverCommit(fleet, placed)
        expect(runPolicy(name, nodes, pods).placed).toEqual(placed)
        for (const { demand, spot } of placed.toReversed()) undo(fleet, demand, spot)
        expect(room(fleet)).toEqual(room(openFleet(nodes)))
      }),
      { numRuns: name === 'septet' ? 6 : 20 },
    )
  })
})

const podOf = (gpu: GpuDemand, more: Partial<Demand> = {}): Demand => ({
  id: 'p',
  cpuMilli: 1000,
  memory: mib(1),
  gpu,
  models: [],
  tenant: undefined,
  ...more,
})

const share = (id: string, milli: number): Demand => podOf({ kind: 'share', milli }, { id })

describe('place', () => {
  const fleet = openFleet([{ id: 'n', cpuMilli: 4000, memory: mib(1024), model: 'A', pool: 'a', gpus: 2 }])
  it.each([
    ['too few GPUs', podOf({ kind: 'whole', count: 2 }), { node: 0, gpus: [0] }],
    ['the same GPU twice', podOf({ kind: 'whole', count: 2 }), { node: 0, gpus: [0, 0] }],
    ['another model', podOf({ kind: 'none' }, { models: ['B'] }), { node: 0, gpus: [] }],
    ['no such node', podOf({ kind: 'none' }), { node: 3, gpus: [] }],
    ['too much CPU', podOf({ kind: 'none' }, { cpuMilli: 5000 }), { node: 0, gpus: [] }],
  ])('refuses a spot with %s and changes nothing', (_, wrong, spot) => {
    const before = room(fleet)
    expect(() => place(fleet, wrong, spot)).toThrow('does not fit')
    expect(room(fleet)).toEqual(before)
  })

  it('keeps one GPU from two tenants, and gives it to the second once the first has gone', () => {
    const red = podOf({ kind: 'share', milli: 400 }, { tenant: 'red' })
    const blue = podOf({ kind: 'share', milli: 400 }, { tenant: 'blue' })
    const spot = { node: 0, gpus: [0] }
    place(fleet, red, spot)
    expect(() => place(fleet, blue, spot)).toThrow('does not fit')
    undo(fleet, red, spot)
    place(fleet, blue, spot)
    undo(fleet, blue, spot)
  })
})

describe('makeRoom', () => {
  it('makes steps that are legal one by one, moves no more than it may, and never ends with less', () => {
    fc.assert(
      fc.property(someNodes, somePods, fc.integer({ min: 0, max: 6 }), (nodes, pods, mostMoves) => {
        const { fleet, placed, skipped } = runPolicy('random', nodes, pods)
        const replay = openFleet(nodes)
        for (const { demand, spot } of placed) place(replay, demand, spot)
        const steps = makeRoom({ fleet, placed, waiting: skipped, mostMoves })
        const where = new Map(placed.map(({ demand, spot }) => [demand, spot]))
        for (const step of steps) {
          // `place` throws where the room is not free at that moment, `undo` is told where the pod must be.
          expect(step.kind === 'start' ? skipped.includes(step.demand) : where.get(step.demand) === step.from).toBe(
            true,
          )
          if (step.kind === 'move') undo(replay, step.demand, step.from)
          const to = step.kind === 'move' ? step.to : step.spot
          place(replay, step.demand, to)
          where.set(step.demand, to)
        }
        expect(room(replay).milliFree).toEqual(room(fleet).milliFree)
        expect(steps.filter(({ kind }) => kind === 'move').length).toBeLessThanOrEqual(mostMoves)
        expect(where.size).toBeGreaterThanOrEqual(placed.length)
        expectNoOverCommit(
          replay,
          [...where].map(([demand, spot]) => ({ demand, spot })),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('moves one small pod to start a large one', () => {
    const nodes = ['a', 'b'].map((id) => ({ id, cpuMilli: 8000, memory: mib(1024), model: 'A', pool: 'a', gpus: 1 }))
    const fleet = openFleet(nodes)
    const placed = [
      { demand: share('p', 300), spot: { node: 0, gpus: [0] } },
      { demand: share('q', 600), spot: { node: 1, gpus: [1] } },
    ]
    for (const { demand, spot } of placed) place(fleet, demand, spot)
    expect(makeRoom({ fleet, placed, waiting: [share('r', 900)], mostMoves: 1 })).toMatchObject([
      { kind: 'move', demand: { id: 'p' }, to: { node: 1, gpus: [1] } },
      { kind: 'start', demand: { id: 'r' }, spot: { node: 0, gpus: [0] } },
    ])
  })
})
