import { describe, expect, it } from 'vitest'

import { mib } from '../../units.ts'
import type { Demand } from '../place/demand.ts'
import { podOf } from '../place/fleet.fixture.ts'
import { at, shareFleet, place, type ShareNode } from '../place/fleet.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import { scoredChooser } from './scored-chooser.ts'

const nodes = Array.from({ length: 5 }, (_, index): ShareNode => {
  return { id: `n${index}`, cpuMilli: 32_000, memory: mib(65_536), model: 'A', pool: 'p', gpus: 4 }
})

const drawDemands = (): readonly Demand[] => {
  const random = seededChance(4)
  return Array.from({ length: 60 }, (_, index): Demand => {
    const milli = 100 * (1 + Math.floor(9 * random()))
    const gpu = { kind: 'share' as const, milli }
    return { id: `p${index}`, cpuMilli: 500, memory: mib(64), gpu, models: [], tenant: undefined }
  })
}

const spots = (mostScores?: number): { chosen: unknown[]; judged: number } => {
  const fleet = shareFleet(nodes)
  let judged = 0
  const score = (_: Demand, node: number, gpu: number): number => {
    judged += 1
    return at(fleet.cpuFree, node) + at(fleet.milliFree, gpu)
  }
  const chooser = scoredChooser(fleet, score, mostScores)
  const chosen = drawDemands().map((demand) => {
    const spot = chooser.choose(demand)
    if (spot !== undefined) place(fleet, demand, spot)
    return spot
  })
  return { chosen, judged }
}

describe('scoredChooser', () => {
  it('chooses the same where it may keep the scores of one kind of demand only, and judges more often', () => {
    const [kept, forgotten] = [spots(), spots(1)]
    expect(forgotten.chosen).toEqual(kept.chosen)
    expect(new Set(kept.chosen.map((spot) => JSON.stringify(spot))).size).toBeGreaterThan(10)
    expect(forgotten.judged).toBeGreaterThan(kept.judged)
  })

  it('judges anew what it has forgotten', () => {
    const fleet = shareFleet(nodes)
    let wanted = 3
    const chooser = scoredChooser(fleet, (_, node) => Math.abs(node - wanted))
    const demand = podOf({ kind: 'share', milli: 100 })
    expect(chooser.choose(demand)?.node).toBe(3)
    wanted = 1
    expect(chooser.choose(demand)?.node).toBe(3)
    chooser.forget()
    expect(chooser.choose(demand)?.node).toBe(1)
  })
})
