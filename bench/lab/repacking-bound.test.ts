import { gpuMilliOf, type Demand, type FleetNode } from '@septet/domain'
import { someNodes, somePods } from '@septet/domain/testing'
import { openHighs } from '@septet/solver'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'

import { makeRoom } from './make-room.ts'
import { placedAtRandom } from './placed-at-random.fixture.ts'
import { mostStartable } from './repacking-bound.ts'

const solver = openHighs()
afterAll(() => solver.close())

describe('mostStartable', () => {
  it('is never less than what moves start', async () => {
    await fc.assert(
      fc.asyncProperty(someNodes, somePods, async (nodes, pods) => {
        const { fleet, placed, waiting } = placedAtRandom(nodes, pods)
        const most = await mostStartable({ nodes, placed: placed.map(({ demand }) => demand), waiting }, solver)
        const steps = makeRoom({ fleet, placed, waiting, mostMoves: 50 })
        const started = steps.reduce((sum, step) => sum + (step.kind === 'start' ? gpuMilliOf(step.demand.gpu) : 0), 0)
        expect(started / 1000).toBeLessThanOrEqual(most + 1e-6)
      }),
      { numRuns: 60 },
    )
  })

  it('is nothing where what waits is too large for what is left, however it is packed', async () => {
    const node = { id: 'a', cpuMilli: 64_000, memory: 1024, model: 'A', pool: 'a', gpus: 3 } as unknown as FleetNode
    const three = [share(600), share(600), share(600)]
    expect(await mostStartable({ nodes: [node], placed: three, waiting: [share(500)] }, solver)).toBeCloseTo(0, 6)
    expect(await mostStartable({ nodes: [node], placed: three, waiting: [share(400)] }, solver)).toBeCloseTo(0.4, 6)
  })
})

const share = (milli: number): Demand =>
  ({ id: `s${milli}`, cpuMilli: 1, memory: 1, gpu: { kind: 'share', milli }, models: [] }) as unknown as Demand
