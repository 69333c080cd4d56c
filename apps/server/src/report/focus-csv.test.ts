import { csvOf } from '@septet/contract/csv'
import { COST_PARTS, csvRecords, instant, readBill } from '@septet/domain'
import { array, assert, constantFrom, nat, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Report } from '../operations/report/report.ts'
import { sampleMonthsAnswer } from '../operations/sample/sample.ts'
import { focusCsv, type FocusLine, type FocusVersion } from './focus-csv.ts'
import { parseCsv } from './parse-csv.fixture.ts'
import { focusFlaws, focusRows } from './focus-rules.fixture.ts'
import { CSV_FILES } from './report-csv.ts'
import { SAMPLE_REPORT } from './sample-report.fixture.ts'

const VERSIONS = ['1.0', '1.2', '1.3'] as const
const at = (text: string) => instant(Date.parse(text))
const OCTOBER = { from: at('2026-10-01T00:00:00Z'), to: at('2026-11-01T00:00:00Z') }
const LINE: FocusLine = {
  cluster: { id: 'production', name: 'Production' },
  charged: { from: at('2026-10-05T00:00:00Z'), to: at('2026-10-12T00:00:00Z') },
  billed: OCTOBER,
  namespace: 'team',
  workload: '',
  model: '',
  pool: '',
  part: 'used',
  gpuHours: 168,
  usd: 420,
  correction: '',
}

/** Lines as a ledger may have them: of GPU-seconds, to the millionth of a dollar. */
const anyLine = record({
  namespace: constantFrom('', 'team', 'a,"b"'),
  workload: constantFrom('', 'Job/train'),
  model: constantFrom('', 'H100-80GB-HBM3', 'A30'),
  pool: constantFrom('', 'gpu'),
  part: constantFrom(...COST_PARTS),
  // A second at least, and $0.0001 to $1,000 for an hour.
  seconds: nat(3_600_000_000).map((seconds) => seconds + 1),
  microsPerHour: nat(1_000_000_000).map((micros) => micros + 100),
}).map(({ seconds, microsPerHour, workload, ...line }): FocusLine => {
  const usd = Math.round((seconds / 3600) * microsPerHour) / 1e6
  return { ...LINE, ...line, workload: line.namespace === '' ? '' : workload, gpuHours: seconds / 3600, usd }
})

/** Millionths of a decimal, exact. */
const micros = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(`${whole}${fraction.padEnd(6, '0')}`)
}
const sumOf = (texts: readonly (string | undefined)[]): bigint =>
  texts.reduce((sum, text) => sum + micros(text ?? ''), 0n)

describe.each(VERSIONS)('FOCUS %s', (version) => {
  test('of any lines has nothing that its rules refuse, and adds up to the millionth of a dollar', () => {
    assert(
      property(array(anyLine, { maxLength: 8 }), (lines) => {
        const text = focusCsv(lines, version)
        expect(focusFlaws(text, version)).toEqual([])
        const rows = focusRows(text)
        const whole = sumOf(lines.map(({ usd }) => usd.toFixed(6)))
        for (const column of ['BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost'])
          expect(sumOf(rows.map((row) => row[column]))).toBe(whole)
        expect(sumOf(rows.map((row) => row['ConsumedQuantity']))).toBe(
          sumOf(lines.map(({ gpuHours }) => gpuHours.toFixed(6))),
        )
      }),
    )
  })

  test('is read by our own reader of bills, exactly', async () => {
    const text = focusCsv([LINE, { ...LINE, namespace: '', part: 'unallocated', usd: 0.014_999 }], version)
    const { total, notes } = await readBill([csvRecords([text])])
    expect(total).toMatchObject({ lines: 2, billed: 420_014_999_000n, effective: 420_014_999_000n })
    expect(notes).toEqual([])
  })
})

const columns = (version: FocusVersion): string[] => Object.keys(rowOf({}, version) ?? {})
const rowOf = (line: Partial<FocusLine>, version: FocusVersion = '1.2') =>
  focusRows(focusCsv([{ ...LINE, ...line }], version))[0]

test('each version has the columns that it knows and no others', () => {
  const [first, second, third] = VERSIONS.map((version) => columns(version))
  expect(second?.filter((column) => first?.includes(column) !== true)).toEqual([
    'BillingAccountType',
    'InvoiceId',
    'ServiceSubcategory',
    'SkuMeter',
    'SkuPriceDetails',
    'SubAccountType',
  ])
  expect(third?.filter((column) => second?.includes(column) !== true)).toEqual([
    'HostProviderName',
    'ServiceProviderName',
  ])
  expect(first?.filter((column) => third?.includes(column) !== true)).toEqual([])
})

test('a price is written in as few decimals as give the cost, which is not rounded to the cent', () => {
  expect(rowOf({})).toMatchObject({ BilledCost: '420.0', PricingQuantity: '168.0', ListUnitPrice: '2.5' })
  expect(rowOf({ usd: 0.000_001, gpuHours: 0.5 })).toMatchObject({ BilledCost: '0.000001', ListUnitPrice: '0.000002' })
  expect(rowOf({ model: 'A30' })).toMatchObject({ SkuId: 'A30', SkuPriceId: 'A30@2.5', x_GpuModel: 'A30' })
  // Nothing was consumed: no price, which is not a price of 0.
  expect(rowOf({ gpuHours: 0 })).toMatchObject({ ListUnitPrice: '', SkuPriceId: 'GPU' })
})

describe('the rules find', () => {
  const [head = [], row = []] = parseCsv(focusCsv([LINE], '1.3'))
  const withCell = (column: string, text: string): string => csvOf([head, row.with(head.indexOf(column), text)])
  test.each([
    ['BilledCost', '420', 'BilledCost is no Decimal: 420'],
    ['BilledCost', '4.2E2', 'BilledCost is no Decimal: 4.2E2'],
    ['BilledCost', '1.0', 'BilledCost is not ListCost: nothing is discounted'],
    ['BillingPeriodEnd', '2026-12-01T00:00:00Z', 'it is not billed for one month'],
    ['ChargePeriodEnd', '2026-11-02T00:00:00Z', 'it is charged outside of what is billed'],
    ['ChargePeriodStart', '2026-10-05', 'ChargePeriodStart is no DateTime: 2026-10-05'],
    ['ServiceCategory', 'GPU', 'ServiceCategory may not be GPU'],
    ['ListUnitPrice', '2.51', 'ListUnitPrice x PricingQuantity is not the cost'],
    ['SkuId', '', 'SkuId is empty'],
    ['ResourceType', '', 'ResourceType and ResourceId'],
    ['ConsumedUnit', 'gpu hours', 'ConsumedUnit is no unit'],
    ['ProviderName', 'Somebody', 'a third party would be paid, so BilledCost would be 0'],
  ])('%s "%s": %s', (column, text, flaw) => {
    expect(focusFlaws(withCell(column, text), '1.3')).toContain(`row 1: ${flaw}`)
  })

  test('columns that are missing, that a version does not have, and that stand in a wrong place', () => {
    expect(focusFlaws(focusCsv([LINE], '1.3'), '1.2')).toContain('HostProviderName is no column of 1.2')
    expect(focusFlaws(focusCsv([LINE], '1.2'), '1.3')).toContain('ServiceProviderName is not there')
    expect(
      focusFlaws(
        csvOf([
          ['x_Own', ...head],
          ['own', ...row],
        ]),
        '1.3',
      ),
    ).toContain('BilledCost stands behind columns of our own')
  })
})

const liveMonth = (name: string, says: string) => [
  {
    ...sampleMonthsAnswer().months[0],
    month: name,
    sealed: { at: '2026-11-01T01:00:00.000Z', usd: 100, digest: '', corrections: [], says },
  },
]

describe('the file of a report', () => {
  type Line = NonNullable<Report['cost']['lines']>[number]
  const HOUR: Line = {
    from: '2026-10-31T22:00:00.000Z',
    to: '2026-10-31T23:00:00.000Z',
    namespace: 'a',
    model: 'A30',
    pool: 'gpu',
    instanceType: '',
    region: '',
    capacity: '',
    part: 'used',
    gpuHours: 4,
    usdPerGpuHour: 0.5,
    usd: 2,
  }
  const reportOf = (lines: readonly Partial<Line>[], range = '24h'): Report => {
    const all = lines.map((line) => ({ ...HOUR, ...line }))
    return { ...SAMPLE_REPORT, range, cost: { ...SAMPLE_REPORT.cost, lines: all } }
  }

  test('has a row for each line of the ledger, and none for what has no price', () => {
    const lines = COST_PARTS.map((part) => ({ part, namespace: part === 'used' ? 'a' : '' }))
    const text = CSV_FILES.focus(reportOf([...lines, { usd: null, usdPerGpuHour: null }]))
    expect(focusFlaws(text, '1.2')).toEqual([])
    expect(focusRows(text).map((row) => [row['x_Part'], row['ListUnitPrice'], row['SkuId']])).toEqual(
      COST_PARTS.map((part) => [part, '0.5', 'A30']),
    )
    expect(CSV_FILES.focus(SAMPLE_REPORT).split('\r\n')).toHaveLength(2)
  })

  test('bills each line in the month of the range’s zone', () => {
    const next = { from: '2026-10-31T23:00:00.000Z', to: '2026-11-01T00:00:00.000Z' }
    const monthsOf = (range: string, zone: string): (string | undefined)[] => {
      const text = CSV_FILES.focus(reportOf([HOUR, next], range))
      expect(focusFlaws(text, '1.2', zone)).toEqual([])
      return focusRows(text).map((row) => row['BillingPeriodStart'])
    }
    expect(monthsOf('7d', 'UTC')).toEqual(['2026-10-01T00:00:00Z', '2026-10-01T00:00:00Z'])
    expect(monthsOf('week@Europe/Berlin', 'Europe/Berlin')).toEqual(['2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'])
  })

  test('says of what was learned after its month was sealed, in every row of that month', () => {
    const says = 'Corrected by 1.0 GPU-h and $2.00 on 2026-11-03: Usage that was missing was read later.'
    const [month] = liveMonth('2026-10', says)
    const report = reportOf([HOUR, { from: '2026-11-01T00:00:00.000Z', to: '2026-11-01T01:00:00.000Z' }])
    const months = { ...report.months, months: [month] } as Report['months']
    const text = CSV_FILES.focus({ ...report, months })
    expect(focusFlaws(text, '1.2')).toEqual([])
    expect(focusRows(text).map((row) => row['x_Corrections'])).toEqual([says, ''])
    expect(CSV_FILES.months({ ...report, months })).toContain(says)
  })

  test('says in each version the same', () => {
    for (const [file, version] of [
      ['focus-1.0', '1.0'],
      ['focus', '1.2'],
      ['focus-1.3', '1.3'],
    ] as const) {
      const text = CSV_FILES[file](reportOf([HOUR]))
      expect(focusFlaws(text, version)).toEqual([])
      expect(focusRows(text)[0]).toMatchObject({ BilledCost: '2.0', SubAccountId: 'a', x_GpuModel: 'A30' })
    }
  })
})
