import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { gpuHours, instant, usd } from '../../units.ts'
import { SAVING_EFFECTS, SAVING_STATES, type Amount, type Realized, type RunSaving } from './saving.ts'
import { savingsLedger } from './savings-ledger.ts'

const amount = <Unit extends number>(unit: (value: number) => Unit, value: number, half = 1): Amount<Unit> => ({
  value: unit(value),
  range: { low: unit(value - half), high: unit(value + half) },
})
const realized = (hours: number, rest: Partial<Realized> = {}): Realized => ({
  window: { from: instant(0), to: instant(1) },
  basis: 'held',
  work: undefined,
  gpuHours: amount(gpuHours, hours),
  usd: amount(usd, hours * 2, 2),
  byHour: [],
  knownHours: 168,
  unknownHours: 0,
  ...rest,
})
const saving = (rest: Partial<RunSaving> = {}): RunSaving => ({
  run: 'r',
  effect: 'capacity-freed',
  state: 'verified',
  because: '',
  estimate: { gpuHoursPerMonth: 1000, usdPerMonth: 2000 },
  realized: realized(10),
  ...rest,
})

test('adds capacity that was freed and bills that fell apart, and what is estimated to neither', () => {
  const ledger = savingsLedger([
    saving(),
    saving({ state: 'partly-verified', realized: realized(5, { unknownHours: 40 }) }),
    saving({ effect: 'bill-reduced', realized: realized(7) }),
    saving({ state: 'applied', realized: realized(100) }),
    saving({ state: 'estimated', realized: undefined }),
    saving({ state: 'reverted', realized: realized(100) }),
    saving({ state: 'failed', realized: realized(100) }),
  ])
  expect(ledger['capacity-freed']).toEqual({
    realized: {
      runs: 2,
      gpuHours: amount(gpuHours, 15, 2),
      usd: amount(usd, 30, 4),
      unpriced: 0,
      unknownHours: 40,
      promised: { gpuHours: (1000 / 730) * 336, usd: (2000 / 730) * 336 },
    },
    estimated: { runs: 2, gpuHoursPerMonth: 2000, usdPerMonth: 4000, unpriced: 0 },
  })
  expect(ledger['bill-reduced'].realized).toMatchObject({ runs: 1, gpuHours: { value: 7 }, usd: { value: 14 } })
  expect(ledger['bill-reduced'].estimated).toEqual({ runs: 0, gpuHoursPerMonth: 0, usdPerMonth: 0, unpriced: 0 })
})

test('a sum of what has no price is unknown and not 0, and tells how many it leaves out', () => {
  const unpriced = saving({ realized: realized(5, { usd: undefined }) })
  const proposed = saving({ state: 'estimated', realized: undefined, estimate: undefined })
  expect(savingsLedger([unpriced, proposed])['capacity-freed']).toMatchObject({
    realized: { runs: 1, gpuHours: { value: 5 }, usd: undefined, unpriced: 1 },
    estimated: { runs: 1, gpuHoursPerMonth: undefined, usdPerMonth: undefined, unpriced: 1 },
  })
  expect(savingsLedger([unpriced, saving()])['capacity-freed'].realized).toMatchObject({
    usd: { value: 20 },
    unpriced: 1,
  })
  const halfPriced = saving({ state: 'approved', estimate: { gpuHoursPerMonth: 3, usdPerMonth: undefined } })
  expect(savingsLedger([halfPriced])['capacity-freed'].estimated).toMatchObject({
    gpuHoursPerMonth: 3,
    usdPerMonth: undefined,
  })
})

test('what was promised for the measured hours is not told where one of them promised no number', () => {
  const savings = [saving(), saving({ estimate: undefined })]
  expect(savingsLedger(savings)['capacity-freed'].realized.promised).toBeUndefined()
  const unpriced = saving({ estimate: { gpuHoursPerMonth: 730, usdPerMonth: undefined } })
  expect(savingsLedger([unpriced])['capacity-freed'].realized.promised).toEqual({ gpuHours: 168, usd: undefined })
})

const isMeasured = ({ state }: RunSaving) => state === 'verified' || state === 'partly-verified'

test('whatever is estimated, nothing of it moves what was measured, and the other way round', () => {
  const any = fc.record({
    effect: fc.constantFrom(...SAVING_EFFECTS),
    state: fc.constantFrom(...SAVING_STATES),
    realized: fc.option(
      fc.nat(500).map((hours) => realized(hours)),
      { nil: undefined },
    ),
    estimate: fc.option(fc.record({ gpuHoursPerMonth: fc.nat(999), usdPerMonth: fc.nat(999) }), { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(any), (all) => {
      const savings = all.map((each) => saving(each))
      const [ledger, measured, other] = [
        savings,
        savings.filter(isMeasured),
        savings.filter((each) => !isMeasured(each)),
      ].map(savingsLedger)
      for (const effect of SAVING_EFFECTS) {
        expect(ledger?.[effect].realized).toEqual(measured?.[effect].realized)
        expect(ledger?.[effect].estimated).toEqual(other?.[effect].estimated)
        const sum = savings
          .filter((each) => isMeasured(each) && each.effect === effect)
          .reduce((total, each) => total + (each.realized?.gpuHours.value ?? 0), 0)
        expect(ledger?.[effect].realized.gpuHours.value).toBeCloseTo(sum)
      }
    }),
  )
})
