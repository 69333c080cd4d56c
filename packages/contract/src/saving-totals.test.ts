import { expect, test } from 'vitest'

import type { OutputOf } from './operation.ts'
import { savingTotals } from './saving-totals.ts'
import type { recommendationsList } from './schemas/recommendations.ts'

type Recommendation = OutputOf<typeof recommendationsList>['recommendations'][number]

const saving = (effect: 'bill-reduced' | 'capacity-freed', usdPerMonth: number | null) =>
  ({
    saving: { kind: 'estimated', gpuHoursPerMonth: 730, usdPerMonth, usdPerGpuHour: 1, priceSource: 'x', effect },
  }) as Recommendation
const without = { saving: { kind: 'none', brings: 'starts 1 pod', because: 'time' } } as Recommendation

test('what falls from the bill and what is only freed are never one sum', () => {
  const {
    billReduced,
    capacityFreed,
    without: rest,
  } = savingTotals(
    [saving('bill-reduced', 100), saving('capacity-freed', 30), saving('capacity-freed', 7), without],
    true,
  )
  expect([billReduced.value, capacityFreed.value, rest]).toEqual([100, 37, 1])
  expect(billReduced.quality).toBe('estimated')
})

test('an amount without a price is not 0', () => {
  expect(savingTotals([saving('bill-reduced', null)], true).billReduced).toMatchObject({
    value: null,
    quality: 'unknown',
  })
  const partly = savingTotals([saving('bill-reduced', null), saving('bill-reduced', 5)], true).billReduced
  expect(partly).toMatchObject({ value: 5, because: '1 of 2 has no price and is not in it.' })
})

test('before any is made nothing is known, which is not a saving of 0', () => {
  const { billReduced, capacityFreed, without: rest } = savingTotals([], false)
  for (const total of [billReduced, capacityFreed]) expect(total).toMatchObject({ value: null, quality: 'unknown' })
  expect(rest).toBeUndefined()
  expect(savingTotals([], true).billReduced).toMatchObject({ value: 0, quality: 'estimated' })
})
