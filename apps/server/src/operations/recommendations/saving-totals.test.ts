import type { RecommendationView } from '@septet/contract'
import { expect, test } from 'vitest'

import { savingTotals } from './saving-totals.ts'

const saving = (effect: 'bill-reduced' | 'capacity-freed', usdPerMonth: number | null) =>
  ({
    saving: { kind: 'estimated', gpuHoursPerMonth: 730, usdPerMonth, usdPerGpuHour: 1, priceSource: 'x', effect },
  }) as RecommendationView
const without = { saving: { kind: 'none', brings: 'starts 1 pod', because: 'time' } } as RecommendationView
const unknown = (because: string) => ({ value: null, quality: 'unknown', because })

test('what falls from the bill and what is only freed are never one sum', () => {
  const all = [saving('bill-reduced', 100), saving('capacity-freed', 30), saving('capacity-freed', 7), without]
  expect(savingTotals(all, {})).toMatchObject({
    billReduced: { value: 100, quality: 'estimated' },
    capacityFreed: { value: 37 },
    without: 1,
  })
})

test('an amount without a price is not 0', () => {
  expect(savingTotals([saving('bill-reduced', null)], {}).billReduced).toMatchObject({
    value: null,
    quality: 'unknown',
  })
  const partly = savingTotals([saving('bill-reduced', null), saving('bill-reduced', 5)], {}).billReduced
  expect(partly).toMatchObject({ value: 5, because: '1 of 2 has no price and is not in it.' })
})

test('before any is made nothing is known, which is not a saving of 0', () => {
  expect(savingTotals([], { unmade: 'Not yet.' })).toMatchObject({
    billReduced: unknown('Not yet.'),
    capacityFreed: unknown('Not yet.'),
    without: null,
  })
  expect(savingTotals([], {}).billReduced).toMatchObject({ value: 0, quality: 'estimated' })
})

test('what was found stands before all is seen; that nothing was found does not', () => {
  expect(savingTotals([saving('bill-reduced', 100)], { unseen: 'Half is read.' })).toMatchObject({
    billReduced: { value: 100, quality: 'estimated' },
    capacityFreed: unknown('Half is read.'),
    without: 0,
  })
})
