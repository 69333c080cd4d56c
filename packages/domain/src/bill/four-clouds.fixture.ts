import { secondText } from '../analyze/time-range.ts'
import { startOfMonth } from '../cost/months.ts'
import { DAY_MS, instant } from '../units.ts'
import type { FocusRecord } from './focus-line.ts'

/** A machine of a made-up month, as drawn: which of the cloud's machines, on which day, for how long, at what price, paid how. */
export type DrawnMachine = {
  readonly which: number
  readonly day: number
  readonly hours: number
  /** Billionths for the machine-hour. */
  readonly rate: bigint
  readonly paid: 'on-demand' | 'spot' | 'covered'
  readonly region: number
}

/** What the cloud writes, in ways that differ between accounts and versions. */
export type Writes = {
  /** FOCUS 1.2 with `SkuPriceDetails`, or 1.0 without. */
  readonly is12: boolean
  /** Whether charges name the machine, and whether they name its type where the cloud sells GPUs apart. */
  readonly resources: boolean
  readonly types: boolean
  /** Whether charges are among them of which no price can be made. */
  readonly odd: boolean
}

type Money = { billed: bigint; effective: bigint }

/** A month as records, with what they add up to by what they are for, and the price money and GPU-hours of each price. */
export type MadeMonth = {
  readonly records: readonly FocusRecord[]
  readonly sums: Readonly<Record<Bucket, Money>>
  readonly prices: ReadonlyMap<string, { readonly money: bigint; readonly gpuHours: number }>
}

type Bucket = 'gpu' | 'unpriced' | 'other'

/** July 2026. */
const MONTH = startOfMonth('2026-07')
const TAXED = 19n

const on = (day: number): FocusRecord => ({
  ChargePeriodStart: secondText(instant(MONTH + (day - 1) * DAY_MS)),
  ChargePeriodEnd: secondText(instant(MONTH + day * DAY_MS)),
})

class Month {
  readonly records: FocusRecord[] = []
  readonly sums = {
    gpu: { billed: 0n, effective: 0n },
    unpriced: { billed: 0n, effective: 0n },
    other: { billed: 0n, effective: 0n },
  }
  readonly prices = new Map<string, { money: bigint; gpuHours: number }>()
  readonly #columns: FocusRecord

  constructor(columns: FocusRecord) {
    this.#columns = columns
  }

  /** A charge in this bucket, of the first day unless its columns say another. */
  add(bucket: Bucket, [billed, effective]: readonly [bigint, bigint], columns: FocusRecord): void {
    this.sums[bucket].billed += billed
    this.sums[bucket].effective += effective
    this.records.push({
      BillingCurrency: 'USD',
      ChargeCategory: 'Usage',
      ...on(1),
      PricingCategory: 'Standard',
      ...this.#columns,
      BilledCost: decimal(billed),
      EffectiveCost: decimal(effective),
      ListCost: decimal(billed > effective ? billed : effective),
      ...columns,
    })
  }

  /** Money and GPU-hours that one price is made of. */
  price(of: readonly string[], money: bigint, gpuHours: number): void {
    const known = this.prices.get(of.join(' ')) ?? { money: 0n, gpuHours: 0 }
    this.prices.set(of.join(' '), { money: known.money + money, gpuHours: known.gpuHours + gpuHours })
  }

  /** What is on every bill besides: other services, taxes, credits, corrections, a commitment that was bought and not used. */
  besides(money: bigint): void {
    this.add('other', [money, money], { ServiceName: 'Object storage', ServiceCategory: 'Storage' })
    this.add('other', [(money * TAXED) / 100n, (money * TAXED) / 100n], { ChargeCategory: 'Tax', PricingCategory: '' })
    this.add('other', [-money / 3n, -money / 3n], { ChargeCategory: 'Credit' })
    this.add('other', [-money / 7n, -money / 7n], { ChargeClass: 'Correction' })
    const commitment = { CommitmentDiscountId: 'plan-1', PricingCategory: 'Committed' }
    this.add('other', [0n, money / 5n], { ...commitment, CommitmentDiscountStatus: 'Unused' })
    this.add('other', [money, 0n], { ...commitment, ChargeCategory: 'Purchase', PricingCategory: 'Standard' })
  }
}

const decimal = (nanos: bigint): string => {
  const digits = (nanos < 0n ? -nanos : nanos).toString().padStart(10, '0')
  return `${nanos < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`
}

const cost = ({ rate, hours }: DrawnMachine): bigint => rate * BigInt(hours)

/** How the drawn machine is paid for, in columns and in amounts. */
function paidFor(drawn: DrawnMachine): { readonly columns: FocusRecord; readonly amounts: [bigint, bigint] } {
  const whole = cost(drawn)
  if (drawn.paid === 'spot') return { columns: { PricingCategory: 'Dynamic' }, amounts: [whole, whole] }
  if (drawn.paid === 'on-demand') return { columns: {}, amounts: [whole, whole] }
  const columns = { PricingCategory: 'Committed', CommitmentDiscountId: 'plan-1', CommitmentDiscountStatus: 'Used' }
  return { columns, amounts: [0n, whole] }
}

const capacityOf = ({ paid }: DrawnMachine): string => (paid === 'spot' ? 'spot' : 'on-demand')
const pick = <Each>(all: readonly Each[], which: number): Each => all[which % all.length] as Each
const hours = (count: number, unit = 'Hours'): FocusRecord => ({
  ConsumedQuantity: String(count),
  ConsumedUnit: unit,
  PricingQuantity: String(count),
  PricingUnit: unit,
})

const AWS_MACHINES = [
  ['p5.48xlarge', 8],
  ['p4d.24xlarge', 8],
  ['g5.12xlarge', 4],
  ['p5e.48xlarge', 8],
] as const
const FEE = 14_710_600_000_123n

/** AWS's FOCUS table: machine in words and in AWS's usage type, from 1.2 on in the details; Capacity Blocks as a fee and hours at 0. */
export function awsMonth(drawn: readonly DrawnMachine[], writes: Writes): MadeMonth {
  const month = new Month({
    ProviderName: 'AWS',
    ServiceName: 'Amazon Elastic Compute Cloud',
    ServiceCategory: 'Compute',
  })
  const machine = (type: string, gpus: number, of: string): FocusRecord =>
    writes.is12
      ? { SkuPriceDetails: JSON.stringify({ InstanceType: type, GpuCount: gpus }), SkuMeter: `${of}:${type}` }
      : { ChargeDescription: `$1 per ${type} Instance Hour`, x_UsageType: `USE2-${of}:${type}` }
  drawn.forEach((each, index) => {
    const [[type, gpus], region] = [pick(AWS_MACHINES, each.which), pick(['us-east-2', 'eu-west-1'], each.region)]
    const { columns, amounts } = paidFor(each)
    const named = { RegionId: region, ResourceId: writes.resources ? `i-${index}` : '', ResourceType: 'instance' }
    const used = machine(type, gpus, each.paid === 'spot' ? 'SpotUsage' : 'BoxUsage')
    month.add('gpu', amounts, { ...named, ...columns, ...used, ...hours(each.hours, 'Hrs'), ...on(each.day) })
    month.price([type, region, capacityOf(each)], amounts[1], each.hours * gpus)
  })
  const block = { RegionId: 'us-east-2', ...(writes.is12 && { CapacityReservationId: 'cr-1' }) }
  const used = {
    ...(writes.is12 && { CapacityReservationStatus: 'Used' }),
    ResourceId: 'i-block',
    ResourceType: 'instance',
  }
  month.add('gpu', [FEE, 0n], {
    ...block,
    ...machine('p5.48xlarge', 8, 'CapacityBlockFee'),
    ChargeCategory: 'Purchase',
  })
  for (const day of [1, 2]) {
    month.add('gpu', [0n, 0n], {
      ...block,
      ...used,
      ...machine('p5.48xlarge', 8, 'BoxUsage'),
      ...hours(24, 'Hrs'),
      ...on(day),
    })
  }
  month.price(['p5.48xlarge', 'us-east-2', 'reserved'], FEE, 2 * 24 * 8)
  month.add('other', [3_000n, 3_000n], {
    ServiceName: 'Amazon SageMaker',
    ChargeDescription: 'ml.p4d.24xlarge',
    ...hours(3),
  })
  month.add('other', [5_000n, 5_000n], {
    ...machine('p4d.24xlarge', 8, 'UnusedBox'),
    ResourceId: 'cr-2',
    ...hours(24, 'Hrs'),
  })
  month.add('other', [0n, 0n], {
    ...machine('p4d.24xlarge', 8, 'Reservation'),
    ResourceId: 'cr-2',
    ...hours(24, 'Hrs'),
  })
  month.add('other', [7_000n, 7_000n], { ChargeDescription: 'm7i.large hour', ResourceType: 'instance', ...hours(24) })
  month.besides(50_000_000_001n)
  if (!writes.odd) return month
  const unknown = { x_UsageType: 'USE2-BoxUsage:p9.48xlarge', ResourceId: 'i-p9', ...hours(2, 'Hrs') }
  month.add('unpriced', [123_450_000_000n, 123_450_000_000n], unknown)
  const later = { ...machine('p4d.24xlarge', 8, 'CapacityBlockFee'), CapacityReservationId: 'cr-later' }
  month.add('unpriced', [999_000_000_000n, 0n], { ...later, ChargeCategory: 'Purchase', RegionId: 'us-west-2' })
  return month
}

const AZURE_MACHINES = [
  ['ND96isr H100 v5', 'Standard_ND96isr_H100_v5', 8],
  ['NC24ads A100 v4', 'Standard_NC24ads_A100_v4', 1],
  ['ND96asr A100 v4', 'Standard_ND96asr_v4', 8],
  ['NC64as T4 v3', 'Standard_NC64as_T4_v3', 4],
] as const

/** Cost Management's FOCUS: the size in its own columns, a row a day and scale set, licenses beside it. */
export function azureMonth(drawn: readonly DrawnMachine[], writes: Writes): MadeMonth {
  const month = new Month({ ProviderName: 'Microsoft', ServiceCategory: 'Compute', ServiceName: 'Virtual Machines' })
  drawn.forEach((each, index) => {
    const [[meter, size, gpus], region] = [
      pick(AZURE_MACHINES, each.which),
      pick(['eastus', 'westeurope'], each.region),
    ]
    const { columns, amounts } = paidFor(each)
    const set = `/subscriptions/s/resourcegroups/rg/providers/microsoft.compute/virtualmachinescalesets/aks-${index}-vmss`
    // Three machines of one set, for as many hours each.
    const named = {
      RegionId: region,
      ResourceId: writes.resources ? set : '',
      ResourceType: 'Virtual machine scale set',
    }
    const told = {
      x_SkuMeterCategory: 'Virtual Machines',
      x_SkuMeterName: each.paid === 'spot' ? `${meter} Spot` : meter,
      ...(writes.types && { x_SkuDetails: JSON.stringify({ ServiceType: size, VCPUs: 96 }) }),
      ...(writes.is12 && { SkuPriceDetails: JSON.stringify({ x_ServiceType: size }) }),
    }
    month.add('gpu', amounts, { ...named, ...columns, ...told, ...hours(each.hours * 3), ...on(each.day) })
    month.price([size, region, capacityOf(each)], amounts[1], each.hours * 3 * gpus)
    const license = { x_SkuMeterCategory: 'Virtual Machines Licenses', x_SkuDetails: `{"ServiceType":"${size}"}` }
    month.add('other', [each.rate / 9n, each.rate / 9n], {
      ...named,
      ...license,
      ...hours(each.hours),
      ...on(each.day),
    })
  })
  month.add('other', [9_000n, 9_000n], { x_SkuMeterCategory: 'Storage', x_SkuMeterName: 'P30 LRS Disk' })
  month.besides(40_000_000_003n)
  if (!writes.odd) return month
  const unknown = { x_SkuMeterCategory: 'Virtual Machines', x_SkuMeterName: 'ND72xz Z900 v9' }
  month.add('unpriced', [77_000_000_000n, 77_000_000_000n], { ...unknown, ...hours(5) })
  return month
}

const GOOGLE_MACHINES = [
  { type: 'a3-highgpu-8g', family: 'A3', gpu: 'Nvidia H100 80GB GPU', model: 'H100-80GB-HBM3', gpus: 8 },
  { type: 'g2-standard-24', family: 'G2', gpu: 'Nvidia L4 GPU', model: 'L4', gpus: 2 },
  { type: 'n1-standard-16', family: 'N1 Predefined', gpu: 'Nvidia Tesla T4 GPU', model: 'T4', gpus: 4 },
] as const

/** Google's FOCUS: GPUs, cores and memory apart, by the second; words in lower case as its own view writes them. */
export function googleMonth(drawn: readonly DrawnMachine[], writes: Writes): MadeMonth {
  const month = new Month({ ProviderName: 'Google Cloud', ServiceName: 'Compute Engine', ServiceCategory: 'Compute' })
  for (const [index, each] of drawn.entries()) addGoogleMachine({ month, writes, index }, each)
  const cpu = { ChargeDescription: 'N2 Instance Core running in Americas', ResourceId: 'n2', ...hours(24) }
  month.add('other', [6_000n, 6_000n], cpu)
  const committed = { ChargeDescription: 'Commitment v1: Nvidia L4 GPU in Iowa for 1 Year', ...hours(24) }
  month.add('other', [8_000n, 8_000n], committed)
  month.besides(30_000_000_007n)
  if (!writes.odd) return month
  const unknown = { ChargeDescription: 'Nvidia Z900 GPU running in Americas', ...hours(3) }
  month.add('unpriced', [55_000_000_000n, 55_000_000_000n], unknown)
  const lonely = { ChargeDescription: 'A4 Instance Core running in Mumbai', RegionId: 'asia-south1', ...hours(3) }
  month.add('unpriced', [44_000_000_000n, 44_000_000_000n], lonely)
  return month
}

const SPOT_WORDS = ['Spot Preemptible ', ' attached to Spot Preemptible VMs'] as const

type Into = { readonly month: Month; readonly writes: Writes; readonly index: number }

function addGoogleMachine({ month, writes, index }: Into, drawn: DrawnMachine): void {
  const { type, family, gpu, model, gpus } = pick(GOOGLE_MACHINES, drawn.which)
  const [region, isN1] = [pick(['us-central1', 'europe-west4'], drawn.region), family.startsWith('N1')]
  const { columns, amounts } = paidFor(drawn)
  const named = {
    RegionId: region,
    ...columns,
    ...on(drawn.day),
    ChargeCategory: writes.is12 ? 'Usage' : 'usage',
    ...(writes.resources && { ResourceId: `//compute.googleapis.com/projects/p/zones/z/instances/${index}` }),
    ...(writes.types && { Tags: JSON.stringify([{ key: 'compute.googleapis.com/machine_spec', value: type }]) }),
  }
  const [core, ram] = [amounts[1] / 4n, amounts[1] / 5n]
  const own = amounts[1] - core - ram
  const [before, after] = drawn.paid === 'spot' ? SPOT_WORDS : ['', '']
  const add = (bucket: Bucket, part: bigint, words: string): void =>
    month.add(bucket, [amounts[0] === 0n ? 0n : part, part], {
      ...named,
      ChargeDescription: `${words} running in Americas`,
      ConsumedQuantity: String(drawn.hours * gpus * 3600),
      ConsumedUnit: words.endsWith('Ram') ? 'byte-seconds' : 'seconds',
    })
  // Where nothing names the machine, the cores of a family with GPUs are theirs, and others are nobody's.
  const isJoined = writes.resources || !isN1
  add('gpu', own, `${gpu}${after}`)
  const bucket = isJoined ? 'gpu' : 'other'
  add(bucket, core, `${before}${family} Instance Core`)
  add(bucket, ram, `${before}${family} Instance Ram`)
  const name = writes.types ? [type, isN1 ? model : ''] : [model]
  const whole = isJoined ? amounts[1] : own
  month.price([...name.filter((part) => part !== ''), region, capacityOf(drawn)], whole, drawn.hours * gpus)
}

const ORACLE_MACHINES = [
  { shape: 'BM.GPU.H100.8', sold: 'OCI - Compute - GPU - H100', model: 'H100-80GB-HBM3', ocpus: undefined },
  { shape: 'VM.GPU.A10.2', sold: 'OCI - Compute - GPU - A10', model: 'A10', ocpus: undefined },
  { shape: 'BM.GPU3.8', sold: 'Compute - Bare Metal GPU', model: 'V100-SXM2-16GB', ocpus: 52 },
] as const

const usage = (quantity: number, unit: string): FocusRecord => ({ UsageQuantity: String(quantity), UsageUnit: unit })

/** Oracle's FOCUS, in the columns of the preview of 1.0: GPU-hours, OCPU-hours for the oldest shapes. */
export function oracleMonth(drawn: readonly DrawnMachine[], writes: Writes): MadeMonth {
  const month = new Month({
    Provider: 'Oracle',
    Publisher: 'Oracle',
    ServiceCategory: 'Compute',
    ServiceName: 'Compute',
  })
  drawn.forEach((each, index) => {
    const { shape, sold, model, ocpus } = pick(ORACLE_MACHINES, each.which)
    const [gpus, region] = [Number(/\d+$/u.exec(shape)?.[0]), pick(['us-ashburn-1', 'eu-frankfurt-1'], each.region)]
    const whole = cost(each)
    const isShaped = writes.types || ocpus !== undefined
    const named = { Region: region, ChargeDescription: sold, ...(isShaped && { ResourceType: shape }) }
    const measured =
      ocpus === undefined ? usage(each.hours * gpus, 'GPU Per Hour') : usage(each.hours * ocpus, 'OCPU-Hour')
    const resource = writes.resources ? `ocid1.instance.oc1.iad.${index}` : ''
    month.add('gpu', [whole, whole], {
      ...named,
      ...measured,
      ResourceId: resource,
      oci_ReferenceNumber: `r${index}`,
      ...on(each.day),
    })
    month.price([isShaped ? shape : model, region, 'on-demand'], whole, each.hours * gpus)
  })
  const license = { ChargeDescription: 'OCI - NVIDIA AI Enterprise - H100', ...usage(8, 'GPU Per Hour') }
  month.add('other', [4_000n, 4_000n], license)
  month.besides(20_000_000_009n)
  if (!writes.odd) return month
  const unknown = {
    ChargeDescription: 'Compute - GPU - Standard',
    ResourceType: 'BM.GPU9.8',
    ...usage(64, 'OCPU-Hour'),
  }
  month.add('unpriced', [33_000_000_000n, 33_000_000_000n], unknown)
  return month
}
