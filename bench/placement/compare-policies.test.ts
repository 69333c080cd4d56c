import { type Demand, type ShareNode, type GpuDemand, gpuMilliOf, mib, seededChance, septet } from '@septet/domain'
import { describe, expect, it } from 'vitest'

import { fgd } from './fgd.ts'
import { fleetFragmentation } from './fragmentation.ts'
import { POLICIES } from './policies.ts'
import { arrivals } from './arrivals.ts'
import { comparePolicies } from './compare-policies.ts'
import { meanInterval } from './mean-interval.ts'

const nodes = Array.from({ length: 12 }, (_, index): ShareNode => {
  const small = index % 3 === 0
  return {
    id: `n${String(index).padStart(2, '0')}`,
    cpuMilli: small ? 16_000 : 48_000,
    memory: mib(512 * 1024),
    model: small ? 'S' : 'L',
    pool: 'p',
    gpus: small ? 2 : 4,
  }
})
const shares = [810, 470, 320, 650, 230]
const pods = Array.from({ length: 60 }, (_, index): Demand => {
  const whole: GpuDemand = { kind: 'whole', count: index % 20 === 0 ? 2 : 1 }
  const gpu: GpuDemand = index % 2 === 0 ? whole : { kind: 'share', milli: shares[index % 5] ?? 500 }
  const cpuMilli = 2000 + (index % 4) * 3000
  return { id: `p${index}`, cpuMilli, memory: mib(1024), gpu, models: index % 7 === 0 ? ['L'] : [], tenant: undefined }
})
const input = { nodes, pods, policies: POLICIES, seed: 3, ratio: 1.3, recordAt: [50, 100] }

describe('comparePolicies', () => {
  it('gives the same marks pod by pod as in one go, and the same for nodes in another order', () => {
    const whole = comparePolicies(input)
    whole.advance(1e6)
    const steps = comparePolicies({ ...input, nodes: nodes.toReversed() })
    let calls = 0
    while (steps.advance(1)) calls += 1
    expect(calls).toBe(steps.arrivals.length - 1)
    expect(steps.simulations.map((one) => [one.marks(), one.now()])).toEqual(
      whole.simulations.map((one) => [one.marks(), one.now()]),
    )
    expect(whole.simulations.map((one) => one.marks().map(({ arrived }) => arrived))).toEqual(
      POLICIES.map(() => [50, 100]),
    )
  })

  it('comes to the same in small pieces, in which all policies have seen the same pods', () => {
    const whole = comparePolicies(input)
    whole.advance(1e6)
    const pieces = comparePolicies(input)
    let calls = 1
    for (; pieces.advanceWhile(() => false); calls += 1) {
      const seen = pieces.simulations.map(({ placed, skipped }) => placed.length + skipped.length)
      expect(new Set(seen).size).toBe(1)
    }
    // The search for prices alone takes hundreds of steps, and none of them is a pod.
    expect(calls).toBeGreaterThan(pieces.arrivals.length + 400)
    expect(pieces.simulations.map((one) => [one.marks(), one.now()])).toEqual(
      whole.simulations.map((one) => [one.marks(), one.now()]),
    )
  })

  it('counts what is allocated as the sum of what was placed, and accounts for every pod', () => {
    const comparison = comparePolicies(input)
    comparison.advance(1e6)
    for (const simulation of comparison.simulations) {
      const milli = simulation.placed.reduce((sum, { demand }) => sum + gpuMilliOf(demand.gpu), 0)
      expect(simulation.now().allocated).toBeCloseTo(milli / 400, 9)
      expect(simulation.placed.length + simulation.skipped.length).toBe(comparison.arrivals.length)
    }
  })

  it('says how the policy judges the spots before it takes the best', () => {
    const comparison = comparePolicies({ ...input, policies: [fgd, septet] })
    const [first] = comparison.arrivals
    for (const simulation of comparison.simulations) {
      const judged = first === undefined ? [] : simulation.consider(first, 3)
      expect(judged).toHaveLength(3)
      simulation.advance(1)
      expect(simulation.placed[0]?.spot).toEqual(judged[0]?.spot)
    }
  })

  it('bears a fleet without GPUs and a list without pods', () => {
    const none = comparePolicies({ ...input, nodes: [], ratio: 1 })
    none.advance(1e6)
    for (const simulation of none.simulations) {
      expect(simulation.now()).toEqual({ arrived: 0, allocated: 0, fragmented: 0, skipped: none.arrivals.length })
    }
    const empty = comparePolicies({ ...input, pods: [] })
    expect(empty.advance(1)).toBe(false)
  })
})

const capacity = 40_000
const sizeOf = ({ gpu }: Demand): number => gpuMilliOf(gpu)

const request = (demands: readonly Demand[]): number => demands.reduce((sum, { gpu }) => sum + gpuMilliOf(gpu), 0)

const order = (seed: number): string[] =>
  arrivals({ pods, sizeOf, capacity, ratio: 1.3, random: seededChance(seed) }).map(({ id }) => id)

describe('arrivals', () => {
  it('holds every pod once, and more drawn from them until the request is reached', () => {
    const drawn = arrivals({ pods, sizeOf, capacity, ratio: 1.3, random: seededChance(1) })
    const ids = drawn.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(pods.map(({ id }) => id)))
    expect(request(drawn)).toBeGreaterThanOrEqual(52_000)
    expect(request(drawn)).toBeLessThan(54_000)
  })

  it('cuts a list that asks for more', () => {
    const drawn = arrivals({ pods, sizeOf, capacity, ratio: 0.5, random: seededChance(1) })
    expect(request(drawn)).toBeGreaterThanOrEqual(20_000)
    expect(request(drawn)).toBeLessThan(22_000)
  })

  it('refuses requests so small that the list would never end', () => {
    const tiny: Demand[] = pods.slice(0, 1).map((pod) => ({ ...pod, gpu: { kind: 'share', milli: 1 } }))
    const many = { pods: tiny, sizeOf, capacity: 2_000_000, ratio: 1.3, random: seededChance(1) }
    expect(() => arrivals(many)).toThrow(/need about 2,600,000 pods .* at most 1,000,000/u)
  })

  it('is the same for a seed, and another for another', () => {
    expect(order(5)).toEqual(order(5))
    expect(order(5)).not.toEqual(order(6))
  })
})

describe('fleetFragmentation', () => {
  it('counts the room that a typical pod cannot use', () => {
    const comparison = comparePolicies({ ...input, policies: [fgd] })
    const [simulation] = comparison.simulations
    const big: Demand = {
      id: 'b',
      cpuMilli: 1e9,
      memory: mib(1),
      gpu: { kind: 'whole', count: 1 },
      models: [],
      tenant: undefined,
    }
    const small: Demand = { ...big, cpuMilli: 0 }
    const fleet = simulation?.fleet
    if (fleet === undefined) throw new Error('one simulation')
    expect(fleetFragmentation(fleet, [{ demand: big, share: 1 }])).toBe(40_000)
    expect(fleetFragmentation(fleet, [{ demand: small, share: 1 }])).toBe(0)
    expect(
      fleetFragmentation(
        fleet,
        [big, small].map((demand) => ({ demand, share: 0.5 })),
      ),
    ).toBe(20_000)
  })
})

describe('meanInterval', () => {
  it('knows no spread of one sample, and uses Student for few', () => {
    expect(meanInterval([4])).toEqual({ mean: 4, halfWidth: undefined, samples: 1 })
    expect(meanInterval([1, 2, 3]).halfWidth).toBeCloseTo(4.303 / Math.sqrt(3), 6)
  })
})
