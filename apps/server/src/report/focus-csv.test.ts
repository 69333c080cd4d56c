import { costBreakdown } from '@septet/contract'
import { array, assert, constantFrom, nat, property, record, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import type { Report } from '../operations/report/report.ts'
import { focusCsv } from './focus-csv.ts'
import { parseCsv } from './parse-csv.fixture.ts'
import { SAMPLE_REPORT } from './sample-report.fixture.ts'

type Group = Report['cost']['namespace']['groups'][number]
type Parts = Group['gpuHours']

/** Whatever the contract says that capacity went into; `unmeasured` is a part of `used`. */
const group = costBreakdown.output.shape.groups.element.shape
const PARTS = Object.keys(group.gpuHours.shape).filter((part) => part !== 'capacity' && part !== 'unmeasured')

const partsOf = (amounts: readonly number[]): Parts =>
  z.parse(group.gpuHours, {
    ...Object.fromEntries(PARTS.map((part, at) => [part, (amounts[at] ?? 0) / 100])),
    unmeasured: 0,
    capacity: amounts.reduce((sum, amount) => sum + amount, 0) / 100,
  })

const OCTOBER = { from: '2026-10-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' }

function rowsOf(groups: readonly Pick<Group, 'key' | 'gpuHours' | 'usd'>[], asked: Partial<Report> = {}) {
  const { namespace, ...cost } = SAMPLE_REPORT.cost
  const named = groups.map((each) => ({ ...each, id: each.key, unpricedGpuHours: 0 })) as unknown as readonly Group[]
  const report = {
    ...SAMPLE_REPORT,
    window: OCTOBER,
    ...asked,
    cost: { ...cost, namespace: { ...namespace, groups: [...named] } },
  }
  const [head = [], ...rows] = parseCsv(focusCsv(report))
  return rows.map((row) => Object.fromEntries(head.map((column, at) => [column, row[at] ?? ''])))
}

const cents = (amount: number | string | undefined): number => Math.round(Number(amount) * 100)

test('the rows of any range add up to its cost, with every part that there is', () => {
  const amounts = array(nat(1_000_000), { minLength: PARTS.length, maxLength: PARTS.length })
  const drawn = uniqueArray(record({ key: constantFrom('', 'a', 'b', 'c'), amounts }), { selector: ({ key }) => key })
  expect(PARTS).toContain('broken')
  assert(
    property(drawn, (list) => {
      const groups = list.map(({ key, amounts: of }) => ({ key, gpuHours: partsOf(of), usd: partsOf(of) }))
      const rows = rowsOf(groups)
      for (const column of ['BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost', 'ConsumedQuantity'] as const)
        expect(rows.reduce((sum, row) => sum + cents(row[column]), 0)).toBe(
          groups.reduce((sum, { usd }) => sum + cents(usd.capacity), 0),
        )
      for (const part of PARTS)
        expect(
          rows.filter((row) => row['x_Part'] === part).reduce((sum, row) => sum + cents(row['BilledCost']), 0),
        ).toBe(list.reduce((sum, { amounts: of }) => sum + (of[PARTS.indexOf(part)] ?? 0), 0))
    }),
  )
})

test('what is not known has no row: nothing of what belongs to nobody, nothing without a price', () => {
  const gpuHours = { ...partsOf([100, 0, 0, 0, 0, 0]), unallocated: null, stranded: null, broken: null }
  expect(rowsOf([{ key: 'a', gpuHours, usd: { ...gpuHours } }]).map((row) => row['x_Part'])).toHaveLength(1)
  expect(rowsOf([{ key: 'a', gpuHours, usd: null }])).toEqual([])
})

describe('the billing period is the month, from its first second to the first that is no longer in it', () => {
  const usd = partsOf([100, 0, 0, 0, 0, 0])
  const period = (range: string, window: { from: string; to: string }): unknown => {
    const [row] = rowsOf([{ key: 'a', gpuHours: usd, usd }], { range, window })
    return [
      row?.['BillingPeriodStart'],
      row?.['BillingPeriodEnd'],
      row?.['ChargePeriodStart'],
      row?.['ChargePeriodEnd'],
    ]
  }
  const [october, november] = ['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z']
  test.each([
    ['a whole month', 'last-month@UTC', OCTOBER, [october, november, october, november]],
    [
      'a part of one',
      '24h',
      { from: '2026-10-30T10:00:00.250Z', to: '2026-10-31T10:00:00.250Z' },
      [october, november, '2026-10-30T10:00:00Z', '2026-10-31T10:00:00Z'],
    ],
    [
      'the last month of a year',
      'last-month@UTC',
      { from: '2026-12-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' },
      ['2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ],
    [
      'the months that a window touches',
      '7d',
      { from: '2026-10-28T00:00:00.000Z', to: '2026-11-04T00:00:00.000Z' },
      [october, '2026-12-01T00:00:00Z', '2026-10-28T00:00:00Z', '2026-11-04T00:00:00Z'],
    ],
    [
      'the month of a zone',
      'last-month@Europe/Berlin',
      { from: '2026-09-30T22:00:00.000Z', to: '2026-10-31T23:00:00.000Z' },
      ['2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z', '2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'],
    ],
  ])('%s', (...[, range, window, told]) => expect(period(range, window)).toEqual(told))
})
