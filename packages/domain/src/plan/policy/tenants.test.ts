import { describe, expect, it } from 'vitest'

import { mib } from '../../units.ts'
import type { Demand } from '../place/demand.ts'
import { shareFleet, place } from '../place/fleet.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import { septet, septetLearning } from './septet.ts'

const POLICIES = [septet, septetLearning]

const half = (id: string, tenant: string): Demand => ({
  id,
  cpuMilli: 1000,
  memory: mib(1000),
  gpu: { kind: 'share', milli: 500 },
  models: [],
  tenant,
})

describe.each(POLICIES.map((policy) => [policy.name, policy] as const))('%s', (_, policy) => {
  it('never lets two tenants share a GPU, however alike their pods are', () => {
    const fleet = shareFleet(
      ['a', 'b'].map((id) => ({ id, cpuMilli: 8000, memory: mib(64_000), model: 'T4', pool: '', gpus: 1 })),
    )
    const typical = [{ demand: half('typical', 'red'), share: 1 }]
    const chooser = policy.start({ fleet, typical, random: seededChance(1) })
    const arrivals = ['red', 'blue', 'red', 'blue', 'green'].map((tenant, index) => half(`pod-${index}`, tenant))
    const spots = arrivals.map((demand) => {
      const spot = chooser.choose(demand)
      if (spot !== undefined) place(fleet, demand, spot)
      return spot?.gpus[0]
    })
    const [red, blue] = spots
    expect(new Set([red, blue])).toEqual(new Set([0, 1]))
    expect(spots).toEqual([red, blue, red, blue, undefined])
  })
})
