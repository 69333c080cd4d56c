import { type Figure, hoursOf } from '../analyze/figure.ts'
import { kindOf } from '../analyze/usage-sum.ts'
import type { UsageTotal } from '../analyze/usage.ts'
import { busyOfAllocated, type HeldTime } from '../analyze/utilization.ts'
import { compareText, type GpuHours, SECONDS_PER_HOUR, type Usd, usd } from '../units.ts'
import type { PriceOf } from './prices-of.ts'
import { splitToCents, toCents } from './split-to-cents.ts'

/**
 * What a stretch of capacity was spent on. The six parts never overlap:
 * used + idleHeld + unallocated + stranded + oversized + broken = capacity.
 */
export type Parts<Unit extends number> = {
  /** Held and working, or held without trustworthy telemetry. */
  readonly used: Unit
  /** The part *of* `used` that nobody measured. Not to be added to the others. */
  readonly unmeasured: Unit
  /** Held, and busy at most the idle threshold for the policy's minimum stretch. */
  readonly idleHeld: Unit
  /** Held by nobody, in a shape that a workload could use. */
  readonly unallocated: Unit
  /** Held by nobody, in a shape that no MIG profile can use. */
  readonly stranded: Unit
  /** Held and working, beyond the smallest profile that would fit the workload's peak. Only where measured. */
  readonly oversized: Unit
  /** Paid for and of no use: the node not ready, the device withheld by its node, or a fault that stops it. */
  readonly broken: Unit
  /** All GPUs × time. */
  readonly capacity: Unit
}

/** What was paid for and not used: every part but `used`. */
export const wasteOf = <Unit extends number>({ capacity, used }: Pick<Parts<Unit>, 'capacity' | 'used'>): number =>
  capacity - used

/** What somebody held, however much of it was measured. */
export const heldOf = ({ used, idleHeld, oversized }: Pick<Parts<number>, 'used' | 'idleHeld' | 'oversized'>): number =>
  used + idleHeld + oversized

/**
 * Whether idle and oversized time can be told at all: where nothing of what was held was measured, both are unknown, and
 * not 0.
 */
export function isIdleKnown({
  used,
  idleHeld,
  oversized,
  unmeasured,
}: Pick<Parts<number>, 'used' | 'idleHeld' | 'oversized' | 'unmeasured'>): boolean {
  const held = heldOf({ used, idleHeld, oversized })
  // Sums of shares differ by a rounding: a millionth of what was held is not a measurement.
  return held === 0 || held - unmeasured > held * 1e-6
}

/** Where capacity went, in GPU-hours and in money. */
export type CostParts = {
  readonly hours: Parts<GpuHours>
  /** Rounded to the cent so that the parts add up to `capacity`. Undefined when no GPU of the group has a price. */
  readonly money: Parts<Usd> | undefined
  /** GPU-hours of capacity without a price. `money` leaves them out: an unknown price is not $0. */
  readonly unpriced: GpuHours
}

/** What turns usage into cost. */
export type Costing = {
  readonly priceOf: PriceOf
  /** GPU-seconds of a held total that a smaller profile would save; at most its measured time that was not idle. */
  readonly oversizedOf: (total: UsageTotal) => number
}

export type CostGroup = {
  readonly key: string
  readonly cost: CostParts
  /** How busy what the group held was, which idle-held time does not tell: what is not idle may be hardly busy. */
  readonly busyOfAllocated: Figure
}

/** A total with what each part of it costs; made once and grouped many ways. */
export type CostedTotal = {
  readonly total: UsageTotal
  /** GPU-seconds by part. */
  readonly split: Split
  /** Held without trustworthy telemetry, GPU-seconds. */
  readonly unmeasured: number
  /** Dollars for a GPU-second; undefined where no price is known. */
  readonly perSecond: number | undefined
}

/** Costs totals. They must be grouped by kind, pool and model at least. */
export const costTotals = (totals: Iterable<UsageTotal>, costing: Costing): readonly CostedTotal[] =>
  Array.from(totals, (total) => {
    const kind = kindOf(total)
    const { pool = '', model = '', node, at } = total.key
    const price = costing.priceOf({ pool, model, node, at: at === undefined ? undefined : Number(at) })
    return {
      total,
      split: splitOf(total, costing),
      unmeasured: kind === 'held' ? Math.max(0, total.gpuSeconds - total.measuredGpuSeconds) : 0,
      perSecond: price.kind === 'known' ? price.price / SECONDS_PER_HOUR : undefined,
    }
  })

/** The cost of all totals together. */
export function costOf(costed: Iterable<CostedTotal>): CostParts {
  const tally = emptyTally()
  for (const total of costed) count(tally, total)
  return partsOf(tally, toCents(sum(tally.money)))
}

/**
 * The cost of totals by the text that `keyOf` gives, by key; totals without a key are left out. The groups' capacities
 * add up, to the cent, to the capacity of `costOf` over the same totals. A part summed over the groups may differ by the
 * cents of rounding.
 */
export function costBy(costed: Iterable<CostedTotal>, keyOf: (total: UsageTotal) => string | undefined): CostGroup[] {
  return costOfTallies(tallyBy(costed, keyOf))
}

/** The same before it is rounded to cents: tallies can be added up by another key later, and rounded then. */
export function tallyBy(
  costed: Iterable<CostedTotal>,
  keyOf: (total: UsageTotal) => string | undefined,
): Map<string, CostTally> {
  const tallies = new Map<string, CostTally>()
  for (const total of costed) {
    const key = keyOf(total.total)
    if (key === undefined) continue
    const tally = tallies.get(key) ?? emptyTally()
    tallies.set(key, tally)
    count(tally, total)
  }
  return tallies
}

/**
 * The cost of tallies, those of one key together, by key. Their capacities add up to `whole`, which is the sum of all
 * of them unless an amount that is shown elsewhere has to be met.
 */
export function costOfTallies(tallies: Iterable<readonly [key: string, tally: CostTally]>, whole?: Usd): CostGroup[] {
  const sums = new Map<string, CostTally>()
  for (const [key, tally] of tallies) {
    const sumOfKey = sums.get(key) ?? emptyTally()
    sums.set(key, sumOfKey)
    addTally(sumOfKey, tally)
  }
  const groups = [...sums].toSorted(([a], [b]) => compareText(a, b))
  const money = groups.map(([, tally]) => sum(tally.money))
  const capacities = splitToCents(money, whole ?? toCents(sum(money)))
  return groups.map(([key, tally], index) => ({
    key,
    cost: partsOf(tally, capacities[index] ?? usd(0)),
    busyOfAllocated: busyOfAllocated(tally.held),
  }))
}

/** What a stretch of capacity is split into, in the order in which it is told; the parts never overlap. */
export const COST_PARTS = ['used', 'idleHeld', 'unallocated', 'stranded', 'oversized', 'broken'] as const
export type CostPart = (typeof COST_PARTS)[number]

/** What a part means, as one line of a bill says it. */
export const COST_PART_WORDS = {
  used: 'Held and working, or held without trustworthy telemetry',
  idleHeld: 'Held and idle',
  unallocated: 'Unallocated, in a usable shape',
  stranded: 'Unallocated, in a shape that no profile can use',
  oversized: 'Held beyond the size that the work needs',
  broken: 'Broken: the node not ready, the device withheld, or stopped by a fault',
} satisfies Record<CostPart, string>

/** The parts in the order of `COST_PARTS`. */
type Split = readonly number[]

const splitInto = (amounts: Partial<Record<CostPart, number>>): Split => COST_PARTS.map((part) => amounts[part] ?? 0)

/** Amounts that are not rounded yet: GPU-seconds and dollars by part. */
export type CostTally = {
  readonly seconds: number[]
  readonly money: number[]
  readonly held: { -readonly [Name in keyof HeldTime]: number }
  unmeasuredSeconds: number
  unmeasuredMoney: number
  unpricedSeconds: number
}

const emptyTally = (): CostTally => ({
  seconds: [...splitInto({})],
  money: [...splitInto({})],
  held: { gpuSeconds: 0, measuredGpuSeconds: 0, busyGpuSeconds: 0 },
  unmeasuredSeconds: 0,
  unmeasuredMoney: 0,
  unpricedSeconds: 0,
})

function addTally(sums: CostTally, more: CostTally): void {
  for (let index = 0; index < more.seconds.length; index++) {
    sums.seconds[index] = (sums.seconds[index] ?? 0) + (more.seconds[index] ?? 0)
    sums.money[index] = (sums.money[index] ?? 0) + (more.money[index] ?? 0)
  }
  addHeld(sums, more.held)
  sums.unmeasuredSeconds += more.unmeasuredSeconds
  sums.unmeasuredMoney += more.unmeasuredMoney
  sums.unpricedSeconds += more.unpricedSeconds
}

function addHeld({ held }: CostTally, more: HeldTime): void {
  held.gpuSeconds += more.gpuSeconds
  held.measuredGpuSeconds += more.measuredGpuSeconds
  held.busyGpuSeconds += more.busyGpuSeconds
}

function count(tally: CostTally, { total, split, unmeasured, perSecond }: CostedTotal): void {
  addSplit(tally.seconds, split, 1)
  if (kindOf(total) === 'held') addHeld(tally, total)
  tally.unmeasuredSeconds += unmeasured
  if (perSecond === undefined) {
    tally.unpricedSeconds += total.gpuSeconds
    return
  }
  addSplit(tally.money, split, perSecond)
  tally.unmeasuredMoney += unmeasured * perSecond
}

function splitOf(total: UsageTotal, { oversizedOf }: Costing): Split {
  const { gpuSeconds, measuredGpuSeconds, idleGpuSeconds } = total
  const kind = kindOf(total)
  if (kind !== 'held') return splitInto({ [UNHELD[kind]]: gpuSeconds })
  const idle = Math.min(idleGpuSeconds, gpuSeconds)
  const working = Math.max(0, Math.min(measuredGpuSeconds, gpuSeconds) - idle)
  const oversized = Math.min(working, Math.max(0, oversizedOf(total)))
  return splitInto({ used: gpuSeconds - idle - oversized, idleHeld: idle, oversized })
}

const UNHELD = { free: 'unallocated', stranded: 'stranded', down: 'broken' } as const

function addSplit(sums: number[], more: Split, factor: number): void {
  for (let index = 0; index < more.length; index++) sums[index] = (sums[index] ?? 0) + (more[index] ?? 0) * factor
}

function partsOf(tally: CostTally, capacity: Usd): CostParts {
  const capacitySeconds = sum(tally.seconds)
  const priced = tally.unpricedSeconds < capacitySeconds || capacitySeconds === 0
  return {
    hours: named(tally.seconds, {
      unit: (seconds) => hoursOf(seconds),
      unmeasured: tally.unmeasuredSeconds,
      capacity: capacitySeconds,
    }),
    money: priced ? moneyOf(tally, capacity) : undefined,
    unpriced: hoursOf(tally.unpricedSeconds),
  }
}

function moneyOf(tally: CostTally, capacity: Usd): Parts<Usd> {
  const parts = splitToCents(tally.money, capacity)
  const unmeasured = Math.min(toCents(tally.unmeasuredMoney), parts[0] ?? 0)
  return named(parts, { unit: usd, unmeasured, capacity })
}

type Beside<Unit> = {
  readonly unit: (amount: number) => Unit
  readonly unmeasured: number
  readonly capacity: number
}

function named<Unit extends number>(amounts: Split, { unit, unmeasured, capacity }: Beside<Unit>): Parts<Unit> {
  const of = (part: CostPart): Unit => unit(amounts[COST_PARTS.indexOf(part)] ?? 0)
  return {
    used: of('used'),
    unmeasured: unit(unmeasured),
    idleHeld: of('idleHeld'),
    unallocated: of('unallocated'),
    stranded: of('stranded'),
    oversized: of('oversized'),
    broken: of('broken'),
    capacity: unit(capacity),
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
