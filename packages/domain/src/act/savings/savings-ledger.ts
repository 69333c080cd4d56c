import { gpuHours, usd, type GpuHours, type Usd } from '../../units.ts'
import { daySum } from './day-spread.ts'
import { promisedFor } from './judge-saving.ts'
import { SAVING_EFFECTS, type Amount, type Realized, type RunSaving, type SavingEffect } from './saving.ts'

/** Capacity freed and bill reduced, apart; in each what was measured and what is only estimated, apart. */
export type SavingsLedger = Readonly<Record<SavingEffect, LedgerColumn>>

type LedgerColumn = {
  /** Of runs that are verified or partly verified, over the hours that were measured of each. */
  readonly realized: {
    readonly runs: number
    /** An amount has an interval; a sum of them as well. */
    readonly gpuHours: Amount<GpuHours>
    /** Of the runs that have a price; undefined where none of them has. */
    readonly usd: Amount<Usd> | undefined
    readonly unpriced: number
    /** Hours after the changes that are in no amount, over all runs. */
    readonly unknownHours: number
    /** What the same runs were estimated at for the same hours, to be read beside it; undefined where one has no estimate. */
    readonly promised: Promised | undefined
  }
  /** A month, of runs whose saving is not measured yet. */
  readonly estimated: {
    readonly runs: number
    /** Of the runs that have an estimate; undefined where none of them has. */
    readonly gpuHoursPerMonth: number | undefined
    readonly usdPerMonth: number | undefined
    readonly unpriced: number
  }
}

export function savingsLedger(savings: readonly RunSaving[]): SavingsLedger {
  const column = (effect: SavingEffect): LedgerColumn => {
    const own = savings.filter((saving) => saving.effect === effect)
    return { realized: realizedOf(own), estimated: estimatedOf(own) }
  }
  const [freed, reduced] = SAVING_EFFECTS
  return { [freed]: column(freed), [reduced]: column(reduced) } as const
}

/** What a run realized, where that counts. */
export const realizedIn = ({ state, realized }: RunSaving): Realized | undefined =>
  state === 'verified' || state === 'partly-verified' ? realized : undefined

/** What the estimate of a run comes to in the hours that were measured of it; undefined without either. */
export function promisedIn({ estimate, realized }: Pick<RunSaving, 'estimate' | 'realized'>): Promised | undefined {
  if (estimate === undefined || realized === undefined) return undefined
  const { gpuHoursPerMonth, usdPerMonth } = estimate
  return {
    gpuHours: promisedFor(gpuHoursPerMonth, realized),
    usd: usdPerMonth === undefined ? undefined : promisedFor(usdPerMonth, realized),
  }
}
type Promised = { readonly gpuHours: number; readonly usd: number | undefined }

function promisedOf(counted: readonly RunSaving[]): Promised | undefined {
  const promised = counted.flatMap((saving) => promisedIn(saving) ?? [])
  if (promised.length === 0 || promised.length < counted.length) return undefined
  const priced = promised.flatMap(({ usd: amount }) => amount ?? [])
  return {
    gpuHours: daySum(promised.map((each) => each.gpuHours)),
    usd: priced.length < promised.length ? undefined : daySum(priced),
  }
}

function realizedOf(savings: readonly RunSaving[]): LedgerColumn['realized'] {
  const counted = savings.filter((saving) => realizedIn(saving) !== undefined)
  const found = counted.flatMap((saving) => realizedIn(saving) ?? [])
  const priced = found.flatMap((each) => each.usd ?? [])
  return {
    runs: found.length,
    gpuHours: total(
      gpuHours,
      found.map((each) => each.gpuHours),
    ),
    usd: found.length > 0 && priced.length === 0 ? undefined : total(usd, priced),
    unpriced: found.length - priced.length,
    unknownHours: daySum(found.map((each) => each.unknownHours)),
    promised: promisedOf(counted),
  }
}

/**
 * Ends are added to ends: runs of one cluster see the same load, so their errors do not cancel out. Without an interval of
 * one the sum has none.
 */
function total<Unit extends number>(unit: (value: number) => Unit, amounts: readonly Amount<Unit>[]): Amount<Unit> {
  const ranges = amounts.flatMap(({ range }) => range ?? [])
  const isWhole = ranges.length === amounts.length
  return {
    value: unit(daySum(amounts.map(({ value }) => value))),
    range: isWhole
      ? { low: unit(daySum(ranges.map(({ low }) => low))), high: unit(daySum(ranges.map(({ high }) => high))) }
      : undefined,
  }
}

const NOT_MEASURED: ReadonlySet<RunSaving['state']> = new Set(['estimated', 'approved', 'applied'])

function estimatedOf(savings: readonly RunSaving[]): LedgerColumn['estimated'] {
  const waiting = savings.filter(({ state }) => NOT_MEASURED.has(state))
  const estimates = waiting.flatMap(({ estimate }) => estimate ?? [])
  const priced = estimates.flatMap(({ usdPerMonth }) => usdPerMonth ?? [])
  const known = (values: readonly number[]) => (waiting.length > 0 && values.length === 0 ? undefined : daySum(values))
  return {
    runs: waiting.length,
    gpuHoursPerMonth: known(estimates.map((each) => each.gpuHoursPerMonth)),
    usdPerMonth: known(priced),
    unpriced: waiting.length - priced.length,
  }
}
