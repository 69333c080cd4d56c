import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { migShares } from './gpu-shares.ts'

const cut = (...profiles: readonly string[]) => profiles.map((profile) => ({ profile, placement: undefined }))

describe('the shares of a GPU in MIG mode', () => {
  test('are compute slices over those of its board', () => {
    expect(migShares('A100-SXM4-80GB', cut('3g.40gb', '2g.20gb'))).toEqual({
      instances: [3 / 7, 2 / 7],
      free: 2 / 7,
      stranded: 0,
    })
    expect(migShares('A30', cut('2g.12gb')).instances).toEqual([2 / 4])
  })
  test('are free beside what a bad placement leaves, and stranded for the rest', () => {
    // Memory slices 0, 1, 6 and 7 are left. A 2g fits at 0 but may not start at 6, so a 1g is all that fits there.
    const scattered = migShares('A100-SXM4-80GB', [
      { profile: '1g.20gb', placement: { start: 2, size: 2 } },
      { profile: '1g.20gb', placement: { start: 4, size: 2 } },
    ])
    expect(scattered).toEqual({ instances: [1 / 7, 1 / 7], free: 3 / 7, stranded: 2 / 7 })
  })
  test('are free beside the instances of a board whose menu alone is published', () => {
    const { instances, free, stranded } = migShares('RTX-PRO-5000-Blackwell', cut('2g.24gb-me', '1g.12gb'))
    expect([...instances, free, stranded]).toEqual([0.5, 0.25, 0.25, 0])
  })
  test('are equal for all instances of a board we do not know', () => {
    expect(migShares('X9000', cut('1g.5gb', '4g.20gb'))).toEqual({ instances: [0.5, 0.5], free: 0, stranded: 0 })
  })
  test('are the whole GPU while nothing is cut', () => {
    expect(migShares('A100-SXM4-80GB', [])).toEqual({ instances: [], free: 1, stranded: 0 })
  })
  test('add up to 1, whatever the instances claim', () => {
    const model = constantFrom('A100-SXM4-80GB', 'A30', 'H200', 'X9000', 'RTX-PRO-5000-Blackwell')
    const profile = constantFrom('1g.10gb', '2g.20gb', '3g.40gb', '7g.80gb', '1g.6gb', '1g.18gb', '9g.1gb')
    assert(
      property(model, array(profile, { maxLength: 9 }), (name, profiles) => {
        const { instances, free, stranded } = migShares(name, cut(...profiles))
        const parts = [...instances, free, stranded]
        expect(parts.reduce((sum: number, share) => sum + share, 0)).toBeCloseTo(1, 9)
        for (const share of parts) expect(share).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
