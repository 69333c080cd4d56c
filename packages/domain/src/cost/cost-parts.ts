import { recordOf } from '../analyze/field-values.ts'
import { type Figure, hoursOf } from '../analyze/figure.ts'
import { kindOf } from '../analyze/usage-sum.ts'
import type { UsageTotal } from '../analyze/usage.ts'
import { busyOfAllocated, type HeldTime } from '../analyze/utilization.ts'
import { compareText, type GpuHours, SECONDS_PER_HOUR, type Usd, usd } from '../units.ts'
import type { PriceOf } from './prices-of.ts'

/**
 * What a stretch of capacity was spent on: every GPU-second is in exactly one of these, and they add up to `capacity`.
 * - `used`: held and working, or held without trustworthy telemetry.
 * - `idleHeld`: held, and busy at most the idle threshold for the policy's minimum stretch.
 * - `oversized`: held and working, beyond the smallest profile that fits the workload, by the size that was in force.
 * - `unallocated`: held by nobody, in a shape that a workload could use.
 * - `stranded`: held by nobody, in a shape that no MIG profile can use.
 * - `broken`: paid for and of no use: the node not ready, the device withheld by its node, or a fault that stops it.
 * - `unrequested`: busy with work that no request of a pod explains.
 * - `unobserved`: known to be there, and nobody saw what it did.
 */
export const COST_PARTS = [
  'used',
  'idleHeld',
  'oversized',
  'unallocated',
  'stranded',
  'broken',
  'unrequested',
  'unobserved',
] as const
export type CostPart = (typeof COST_PARTS)[number]

export type Parts<Unit extends number> = Readonly<Record<CostPart, Unit>> & {
  /** The part *of* `used` that nobody measured. Not to be added to the others. */
  readonly unmeasured: Unit
  /** All GPUs × time. */
  readonly capacity: Unit
}

/** Parts that were paid for and did nothing. What nobody saw, or nobody requested, may have worked. */
export const WASTED_PARTS = ['idleHeld', 'oversized', 'unallocated', 'stranded', 'broken'] as const

/** What was paid for and did nothing; of what nobody held nothing is known where the parts are of namespaces. */
export const wasteOf = (parts: Readonly<Record<(typeof WASTED_PARTS)[number], number | null>>): number =>
  WASTED_PARTS.reduce((sum, part) => sum + (parts[part] ?? 0), 0)

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
  /**
   * Dollars to the millionth, so that sums of any cut and of any days are the same amount; who shows them rounds them to
   * cents, once. Undefined when no GPU of the group has a price.
   */
  readonly money: Parts<Usd> | undefined
  /** GPU-hours of capacity without a price. `money` leaves them out: an unknown price is not $0. */
  readonly unpriced: GpuHours
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

/** Costs totals. They must be grouped by kind, pool, model and machine at least. */
export const costTotals = (totals: Iterable<UsageTotal>, priceOf: PriceOf): readonly CostedTotal[] =>
  Array.from(totals, (total) => {
    const { pool = '', model = '', machine, node, at } = total.key
    const price = priceOf({ pool, model, machine, node, at: at === undefined ? undefined : Number(at) })
    return {
      total,
      split: splitOf(total),
      unmeasured: kindOf(total) === 'held' ? Math.max(0, total.gpuSeconds - total.measuredGpuSeconds) : 0,
      perSecond: price.kind === 'known' ? price.price / SECONDS_PER_HOUR : undefined,
    }
  })

/** The cost of all totals together. */
export function costOf(costed: Iterable<CostedTotal>): CostParts {
  const tally = emptyTally()
  for (const total of costed) count(tally, total)
  return partsOf(tally)
}

/** The cost of totals by the text that `keyOf` gives, by key; totals without a key are left out. */
export function costBy(costed: Iterable<CostedTotal>, keyOf: (total: UsageTotal) => string | undefined): CostGroup[] {
  return costOfTallies(tallyBy(costed, keyOf))
}

/** The same as tallies, which can be added up by another key later. */
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

/** The cost of tallies, those of one key together, by key. */
export function costOfTallies(tallies: Iterable<readonly [key: string, tally: CostTally]>): CostGroup[] {
  const sums = new Map<string, CostTally>()
  for (const [key, tally] of tallies) {
    const sumOfKey = sums.get(key) ?? emptyTally()
    sums.set(key, sumOfKey)
    addTally(sumOfKey, tally)
  }
  return [...sums]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([key, tally]) => ({ key, cost: partsOf(tally), busyOfAllocated: busyOfAllocated(tally.held) }))
}

/** What a part means, as one line of a bill says it. */
export const COST_PART_WORDS = {
  used: 'Held and working, or held without trustworthy telemetry',
  idleHeld: 'Held and idle',
  oversized: 'Held beyond the size that the work needs',
  unallocated: 'Unallocated, in a usable shape',
  stranded: 'Unallocated, in a shape that no profile can use',
  broken: 'Broken: the node not ready, the device withheld, or stopped by a fault',
  unrequested: 'Busy with work that no pod requested',
  unobserved: 'Not observed',
} satisfies Record<CostPart, string>

/** Amounts in the order of `COST_PARTS`. */
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

function splitOf(total: UsageTotal): Split {
  const { gpuSeconds, idleGpuSeconds, oversizedGpuSeconds } = total
  const kind = kindOf(total)
  if (kind !== 'held') return splitInto({ [UNHELD[kind]]: gpuSeconds })
  const idleHeld = Math.min(idleGpuSeconds, gpuSeconds)
  const oversized = Math.min(gpuSeconds - idleHeld, oversizedGpuSeconds)
  return splitInto({ used: gpuSeconds - idleHeld - oversized, idleHeld, oversized })
}

const UNHELD = {
  free: 'unallocated',
  stranded: 'stranded',
  down: 'broken',
  unrequested: 'unrequested',
  unobserved: 'unobserved',
} as const

function addSplit(sums: number[], more: Split, factor: number): void {
  for (let index = 0; index < more.length; index++) sums[index] = (sums[index] ?? 0) + (more[index] ?? 0) * factor
}

function partsOf(tally: CostTally): CostParts {
  const capacitySeconds = sum(tally.seconds)
  const priced = tally.unpricedSeconds < capacitySeconds || capacitySeconds === 0
  const money = tally.money.map(toMillionths)
  return {
    hours: named(tally.seconds, { unit: hoursOf, unmeasured: tally.unmeasuredSeconds }),
    money: priced
      ? named(money, { unit: (amount) => usd(toMillionths(amount)), unmeasured: tally.unmeasuredMoney })
      : undefined,
    unpriced: hoursOf(tally.unpricedSeconds),
  }
}

/** Floating-point noise is not money. */
export const toMillionths = (amount: number): number => Math.round(amount * 1e6) / 1e6

type Beside<Unit> = { readonly unit: (amount: number) => Unit; readonly unmeasured: number }

function named<Unit extends number>(amounts: Split, { unit, unmeasured }: Beside<Unit>): Parts<Unit> {
  const used = amounts[COST_PARTS.indexOf('used')] ?? 0
  return {
    ...recordOf(COST_PARTS, (part) => unit(amounts[COST_PARTS.indexOf(part)] ?? 0)),
    unmeasured: unit(Math.min(unmeasured, used)),
    capacity: unit(sum(amounts)),
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
