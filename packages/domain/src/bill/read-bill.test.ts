import { describe, expect, test } from 'vitest'

import { HOUR_MS, instant } from '../units.ts'
import type { Bill } from './bill.ts'
import { billPrices } from './bill-prices.ts'
import { csvRecords, csvRows, readBill } from './read-bill.ts'
import { centsThatAddUp, dollarsOf, readNanos } from './exact-money.ts'
import { recordOfValues } from './focus-values.ts'

/** When the charges below begin: 2026-07-20T13:00:00Z. */
const START = 1_784_552_400_000

/** One charge of a p5.48xlarge for an hour, unless said otherwise. */
const charge = (changes: Readonly<Record<string, string | number>> = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({
      BilledCost: '55.04',
      EffectiveCost: '55.04',
      ListCost: '55.04',
      BillingCurrency: 'USD',
      ChargePeriodStart: '2026-07-20T13:00:00Z',
      ChargePeriodEnd: '2026-07-20T14:00:00Z',
      ChargeCategory: 'Usage',
      ChargeClass: '',
      ChargeDescription: 'On-demand p5.48xlarge hour',
      PricingCategory: 'Standard',
      ConsumedQuantity: 1,
      ConsumedUnit: 'Hours',
      PricingQuantity: 1,
      PricingUnit: 'Hours',
      ProviderName: 'AWS',
      ServiceName: 'Amazon Elastic Compute Cloud',
      RegionId: 'us-east-1',
      ResourceId: 'i-0aaa',
      CommitmentDiscountId: '',
      CommitmentDiscountStatus: '',
      CapacityReservationId: '',
      CapacityReservationStatus: '',
      SkuPriceDetails: '{"InstanceType": "p5.48xlarge", "GpuCount": 8}',
      ...changes,
    }).map(([key, value]) => [key, String(value)]),
  )

const quoted = (text: string): string => (/[",\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const csv = (charges: readonly Readonly<Record<string, string>>[]): string =>
  [Object.keys(charges[0] ?? {}), ...charges.map((each) => Object.keys(charges[0] ?? {}).map((key) => each[key] ?? ''))]
    .map((row) => row.map(quoted).join(','))
    .join('\r\n')
const read = (...charges: readonly Readonly<Record<string, string>>[]) => readBill([csvRecords([csv(charges)])])

const dollars = ({ kinds }: Bill, kind: keyof Bill['kinds']): [billed: number, effective: number] => [
  dollarsOf(kinds[kind].billed),
  dollarsOf(kinds[kind].effective),
]

const PLAN = 'arn:aws:savingsplans::1:savingsplan/a'
const SAVINGS_PLAN = [
  charge({
    PricingCategory: 'Committed',
    BilledCost: 0,
    EffectiveCost: 35,
    CommitmentDiscountId: PLAN,
    CommitmentDiscountStatus: 'Used',
  }),
  charge({
    PricingCategory: 'Committed',
    BilledCost: 0,
    EffectiveCost: 5,
    CommitmentDiscountId: PLAN,
    CommitmentDiscountStatus: 'Unused',
    ResourceId: PLAN,
    ConsumedQuantity: '',
    ConsumedUnit: '',
    SkuPriceDetails: '',
  }),
  charge({
    ChargeCategory: 'Purchase',
    BilledCost: 40,
    EffectiveCost: 0,
    CommitmentDiscountId: PLAN,
    ResourceId: PLAN,
    ConsumedQuantity: '',
    ConsumedUnit: '',
    SkuPriceDetails: '',
  }),
]

describe('a bill in FOCUS', () => {
  test('counts what the invoice says and what things cost apart, and a commitment once', async () => {
    const bill = await read(...SAVINGS_PLAN)
    expect(dollars(bill, 'gpu-machine')).toEqual([0, 35])
    expect(dollars(bill, 'unused-commitment')).toEqual([0, 5])
    expect(dollars(bill, 'purchase')).toEqual([40, 0])
    expect([dollarsOf(bill.total.billed), dollarsOf(bill.total.effective)]).toEqual([40, 40])
    expect(
      bill.commitments.map(({ purchased, used, unused, listOfUsed }) =>
        [purchased, used, unused, listOfUsed].map(dollarsOf),
      ),
    ).toEqual([[40, 35, 5, 55.04]])
  })

  test('tells spot, reserved and on-demand machines apart, and what was reserved and not used from all of them', async () => {
    const bill = await read(
      charge(),
      charge({ PricingCategory: 'Dynamic', BilledCost: 22, EffectiveCost: 22, ResourceId: 'i-0b' }),
      charge({ CapacityReservationId: 'cr-1', CapacityReservationStatus: 'Used', ResourceId: 'i-0c' }),
      charge({ CapacityReservationId: 'cr-1', CapacityReservationStatus: 'Unused', ResourceId: 'cr-1' }),
    )
    expect(bill.machines.map(({ capacity, hours }) => [capacity, hours])).toEqual([
      ['on-demand', 1],
      ['reserved', 1],
      ['spot', 1],
    ])
    expect(dollars(bill, 'unused-reservation')).toEqual([55.04, 55.04])
  })

  test('keeps corrections, taxes and credits out of prices, and in the sum', async () => {
    const bill = await read(
      charge(),
      charge({ ChargeClass: 'Correction', BilledCost: -20.5, EffectiveCost: -20.5 }),
      charge({ ChargeCategory: 'Tax', BilledCost: 4.13, EffectiveCost: 4.13, SkuPriceDetails: '' }),
      charge({ ChargeCategory: 'Credit', BilledCost: '-2.61370000000', EffectiveCost: '-2.61370000000' }),
    )
    expect(dollars(bill, 'correction')).toEqual([-20.5, -20.5])
    expect(dollarsOf(bill.total.billed)).toBe(36.06)
    expect(billPrices(bill)).toMatchObject([{ price: 6.88 }])
  })

  test('counts an hour once that stands in two lines, because a commitment covers a part of it', async () => {
    const bill = await read(
      charge({
        PricingCategory: 'Committed',
        BilledCost: 0,
        EffectiveCost: 10,
        CommitmentDiscountId: PLAN,
        CommitmentDiscountStatus: 'Used',
      }),
      charge({ PricingQuantity: 0.75, BilledCost: 30, EffectiveCost: 30 }),
    )
    expect(bill.machines).toMatchObject([{ hours: 1, gpus: 8 }])
    expect(billPrices(bill)).toMatchObject([{ price: 5 }])
  })

  test('that names no machines counts the hours of each line', async () => {
    const sum = { ResourceId: '', BilledCost: 165.12, EffectiveCost: 165.12, ConsumedQuantity: 3 }
    const other = { ResourceId: '', SkuPriceDetails: '{"InstanceType": "g6.xlarge", "GpuCount": 1}' }
    const bill = await read(charge(sum), charge({ ...other, BilledCost: 0.8, EffectiveCost: 0.8 }))
    expect(bill.machines.map(({ instanceType, hours }) => [instanceType, hours])).toEqual([
      ['g6.xlarge', 1],
      ['p5.48xlarge', 3],
    ])
    expect(billPrices(bill).map(({ price }) => price)).toEqual([0.8, 6.88])
  })

  test('keeps of its machines what ran in the time that it is compared for', async () => {
    const late = { ChargePeriodStart: '2026-07-20T14:00:00Z', ChargePeriodEnd: '2026-07-20T15:00:00Z' }
    const within = { from: instant(START), to: instant(START + HOUR_MS) }
    const bill = await readBill([csvRecords([csv([charge(), charge({ ...late, EffectiveCost: 40 })])])], { within })
    expect(bill.resources).toEqual([{ resource: 'i-0aaa', gpuHours: 8, effective: 55_040_000_000n }])
    expect(bill.machines).toMatchObject([{ hours: 2, amounts: { lines: 2 } }])
    expect(bill.period).toEqual({ from: START, to: START + 2 * HOUR_MS })
  })

  test('of 1.0 names its machine in words, writes NULL, and dates without a zone', async () => {
    const bill = await read(
      charge({
        SkuPriceDetails: 'NULL',
        CommitmentDiscountId: 'NULL',
        ChargeDescription: '$1.624 per On Demand Linux g5.4xlarge Instance Hour',
        ChargePeriodStart: '2024-09-27 15:00:00',
        ChargePeriodEnd: '2024-09-27 16:00:00',
        BilledCost: '1.62400000000',
        EffectiveCost: '1.62400000000',
      }),
    )
    expect(bill.machines).toMatchObject([{ instanceType: 'g5.4xlarge', month: '2024-09', gpus: 1, hours: 1 }])
    expect(bill.commitments).toEqual([])
  })

  test('gives prices by month, type, region and capacity, which hold from the first of the month', async () => {
    const bill = await read(charge(), charge({ PricingCategory: 'Dynamic', EffectiveCost: 22, ResourceId: 'i-0b' }))
    expect(billPrices(bill)).toMatchObject([
      {
        id: 'bill-2026-07-p5.48xlarge-us-east-1-on-demand',
        instanceType: 'p5.48xlarge',
        region: 'us-east-1',
        capacity: 'on-demand',
        price: 6.88,
        effectiveFrom: 1_782_864_000_000,
        source: 'bill of AWS for 2026-07, effective cost of 1 machine-hour',
      },
      { capacity: 'spot', price: 2.75 },
    ])
  })

  test('in another currency needs a rate, and in two is refused', async () => {
    const euros = await read(charge({ BillingCurrency: 'EUR' }))
    expect(() => billPrices(euros)).toThrow('The bill is in EUR, and prices are in USD. Give the rate')
    expect(billPrices(euros, 1.1)).toMatchObject([{ price: 7.568 }])
    await expect(read(charge(), charge({ BillingCurrency: 'EUR' }))).rejects.toThrow('charges in USD and in EUR')
  })

  test('in two files of two currencies is refused, and so is a charge without a currency', async () => {
    const files = [[charge()], [charge({ BillingCurrency: 'EUR' })]].map((charges) => csvRecords([csv(charges)]))
    await expect(readBill(files)).rejects.toThrow('charges in USD and in EUR, which cannot be added')
    expect((await read(charge(), charge({ BillingCurrency: '' }))).notes).toEqual([
      '1 charge could not be read and is in no sum, the first is charge 2: BillingCurrency is "". Effective cost: USD 55.04.',
    ])
  })

  test('in two versions, with another amount for the same machine and hours, is refused', async () => {
    const [old, final] = [charge({ EffectiveCost: 50 }), charge()]
    const both = [[old], [final]].map((charges) => csvRecords([csv(charges)]))
    await expect(readBill(both)).rejects.toThrow(
      'Two of the files charge i-0aaa for the same hours from 2026-07-20 13:00 UTC at different amounts, so they are two versions of one bill. Import the newer one alone.',
    )
  })

  test('in parts, where a machine changes its price within the hour, is one bill', async () => {
    const half = { ConsumedQuantity: 0.5, EffectiveCost: 27.52, BilledCost: 27.52 }
    const parts = [[charge(half)], [charge({ ...half, EffectiveCost: 20 })]]
    const bill = await readBill(parts.map((charges) => csvRecords([csv(charges)])))
    expect(bill.machines).toMatchObject([{ hours: 1, amounts: { lines: 2 } }])
  })

  test('keeps charges that are alike in one file: FOCUS has no key that tells them apart', async () => {
    const request = charge({
      SkuPriceDetails: '',
      ResourceId: '',
      ChargeDescription: 'requests',
      ConsumedUnit: 'Requests',
    })
    const [first, second] = [
      [request, request],
      [request, request, request],
    ].map((charges) => csvRecords([csv(charges)]))
    const bill = await readBill([first, second].filter((file) => file !== undefined))
    expect(bill.total.lines).toBe(3)
  })

  test('with credits that outweigh what machines cost gives no price, and says so', async () => {
    const bill = await read(charge(), charge({ BilledCost: -80, EffectiveCost: -80, ConsumedQuantity: 0 }))
    expect(billPrices(bill)).toEqual([])
    expect(dollars(bill, 'unpriced-gpu')).toEqual([-24.96, -24.96])
    expect(bill.notes).toEqual([
      'p5.48xlarge, us-east-1, on-demand: USD -24.96 for GPUs in 2 charges from charge 1 on are in no price, because its effective cost is not above 0.',
    ])
  })

  test('tells how much of what computing costs is for machines of unknown size', async () => {
    const plain = { SkuPriceDetails: '', ChargeDescription: 'a machine', ResourceType: 'instance', ResourceId: 'i-0b' }
    const bill = await read(
      charge({ ResourceType: 'instance' }),
      charge({ ...plain, EffectiveCost: 13.76, BilledCost: 13.76 }),
    )
    expect(bill.notes).toEqual([
      '1 charge of virtual machines, USD 13.76 effective, 20.0% of what computing costs, does not tell the machine type: machines with GPUs may be among them. Export the bill with SkuPriceDetails (FOCUS 1.1 or newer).',
    ])
  })

  test('names the first twenty reasons, and counts the rest', async () => {
    const flawed = Array.from({ length: 23 }, (_, index) => charge({ ChargePeriodStart: `day ${index}` }))
    const { notes } = await read(...flawed, charge({ ChargePeriodStart: 'day 22' }))
    expect(notes).toHaveLength(21)
    expect(notes.at(-1)).toBe('4 charges more for 3 other reasons like these.')
  })

  test('says which charges it could not read, and what is not a bill', async () => {
    const bill = await read(charge(), charge({ BilledCost: 'twelve' }), charge({ BilledCost: 'twelve' }))
    expect(bill.notes).toEqual([
      '2 charges could not be read and are in no sum, the first is charge 2: BilledCost is "twelve". Effective cost: USD 110.08.',
    ])
    await expect(readBill([csvRecords(['a,b\n1,2\n'])])).rejects.toThrow(
      'This is no bill in FOCUS: it has no BilledCost',
    )
    await expect(readBill([csvRecords(['BilledCost\n'])])).rejects.toThrow('no charges')
  })
})

const FEE = charge({
  ChargeCategory: 'Purchase',
  BilledCost: 1000,
  EffectiveCost: 0,
  SkuMeter: 'USE2-CapacityBlockFee:p5.48xlarge',
  CapacityReservationId: 'arn:aws:ec2:us-east-1:1:capacity-reservation/cr-1',
  ResourceId: '',
})
const blockHour = (day: string, cost = 0): Readonly<Record<string, string>> =>
  charge({
    BilledCost: 0,
    EffectiveCost: cost,
    CapacityReservationId: 'cr-1',
    CapacityReservationStatus: 'Used',
    ChargePeriodStart: `${day}T00:00:00Z`,
    ChargePeriodEnd: `${day}T05:00:00Z`,
    ConsumedQuantity: 5,
  })

describe('a Capacity Block', () => {
  test('is in the price of the GPU-hours that ran in it, in each month', async () => {
    const bill = await read(FEE, blockHour('2026-07-31'), blockHour('2026-08-01'))
    expect(billPrices(bill)).toMatchObject([
      { id: 'bill-2026-07-p5.48xlarge-us-east-1-reserved', price: 12.5 },
      { id: 'bill-2026-08-p5.48xlarge-us-east-1-reserved', price: 12.5 },
    ])
    expect(billPrices(bill)[0]?.source).toContain('with fees paid in advance')
    expect([dollars(bill, 'gpu-machine'), dollars(bill, 'purchase')]).toEqual([
      [1000, 0],
      [0, 0],
    ])
  })

  test('is not counted again where its hours carry its cost', async () => {
    const bill = await read(FEE, blockHour('2026-07-30', 500), blockHour('2026-07-31', 500))
    expect(billPrices(bill)).toMatchObject([{ price: 12.5 }])
    expect([dollars(bill, 'gpu-machine'), dollars(bill, 'purchase')]).toEqual([
      [0, 1000],
      [1000, 0],
    ])
  })

  test('that was canceled and paid back is nothing', async () => {
    const back = { ...FEE, BilledCost: '-1000' }
    const bill = await read(FEE, back)
    expect([bill.notes, bill.unread, dollars(bill, 'purchase')]).toEqual([[], [], [0, 0]])
  })

  test('in which nothing ran says what to import', async () => {
    const { notes, machines } = await read(FEE)
    expect(machines).toEqual([])
    expect(notes).toEqual([
      'Capacity Block cr-1: USD 1,000.00 billed and USD 0.00 effective for GPUs in charge 1 is in no price, because no hours of p5.48xlarge ran in it on this bill; import all months of the block together.',
    ])
  })
})

test('a scale set is many machines under one name: its hours are not cut to those of one', async () => {
  const set = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-gpu-vmss'
  const bill = await read(charge({ ResourceId: set }), charge({ ResourceId: set, EffectiveCost: 11 }))
  expect(bill.machines).toMatchObject([{ hours: 2 }])
})

test('CSV keeps quotes, commas and line breaks, however it is cut into pieces', async () => {
  const text = '\uFEFFa,"b ""c"", d","e\nf"\r\n\n1,,"3"\n4,5,6'
  const wanted = [
    ['a', 'b "c", d', 'e\nf'],
    ['1', '', '3'],
    ['4', '5', '6'],
  ]
  for (let size = 1; size <= text.length; size++) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size))
    const rows: (readonly string[])[] = []
    for await (const row of csvRows(pieces)) rows.push(row)
    expect(rows).toEqual(wanted)
  }
})

test('money is exact, and its cents add up', () => {
  expect([readNanos('1.62400000000'), readNanos('-2.6137'), readNanos('1e-3'), readNanos('x'), readNanos('')]).toEqual([
    1_624_000_000n,
    -2_613_700_000n,
    1_000_000n,
    undefined,
    undefined,
  ])
  expect(centsThatAddUp(['0.005', '0.005', '-0.004'].map((text) => readNanos(text) ?? 0n))).toEqual([0.01, 0, 0])
  const thirds = ['33.333', '33.333', '33.334'].map((text) => readNanos(text) ?? 0n)
  expect(centsThatAddUp(thirds)).toEqual([33.33, 33.33, 33.34])
})

test('values of Parquet become the texts that CSV has', () => {
  const row = {
    a: 1.5,
    b: { toJSON: () => '2026-07-01T00:00:00.000Z' },
    c: null,
    d: { InstanceType: 'x' },
    e: 'y',
    f: 3n,
    g: 1e-9,
  }
  expect(recordOfValues(row)).toEqual({
    a: '1.5',
    b: '2026-07-01T00:00:00.000Z',
    c: '',
    d: '{"InstanceType":"x"}',
    e: 'y',
    f: '3',
    g: '1e-9',
  })
})
