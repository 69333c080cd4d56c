import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { compareText } from '../units.ts'
import { type BillKind, BILL_KINDS } from './bill.ts'
import { billPrices } from './bill-prices.ts'
import { centsThatAddUp, dollarsOf } from './exact-money.ts'
import type { FocusRecord } from './focus-line.ts'
import {
  awsMonth,
  azureMonth,
  type DrawnMachine,
  googleMonth,
  type MadeMonth,
  oracleMonth,
  type Writes,
} from './four-clouds.fixture.ts'
import { type ReadBill, readBill } from './read-bill.ts'

const MACHINE: fc.Arbitrary<DrawnMachine> = fc.record({
  which: fc.nat(11),
  day: fc.integer({ min: 1, max: 31 }),
  hours: fc.integer({ min: 1, max: 24 }),
  rate: fc.bigInt({ min: 300_000_000n, max: 120_000_000_000n }),
  paid: fc.constantFrom('on-demand', 'spot', 'covered'),
  region: fc.nat(1),
})
const MACHINES = fc.array(MACHINE, { minLength: 1, maxLength: 12 })
const WRITES: fc.Arbitrary<Writes> = fc.record({
  is12: fc.boolean(),
  resources: fc.boolean(),
  types: fc.boolean(),
  odd: fc.boolean(),
})

async function* recordsOf(records: readonly FocusRecord[]): AsyncGenerator<FocusRecord> {
  yield* records
}
const read = (...files: readonly (readonly FocusRecord[])[]): Promise<ReadBill> => readBill(files.map(recordsOf))

const sumOf = ({ kinds }: ReadBill, some: readonly BillKind[]) => ({
  billed: some.reduce((sum, kind) => sum + kinds[kind].billed, 0n),
  effective: some.reduce((sum, kind) => sum + kinds[kind].effective, 0n),
})
const OTHER_KINDS = BILL_KINDS.filter((kind) => kind !== 'gpu-machine' && kind !== 'unpriced-gpu')

/** Money for GPUs in prices, in none, and the rest: each as the generator wrote it, and together the bill, to the cent. */
function addsUp(bill: ReadBill, { records, sums }: MadeMonth): void {
  const parts = [sumOf(bill, ['gpu-machine']), sumOf(bill, ['unpriced-gpu']), sumOf(bill, OTHER_KINDS)]
  expect(parts).toEqual([sums.gpu, sums.unpriced, sums.other])
  expect(bill.total.lines).toBe(records.length)
  for (const amount of ['billed', 'effective'] as const) {
    const whole = parts.reduce((sum, part) => sum + part[amount], 0n)
    expect(bill.total[amount]).toBe(whole)
    const cents = centsThatAddUp(parts.map((part) => part[amount])).reduce(
      (sum, part) => sum + Math.round(part * 100),
      0,
    )
    expect(cents).toBe(Math.round(dollarsOf(whole) * 100))
  }
}

const sorted = (some: readonly number[]): readonly number[] => some.toSorted((a, b) => a - b)

/** Each price is the money of its hours over its GPU-hours, and no other price is made. */
function pricesAre(bill: ReadBill, { prices }: MadeMonth): void {
  const found = bill.machines.map(({ instanceType, model, region, capacity, amounts, prepaid, hours, gpus }) => {
    const name = [instanceType, model ?? '', region, capacity].filter((part) => part !== '').join(' ')
    return [name, amounts.effective + prepaid, Math.round(hours * gpus * 1000)]
  })
  const wanted = [...prices].map(([name, { money, gpuHours }]) => [name, money, Math.round(gpuHours * 1000)])
  expect(found.map(String).toSorted(compareText)).toEqual(wanted.map(String).toSorted(compareText))
  const exact = [...prices.values()].map(({ money, gpuHours }) => nearestMillionth(money, gpuHours))
  expect(sorted(billPrices(bill).map(({ price }) => price))).toEqual(sorted(exact))
}

/** $28.8777 for eight GPU-hours, with others before it. */
const HALF_A_MILLIONTH: DrawnMachine[] = [
  { which: 0, day: 1, hours: 9, rate: 28_877_700_000n, paid: 'on-demand', region: 0 },
  { which: 1, day: 1, hours: 1, rate: 300_000_000n, paid: 'on-demand', region: 0 },
]

/** Of money in billionths; half rounds up, as $28.8777 for 8 GPU-hours does: 3.6097125. */
function nearestMillionth(money: bigint, gpuHours: number): number {
  const seconds = BigInt(Math.round(gpuHours * 3600))
  return Number((money * 3600n * 2n + 1000n * seconds) / (2n * 1000n * seconds)) / 1e6
}

describe.each([
  ['AWS', awsMonth],
  ['Azure', azureMonth],
  ['Google Cloud', googleMonth],
  ['Oracle Cloud', oracleMonth],
] as const)('a month of %s', (_, monthOf) => {
  test('adds up to the cent, and its prices are those of its machines', async () => {
    await fc.assert(
      fc.asyncProperty(MACHINES, WRITES, async (machines, writes) => {
        const month = monthOf(machines, writes)
        const bill = await read(month.records)
        addsUp(bill, month)
        pricesAre(bill, month)
        expect(bill.unread.length > 0).toBe(writes.odd)
        const unread = bill.unread.reduce((sum, { amounts }) => sum + amounts.effective, 0n)
        expect(unread).toBe(month.sums.unpriced.effective)
        expect(bill.notes).toHaveLength(bill.unread.length)
      }),
      { examples: [[HALF_A_MILLIONTH, { is12: false, resources: false, types: false, odd: false }]] },
    )
  })

  test('says the same in whatever order its charges come', async () => {
    const shuffled = fc
      .tuple(MACHINES, WRITES)
      .map(([machines, writes]) => monthOf(machines, writes))
      .chain((month) =>
        fc.tuple(
          fc.constant(month),
          fc.shuffledSubarray([...month.records], { minLength: month.records.length, maxLength: month.records.length }),
        ),
      )
    await fc.assert(
      fc.asyncProperty(shuffled, async ([month, records]) => {
        const bill = await read(records)
        addsUp(bill, month)
        expect(billPrices(bill)).toEqual(billPrices(await read(month.records)))
      }),
      { numRuns: 30 },
    )
  })

  test('counts once what stands in two files: the same bill twice, or two that overlap', async () => {
    // With machines named, no charge of the month stands in it twice.
    const drawn = fc.tuple(MACHINES, WRITES, fc.double({ min: 0, max: 1, noNaN: true }))
    await fc.assert(
      fc.asyncProperty(drawn, async ([machines, writes, share]) => {
        const month = monthOf(machines, { ...writes, resources: true })
        const { records } = month
        const cut = Math.floor(share * records.length)
        const once = await read(records)
        const overlap = await read(records.slice(0, cut + 3), records.slice(cut))
        const twice = await read(records, records)
        for (const bill of [overlap, twice]) {
          addsUp(bill, month)
          expect(billPrices(bill)).toEqual(billPrices(once))
        }
        expect(twice.notes[0]).toBe(
          `${records.length} charges in an earlier file too, USD ${dollarsOf(once.total.billed).toLocaleString('en-US', { minimumFractionDigits: 2 })} billed, count once: the files overlap.`,
        )
      }),
      { numRuns: 30 },
    )
  })
})
