import { describe, expect, it } from 'vitest'
import { findModel } from '../catalog.ts'
import { boardFor } from '../known-boards.ts'
import RECORDED from './recorded-boards.json' with { type: 'json' }

// What NVML answered on real boards, MIG switched off: profile infos and possible placements, read on 2026-11-26.
describe.each(RECORDED)('$name, as its driver $driver lists it', ({ name, pciDeviceId, profiles, ...recorded }) => {
  const board = boardFor(name)

  it('is the board in the tables, by name and by PCI id', () => {
    expect(board?.pciIds).toContain(pciDeviceId)
  })

  it('cuts into the profiles of the tables: ids, slices, multiprocessors, most instances and every legal start', () => {
    const menu = board?.profiles.map(({ starts, size, memory: _memory, evidence: _evidence, ...profile }) => ({
      ...profile,
      placements: starts.map((start) => [start, size]),
    }))
    expect(menu?.toSorted(byName)).toEqual(
      profiles.map(({ memoryMib: _memory, ...profile }) => profile).toSorted(byName),
    )
  })

  it('gives each instance the memory of the tables or up to 1% more', () => {
    const odd = profiles.filter(({ name: profile, memoryMib }) => {
      const ours = board?.profiles.find((row) => row.name === profile)?.memory
      return ours === undefined || ours > memoryMib || ours < memoryMib * 0.99
    })
    expect(odd).toEqual([])
  })

  it('has the memory and the power limit of the catalog', () => {
    const model = findModel(name)
    expect(model?.tdp).toEqual({ min: recorded.powerLimitWatts, max: recorded.powerLimitWatts })
    // A product of 80 GB has some percent less of 80 GiB: the driver keeps a part.
    expect(recorded.memoryMib / 1024 / (model?.memory?.max ?? 0)).toBeCloseTo(1, 1)
  })
})

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)
