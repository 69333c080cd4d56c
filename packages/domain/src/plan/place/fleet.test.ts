import { describe, expect, it } from 'vitest'

import { mib } from '../../units.ts'
import type { Demand, GpuDemand } from './demand.ts'
import { fitsGpu, fitsNode, shareFleet, place, undo, type ShareFleet, type Spot } from './fleet.ts'

const fleet = (): ShareFleet =>
  shareFleet([
    { id: 'a', cpuMilli: 8000, memory: mib(64_000), model: 'T4', pool: '', gpus: 2 },
    { id: 'b', cpuMilli: 8000, memory: mib(64_000), model: 'A10', pool: '', gpus: 1 },
  ])

const demand = (gpu: GpuDemand, extra: Partial<Demand> = {}): Demand => ({
  id: 'pod',
  cpuMilli: 1000,
  memory: mib(1000),
  gpu,
  models: [],
  tenant: undefined,
  ...extra,
})
const share = (milli: number, extra: Partial<Demand> = {}): Demand => demand({ kind: 'share', milli }, extra)
const FIRST: Spot = { node: 0, gpus: [0] }

describe('a fleet', () => {
  it.each<[string, Demand, Spot]>([
    ['a share of nothing would leave a GPU both free and somebody’s', share(0), FIRST],
    ['a share below 0 would make room', share(-100), FIRST],
    ['a share that is no number', share(Number.NaN), FIRST],
    ['a share that is no whole number of thousandths', share(0.5), FIRST],
    ['a share of a whole GPU is no share', share(1000), FIRST],
    ['half a GPU more', demand({ kind: 'whole', count: 1.5 }), { node: 0, gpus: [0, 1] }],
    ['one GPU twice', demand({ kind: 'whole', count: 2 }), { node: 0, gpus: [0, 0] }],
    ['GPUs of two nodes', demand({ kind: 'whole', count: 2 }), { node: 0, gpus: [1, 2] }],
    ['CPU that is no number', share(500, { cpuMilli: Number.NaN }), FIRST],
    ['CPU below 0', share(500, { cpuMilli: -1 }), FIRST],
    ['memory without end', share(500, { memory: mib(Number.POSITIVE_INFINITY) }), FIRST],
    ['another model', share(500, { models: ['A10'] }), FIRST],
    ['no such node', demand({ kind: 'none' }), { node: 9, gpus: [] }],
  ])('refuses %s, and nothing changes', (_, wrong, spot) => {
    const changed = fleet()
    expect(() => place(changed, wrong, spot)).toThrow('pod does not fit at')
    expect(changed).toEqual(fleet())
  })

  it('lets one tenant share a GPU at a time, and gives all of it back', () => {
    const shared = fleet()
    const [red, blue] = [share(300, { tenant: 'red' }), share(300, { tenant: 'blue' })]
    place(shared, red, FIRST)
    expect(fitsGpu(shared, blue, 0)).toBe(false)
    expect(fitsGpu(shared, red, 0)).toBe(true)
    expect(shared.wholeFree[0]).toBe(1)
    expect(fitsNode(shared, demand({ kind: 'whole', count: 2 }), 0)).toBe(false)
    place(shared, red, FIRST)
    undo(shared, red, FIRST)
    expect(fitsGpu(shared, blue, 0)).toBe(false)
    undo(shared, red, FIRST)
    expect(fitsGpu(shared, blue, 0)).toBe(true)
    expect({ ...shared, tenants: new Map(), changes: fleet().changes, changeCount: 0 }).toEqual(fleet())
  })
})
