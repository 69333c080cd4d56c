import { CLASSES, RECOMMENDATION_KINDS } from '@septet/domain/action-classes'
import { describe, expect, test } from 'vitest'

import { KIND_COLUMN, RISK_COLUMN, SAVING_COLUMNS } from './recommendation-columns.tsx'
import { savingWords, type Recommendation } from './recommendation-words.ts'

type Told = Pick<Recommendation, 'kind' | 'risk' | 'saving'>

const estimated = {
  kind: 'estimated' as const,
  gpuHoursPerMonth: 2000,
  usdPerMonth: 8012,
  usdPerGpuHour: 4,
  priceSource: 'a price list',
  effect: 'bill-reduced' as const,
}
const none = { kind: 'none' as const, brings: 'starts 3 pods', because: 'It starts waiting work.' }
const told = (change: Partial<Told>): Told => ({ kind: 'remove-node', risk: null, saving: estimated, ...change })
const [BILL, CAPACITY] = SAVING_COLUMNS
if (BILL === undefined || CAPACITY === undefined) throw new Error('there are two columns')

describe('what a recommendation brings', () => {
  test('is off the bill or of capacity, and never in both columns', () => {
    const freed = told({ saving: { ...estimated, effect: 'capacity-freed' } })
    expect([BILL.text?.(told({})), CAPACITY.text?.(told({}))]).toEqual(['$8,012/mo', ''])
    expect([BILL.text?.(freed), CAPACITY.text?.(freed)]).toEqual(['', '$8,012/mo'])
    expect([BILL.isEmpty?.(freed), CAPACITY.isEmpty?.(freed)]).toEqual([true, false])
  })

  test('is in GPU-hours without a price, and unknown without both; neither is sorted as $0', () => {
    const unpriced = told({ saving: { ...estimated, usdPerMonth: null } })
    const unknown = told({ saving: { ...estimated, usdPerMonth: null, gpuHoursPerMonth: null } })
    expect([BILL.text?.(unpriced), BILL.text?.(unknown)]).toEqual(['2,000 GPU-h/mo', 'unknown'])
    expect([BILL.sortBy?.(unpriced), BILL.sortBy?.(unknown)]).toEqual([undefined, undefined])
  })

  test('is said once where it is no amount', () => {
    const starts = told({ saving: none })
    expect([BILL.isEmpty?.(starts), CAPACITY.isEmpty?.(starts)]).toEqual([true, false])
    expect([BILL.text?.(starts), CAPACITY.text?.(starts)]).toEqual(['', ''])
  })
})

describe('in words', () => {
  test('an amount names its hours, its price and whose that is', () => {
    expect(savingWords(estimated)).toEqual({
      amount: '$8,012/mo',
      alone: '$8,012/mo off the bill',
      explanation: 'Estimated: 2,000 GPU-h a month at $4.00 (a price list). Lowers the bill.',
    })
    expect(savingWords({ ...estimated, effect: 'capacity-freed', priceSource: null }).explanation).toBe(
      'Estimated: 2,000 GPU-h a month at $4.00 (no source). Frees capacity for other work. The bill stays the same.',
    )
  })

  test('an amount that nobody knows is unknown', () =>
    expect(savingWords({ ...estimated, usdPerMonth: null, usdPerGpuHour: null, gpuHoursPerMonth: null })).toEqual({
      amount: 'unknown',
      alone: 'unknown off the bill',
      explanation: 'Estimated. Lowers the bill.',
    }))

  test('what is no amount says what it brings instead, and why', () =>
    expect(savingWords(none)).toEqual({
      amount: 'starts 3 pods',
      alone: 'starts 3 pods',
      explanation: 'It starts waiting work.',
    }))
})

test('the riskiest come last, and what states no risk after them', () => {
  const risk = (level: NonNullable<Told['risk']>['level']): Told =>
    told({
      risk: { level, displaced: [], seconds: { low: 1, high: 2, source: '' }, overrun: null, confidence: 1 },
    })
  const order = (['low', 'medium', 'high', 'mode-change'] as const).map((level) => RISK_COLUMN.sortBy?.(risk(level)))
  expect(order).toEqual([0, 1, 2, 3])
  expect(RISK_COLUMN.sortBy?.(told({}))).toBeUndefined()
  expect([RISK_COLUMN.text?.(risk('mode-change')), RISK_COLUMN.text?.(told({}))]).toEqual(['MIG mode', ''])
})

test('kinds are sorted and copied by what they are called', () => {
  const titles = RECOMMENDATION_KINDS.map((kind) => CLASSES[kind].title)
  expect(RECOMMENDATION_KINDS.map((kind) => KIND_COLUMN.sortBy?.(told({ kind })))).toEqual(titles)
  // What is copied of a column is what it is sorted by, where it says nothing else.
  expect(KIND_COLUMN.text).toBeUndefined()
})
