import { describe, expect, test } from 'vitest'

import { chanceAbove, poolTails } from './tail-pool.ts'

const flat = (workloads: number) => Array.from({ length: workloads }, () => Array.from({ length: 24 }, () => 10_000))

describe('a pool of flat workloads', () => {
  test.each([0, 1, 9, 99])('%i of them leave half an event in as many for what nobody has shown', (workloads) => {
    const pool = poolTails(flat(workloads), { halfLife: Infinity, window: 24 })
    // One window of its own counts like one peer.
    const unseen = (multiple: number): number => 0.5 / (workloads + 1 + 1) / multiple ** 2
    for (const multiple of [1.1, 2, 10]) {
      const chance = chanceAbove(pool, multiple, 24)
      expect(chance).toBeGreaterThanOrEqual(unseen(multiple))
      if (workloads === 0) continue
      expect(chance).toBeLessThan(unseen(multiple) + 0.01)
    }
  })

  test('a multiple that half of the windows exceed has that chance, and a little more', () => {
    const high = Array.from({ length: 24 }, (_, hour) => (hour === 12 ? 20_000 : 10_000))
    const pool = poolTails([...flat(50), ...Array.from({ length: 50 }, () => high)], { halfLife: Infinity, window: 24 })
    expect(chanceAbove(pool, 1.5, 24)).toBeCloseTo(0.5, 2)
    expect(chanceAbove(pool, 2.5, 24)).toBeLessThan(0.01)
  })
})
