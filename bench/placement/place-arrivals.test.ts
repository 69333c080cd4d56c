import { type Demand, type ShareNode, type GpuDemand, gpuMilliOf, mib, seededChance } from '@septet/domain'
import { describe, expect, it } from 'vitest'

import { expectedFragmentation, wantedOf } from './fragmentation.ts'
import { POLICIES } from './policies.ts'
import { arrivals } from './arrivals.ts'
import { meanInterval } from './mean-interval.ts'
import { placeArrivals } from './place-arrivals.ts'

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
const input = { nodes, pods, seed: 3, ratio: 1.3 }

describe('arrivals are placed', () => {
  it.each(POLICIES)('the same for nodes in another order, and none is forgotten: $name', (policy) => {
    const one = placeArrivals({ ...input, policy })
    const { fleet, ...figures } = one
    const { fleet: other, ...same } = placeArrivals({ ...input, nodes: nodes.toReversed(), policy })
    expect(same).toEqual(figures)
    expect(other.milliFree).toEqual(fleet.milliFree)
    const milli = one.placed.reduce((sum, { demand }) => sum + gpuMilliOf(demand.gpu), 0)
    expect(one.allocated).toBeCloseTo(milli / 400, 9)
    expect(one.placed.length + one.skipped.length).toBe(one.arrivals.length)
    expect(one.allocated).toBeGreaterThan(50)
  })

  it.each(POLICIES)('on a fleet without GPUs nowhere, and of a list without pods none: $name', (policy) => {
    const none = placeArrivals({ ...input, nodes: [], ratio: 1, policy })
    expect(none).toMatchObject({ allocated: 0, skipped: none.arrivals })
    expect(placeArrivals({ ...input, pods: [], policy })).toMatchObject({ arrivals: [], allocated: 0 })
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

  it('is the same for a seed, and another for another', () => {
    expect(order(5)).toEqual(order(5))
    expect(order(5)).not.toEqual(order(6))
  })
})

describe('the fragmentation of a node', () => {
  it('counts the room that a typical pod cannot use', () => {
    const room = { cpu: 48_000, milli: new Float64Array(4).fill(1000), gpus: 4, model: 'L' }
    const small: Demand = {
      id: 'b',
      cpuMilli: 0,
      memory: mib(1),
      gpu: { kind: 'whole', count: 1 },
      models: [],
      tenant: undefined,
    }
    const big: Demand = { ...small, cpuMilli: 1e9 }
    const of = (...demands: Demand[]) =>
      expectedFragmentation(room, wantedOf(demands.map((demand) => ({ demand, share: 1 / demands.length }))))
    expect([of(big), of(small), of(big, small)]).toEqual([4000, 0, 2000])
  })
})

describe('meanInterval', () => {
  it('knows no spread of one sample, and uses Student for few', () => {
    expect(meanInterval([4])).toEqual({ mean: 4, halfWidth: undefined, samples: 1 })
    expect(meanInterval([1, 2, 3]).halfWidth).toBeCloseTo(4.303 / Math.sqrt(3), 6)
  })
})
