import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { mib } from '../../units.ts'
import { GPU_MILLI, type Demand } from '../place/demand.ts'
import { overCommitted, podOf, someNodes, somePods, type PlacedDemand } from '../place/fleet.fixture.ts'
import { shareFleet, place, undo, type ShareFleet, type ShareNode } from '../place/fleet.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import { septet, septetLearning } from './septet.ts'
import { typicalDemands } from './typical-demands.ts'

const POLICIES = [septet, septetLearning]

const room = ({ cpuFree, memoryFree, milliFree, wholeFree, tenantOfGpu, sharersOfGpu }: ShareFleet) =>
  structuredClone({ cpuFree, memoryFree, milliFree, wholeFree, tenantOfGpu, sharersOfGpu })

/** Whether a demand fits on a node, counted from the pods that are there. */
function fitsByCount(
  nodes: readonly ShareNode[],
  placed: readonly PlacedDemand[],
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

function runPolicy(name: string, nodes: readonly ShareNode[], pods: readonly Demand[]) {
  const policy = POLICIES.find((known) => known.name === name)
  if (policy === undefined) throw new Error(name)
  const fleet = shareFleet(nodes)
  const chooser = policy.start({ fleet, typical: typicalDemands(pods), random: seededChance(7) })
  const placed: PlacedDemand[] = []
  for (const demand of pods) {
    const fits = nodes.some((_, node) => fitsByCount(nodes, placed, { demand, node }))
    const spot = chooser.choose(demand)
    // Skipped when, and only when, it fits nowhere.
    expect({ demand, placed: spot !== undefined }).toEqual({ demand, placed: fits })
    if (spot === undefined) continue
    place(fleet, demand, spot)
    placed.push({ demand, spot })
  }
  return { fleet, placed }
}

describe.each(POLICIES.map(({ name }) => name))('%s', (name) => {
  it('over-commits nothing, skips only what fits nowhere, and answers the same twice', () => {
    fc.assert(
      fc.property(someNodes, somePods, (nodes, pods) => {
        const { fleet, placed } = runPolicy(name, nodes, pods)
        expect(overCommitted(fleet, placed)).toEqual([])
        expect(runPolicy(name, nodes, pods).placed).toEqual(placed)
        for (const { demand, spot } of placed.toReversed()) undo(fleet, demand, spot)
        expect(room(fleet)).toEqual(room(shareFleet(nodes)))
      }),
      { numRuns: name === 'septet' ? 6 : 20 },
    )
  })
})

describe('place', () => {
  const fleet = shareFleet([{ id: 'n', cpuMilli: 4000, memory: mib(1024), model: 'A', pool: 'a', gpus: 2 }])
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
