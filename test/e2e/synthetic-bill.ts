import { HOUR_MS } from '@septet/domain'

/** A charge of a made-up bill in FOCUS 1.2, by column. */
export type SyntheticBill = readonly Readonly<Record<string, string>>[]

type Machine = {
  readonly resource: string
  readonly instanceType: string
  readonly region: string
  readonly gpus: number
  readonly spot: boolean
}

type Wanted = {
  readonly seed: number
  readonly machines: readonly Machine[]
  /** Milliseconds. */
  readonly from: number
  readonly hours: number
  /** Left out: a savings plan covers a part of some hours. */
  readonly commitments?: boolean
}

const PLAN = 'arn:aws:savingsplans::111111111111:savingsplan/made-up'
/** Dollars for a GPU-hour; nothing that anyone asks. */
const RATES: Readonly<Record<string, bigint>> = { 'p5.48xlarge': 6_912_345_678n, 'g5.4xlarge': 1_623_456_789n }
const OTHER_RATE = 2_345_678_912n

/**
 * A bill with all that is hard about one: amounts of nine places, a savings plan that is bought, used and partly not used,
 * spot, reserved capacity that nobody used, other services, taxes, credits, and corrections of the month before.
 */
export function makeBill({ seed, machines, from, hours, commitments = true }: Wanted): SyntheticBill {
  const chance = randomOf(seed)
  const bill: Record<string, string>[] = []
  for (let hour = 0; hour < hours; hour++) {
    const start = from + hour * HOUR_MS
    let [covered, bought] = [0n, 0n]
    for (const machine of machines) {
      const cost = (RATES[machine.instanceType] ?? OTHER_RATE) * BigInt(machine.gpus)
      const plain = { ...usage(machine, start), ...amounts(cost, cost) }
      if (machine.spot) bill.push({ ...plain, ...amounts(cost / 3n, cost / 3n), PricingCategory: 'Dynamic' })
      else if (commitments && chance() < 0.3) {
        covered += (cost * 13n) / 20n
        bill.push({ ...plain, ...amounts(0n, (cost * 13n) / 20n), ...COVERED, CommitmentDiscountStatus: 'Used' })
      } else bill.push(plain)
    }
    if (!commitments) continue
    bought = covered + BigInt(Math.floor(chance() * 5e9))
    bill.push(
      {
        ...other(start),
        ...COVERED,
        ...amounts(0n, bought - covered),
        CommitmentDiscountStatus: 'Unused',
        ResourceId: PLAN,
      },
      { ...other(start), ...COVERED, ...amounts(bought, 0n), ChargeCategory: 'Purchase', PricingCategory: 'Standard' },
    )
  }
  return [...bill, ...besides(from, chance)]
}

const COVERED = { PricingCategory: 'Committed', CommitmentDiscountId: PLAN, CommitmentDiscountCategory: 'Spend' }

function besides(from: number, chance: () => number): Record<string, string>[] {
  const nanos = (most: number): bigint => BigInt(Math.floor(chance() * most * 1e9))
  const one = (most: number, changes: Readonly<Record<string, string>>): Record<string, string> => {
    const amount = nanos(most)
    return { ...other(from), ...amounts(amount, amount), ...changes }
  }
  const less = (most: number, changes: Readonly<Record<string, string>>): Record<string, string> => {
    const amount = -nanos(most)
    return { ...other(from), ...amounts(amount, amount), ...changes }
  }
  return [
    ...Array.from({ length: 40 }, () => one(3, { ServiceName: 'Object storage, with "quotes"\nand a line' })),
    one(60, { CapacityReservationId: 'cr-1', CapacityReservationStatus: 'Unused', ResourceId: 'cr-1' }),
    one(90, { ChargeCategory: 'Tax', PricingCategory: '' }),
    one(1, { ChargeCategory: 'Adjustment' }),
    less(25, { ChargeCategory: 'Credit' }),
    less(70, { ChargeClass: 'Correction' }),
    one(30, { ChargeClass: 'Correction', ChargeCategory: 'Purchase' }),
  ]
}

const other = (start: number): Record<string, string> => ({
  ...usage({ resource: 'bucket', instanceType: '', region: 'us-east-1', gpus: 0, spot: false }, start),
  ServiceName: 'Other',
  ConsumedQuantity: '',
  ConsumedUnit: '',
  SkuPriceDetails: '',
})

const usage = ({ resource, instanceType, region, gpus }: Machine, start: number): Record<string, string> => ({
  BilledCost: '',
  EffectiveCost: '',
  ListCost: '',
  BillingCurrency: 'USD',
  ChargePeriodStart: new Date(start).toISOString(),
  ChargePeriodEnd: new Date(start + HOUR_MS).toISOString(),
  ChargeCategory: 'Usage',
  ChargeClass: '',
  PricingCategory: 'Standard',
  ConsumedQuantity: '1',
  ConsumedUnit: 'Hours',
  ProviderName: 'Made-up cloud',
  ServiceName: 'Compute',
  RegionId: region,
  ResourceId: resource,
  SkuPriceDetails: JSON.stringify({ InstanceType: instanceType, GpuCount: gpus }),
  CommitmentDiscountId: '',
  CommitmentDiscountCategory: '',
  CommitmentDiscountStatus: '',
  CapacityReservationId: '',
  CapacityReservationStatus: '',
})

const amounts = (billed: bigint, effective: bigint): Record<string, string> => ({
  BilledCost: decimal(billed),
  EffectiveCost: decimal(effective),
  ListCost: decimal(billed > effective ? billed : effective),
})

const decimal = (nanos: bigint): string => {
  const digits = (nanos < 0n ? -nanos : nanos).toString().padStart(10, '0')
  return `${nanos < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`
}

const nanosOf = (text: string): bigint => BigInt(text.replace('.', ''))

/** The sum of one column, in billionths. */
export const sumOf = (bill: SyntheticBill, column: 'BilledCost' | 'EffectiveCost'): bigint =>
  bill.reduce((sum, charge) => sum + nanosOf(charge[column] ?? ''), 0n)

/** To the nearest cent. */
export const centsOf = (nanos: bigint): number =>
  Number(nanos < 0n ? -((-nanos + 5_000_000n) / 10_000_000n) : (nanos + 5_000_000n) / 10_000_000n)

const quoted = (text: string): string => (/[",\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export function csvOf(bill: SyntheticBill): string {
  const columns = Object.keys(bill[0] ?? {})
  return [columns, ...bill.map((charge) => columns.map((column) => charge[column] ?? ''))]
    .map((row) => row.map(quoted).join(','))
    .join('\r\n')
}

/** Numbers from 0 to 1, the same for one seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
