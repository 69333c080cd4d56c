import { mib, openFleet, place, undo, type Demand } from '@septet/domain'
import { overCommitted, podOf, someNodes, somePods } from '@septet/domain/testing'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { makeRoom } from './make-room.ts'
import { placedAtRandom } from './placed-at-random.fixture.ts'

describe('makeRoom', () => {
  it('makes steps that are legal one by one, moves no more than it may, and never ends with less', () => {
    fc.assert(
      fc.property(someNodes, somePods, fc.integer({ min: 0, max: 6 }), (nodes, pods, mostMoves) => {
        const { fleet, placed, waiting } = placedAtRandom(nodes, pods)
        const replay = openFleet(nodes)
        for (const { demand, spot } of placed) place(replay, demand, spot)
        const steps = makeRoom({ fleet, placed, waiting, mostMoves })
        const where = new Map(placed.map(({ demand, spot }) => [demand, spot]))
        for (const step of steps) {
          // `place` throws where the room is not free at that moment, `undo` is told where the pod must be.
          expect(step.kind === 'start' ? waiting.includes(step.demand) : where.get(step.demand) === step.from).toBe(
            true,
          )
          if (step.kind === 'move') undo(replay, step.demand, step.from)
          const to = step.kind === 'move' ? step.to : step.spot
          place(replay, step.demand, to)
          where.set(step.demand, to)
        }
        expect(replay.milliFree).toEqual(fleet.milliFree)
        expect(steps.filter(({ kind }) => kind === 'move').length).toBeLessThanOrEqual(mostMoves)
        expect(where.size).toBeGreaterThanOrEqual(placed.length)
        const ended = [...where].map(([demand, spot]) => ({ demand, spot }))
        expect(overCommitted(replay, ended)).toEqual([])
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

const share = (id: string, milli: number): Demand => podOf({ kind: 'share', milli }, { id })
