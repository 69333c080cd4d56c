import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { type BoundCertificate, CERTIFICATE_UNIT, checkBound } from './bound-certificate.ts'
import { bruteForce } from './brute-force.fake.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import { demand, layoutProblems, supply } from './layout-problem.fixture.ts'
import { planLayout } from './plan-layout.ts'

const unit = (value: number): number => Math.round(value * CERTIFICATE_UNIT)
const certificate = (parts: Partial<BoundCertificate> = {}): BoundCertificate => ({
  of: 'gpus',
  prices: [{ supplyClass: 'a', profile: '1g.10gb', units: unit(1 / 7) }],
  shortfall: undefined,
  ...parts,
})
const problem = { classes: [supply('a')], demands: [demand('infer', 22, '1g.10gb')] }

describe('a certificate', () => {
  test('proves by hand: 22 instances at a seventh of a GPU take more than 3 GPUs', () => {
    expect(checkBound(problem, certificate())).toEqual({ kind: 'proven', bound: 22 / 7, atLeast: 4 })
  })

  test('proves nothing more by prices that are too high: each GPU of the class then pays rent', () => {
    const greedy = certificate({ prices: [{ supplyClass: 'a', profile: '1g.10gb', units: unit(1) }] })
    expect(checkBound(problem, greedy)).toEqual({ kind: 'proven', bound: 0, atLeast: 0 })
  })

  test('asks for the price of every profile that a workload accepts', () => {
    const either = { classes: [supply('a')], demands: [demand('infer', 22, '1g.10gb', '2g.20gb')] }
    expect(checkBound(either, certificate())).toMatchObject({ bound: 0 })
  })

  test('is refused with figures that are none', () => {
    const price = { supplyClass: 'a', profile: WHOLE_GPU, units: 1 }
    for (const prices of [
      [{ ...price, units: -1 }],
      [{ ...price, units: 0.5 }],
      [{ ...price, units: 2 ** 49 }],
      [price, price],
    ]) {
      expect(checkBound(problem, certificate({ prices })).kind).toBe('not-a-certificate')
    }
    const unpriced = { ...problem, classes: [supply('a', { price: undefined })] }
    expect(checkBound(unpriced, certificate({ of: 'cost' }))).toEqual({
      kind: 'not-a-certificate',
      because: 'a has no price',
    })
  })

  test('never proves more than the best of all plans, whatever its prices (random problems, tampered prices)', () => {
    fc.assert(
      fc.property(
        layoutProblems({ supply: 2, count: 4, demands: 3 }),
        fc.array(fc.integer({ min: 0, max: 2 * CERTIFICATE_UNIT }), { minLength: 24, maxLength: 24 }),
        fc.constantFrom('keep', 'replace', 'raise'),
        (random, units, how) => {
          const answer = planLayout(random, { boundGpus: true })
          const best = bruteForce(random)
          for (const honest of answer.quality.certificates) {
            const prices = honest.prices.map((price, index) => {
              const other = units[index] ?? 0
              return {
                ...price,
                units: { keep: price.units, replace: other, raise: price.units + (other % 9999) }[how],
              }
            })
            const check = checkBound(random, { ...honest, prices })
            if (check.kind !== 'proven') throw new Error(check.because)
            expect(check.bound).toBeLessThanOrEqual(highest(honest, best) + 1e-9)
          }
        },
      ),
      { numRuns: 200, seed: 5 },
    )
  })
})

/** What a bound of this kind must not exceed. */
function highest({ of, shortfall }: BoundCertificate, best: ReturnType<typeof bruteForce>): number {
  if (of === 'unplaced') return best.unplaced
  // A claim about plans that leave no more than ours is one about the best plan only if that leaves no more.
  const allowed = (shortfall?.allowed ?? 0) / CERTIFICATE_UNIT
  if (best.unplaced > allowed + 1e-9) return Infinity
  return of === 'cost' ? best.cost : best.gpus
}
