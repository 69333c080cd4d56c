import { profileOf } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { geometriesFor } from './class-patterns.ts'
import { smallestShare } from './layout-model.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'
import type { DemandClass, LayoutProblem, SupplyClass } from './layout-problem.ts'

/**
 * Why no plan can be better, in a form that anyone can check without trusting a solver: a price for each instance. Every
 * list of prices proves something; good prices prove much. All prices are whole multiples of 1 / `CERTIFICATE_UNIT`, so
 * that the check is exact. It is the dual of the Gilmore-Gomory linear program (Gilmore and Gomory 1961).
 */
export type BoundCertificate = {
  /** `unplaced`: GPUs' worth of demand that stays without a place. `cost`: dollars per hour. `gpus`: GPUs in use. */
  readonly of: 'unplaced' | 'cost' | 'gpus'
  readonly prices: readonly InstancePrice[]
  /**
   * The claim is about plans that leave at most `allowed` unplaced, and one GPU's worth unplaced counts `price`: both in
   * units. Undefined: about plans that place everything.
   */
  readonly shortfall: { readonly allowed: number; readonly price: number } | undefined
}

/** `units`: what one instance of the profile on a GPU of the class is worth, at least 0. A pair that is not listed is worth 0. */
export type InstancePrice = { readonly supplyClass: string; readonly profile: ProfileName; readonly units: number }

export type BoundCheck =
  /** No plan goes below `bound`; `atLeast` is the next whole number, for what is counted. */
  | { readonly kind: 'proven'; readonly bound: number; readonly atLeast: number }
  | { readonly kind: 'not-a-certificate'; readonly because: string }

/** 5,040 × 256: prices in sevenths, eighths and their kin are whole numbers of it. */
export const CERTIFICATE_UNIT = 1_290_240

/**
 * What a certificate proves about a problem, in exact whole-number arithmetic:
 * a GPU can give at most its best layout's worth of instances; what that exceeds the GPU's cost by is the GPU's rent;
 * every workload pays the cheapest instance that it accepts; so cost ≥ what workloads pay − the rents of all GPUs.
 */
export function checkBound(problem: LayoutProblem, certificate: BoundCertificate): BoundCheck {
  const because = flawIn(problem, certificate)
  if (because !== undefined) return { kind: 'not-a-certificate', because }
  const prices = pricesByClass(certificate)
  const classes = new Map(problem.classes.map((supplyClass) => [supplyClass.id, supplyClass]))
  let total = 0n
  for (const demand of problem.demands) {
    const worth = priceOfDemand(demand, { classes, prices, certificate })
    total += worth * BigInt(demand.count)
  }
  for (const supplyClass of problem.classes) {
    const rent = BigInt(bestWorth(supplyClass, prices.get(supplyClass.id))) - gpuCost(supplyClass, certificate)
    if (rent > 0n) total -= rent * BigInt(supplyClass.supply)
  }
  const { shortfall } = certificate
  if (shortfall !== undefined) total -= dividedUp(BigInt(shortfall.allowed) * BigInt(shortfall.price))
  const units = total > 0n ? total : 0n
  return {
    kind: 'proven',
    bound: Number(units) / CERTIFICATE_UNIT,
    atLeast: Number(dividedUp(units)),
  }
}

/** Units by class and profile. */
type Prices = ReadonlyMap<string, ReadonlyMap<ProfileName, number>>

function pricesByClass({ prices }: BoundCertificate): Prices {
  const byClass = new Map<string, Map<ProfileName, number>>()
  for (const { supplyClass, profile, units } of prices) {
    const own = byClass.get(supplyClass)
    if (own === undefined) byClass.set(supplyClass, new Map([[profile, units]]))
    else own.set(profile, units)
  }
  return byClass
}

type Pricing = {
  readonly classes: ReadonlyMap<string, SupplyClass>
  readonly prices: Prices
  readonly certificate: BoundCertificate
}

/** What each workload pays: the cheapest instance it accepts, and never more than what staying unplaced counts. */
function priceOfDemand(demand: DemandClass, { classes, prices, certificate }: Pricing): bigint {
  const cheapest = cheapestFit(demand, { classes, prices })
  // Who fits nowhere is the same in every plan: it is not priced, and what stays unplaced is counted among the others.
  if (cheapest === undefined) return 0n
  const price = BigInt(cheapest)
  const limit = unplacedWorth(smallestShare(demand, classes), certificate) ?? price
  return limit < price ? limit : price
}

function cheapestFit(
  { fits }: DemandClass,
  { classes, prices }: Pick<Pricing, 'classes' | 'prices'>,
): number | undefined {
  let least: number | undefined
  for (const { supplyClass: id, profile } of fits) {
    const supplyClass = classes.get(id)
    if (supplyClass === undefined || supplyClass.supply === 0 || !exists(supplyClass, profile)) continue
    const price = prices.get(id)?.get(canonical(supplyClass, profile)) ?? 0
    least = Math.min(least ?? price, price)
  }
  return least
}

function unplacedWorth(share: number, { of, shortfall }: BoundCertificate): bigint | undefined {
  const units = shareUnits(share)
  if (of === 'unplaced') return units
  return shortfall === undefined ? undefined : (units * BigInt(shortfall.price)) / UNIT
}

/** A workload's share of a GPU, in units. */
const shareUnits = (share: number): bigint => BigInt(Math.round(share * CERTIFICATE_UNIT))

/** The most that the instances on one GPU can be worth. Prices are so limited that these sums are exact as numbers. */
function bestWorth({ board }: SupplyClass, prices: ReadonlyMap<ProfileName, number> | undefined): number {
  if (prices === undefined) return 0
  const priced = [...(board?.profiles ?? []).map(({ name }) => name), WHOLE_GPU].filter(
    (profile) => (prices.get(profile) ?? 0) > 0,
  )
  let best = 0
  for (const geometry of priced.length === 0 ? [] : geometriesFor(board, priced)) {
    let worth = 0
    for (const profile of priced) worth += (geometry[profile] ?? 0) * (prices.get(profile) ?? 0)
    if (worth > best) best = worth
  }
  return best
}

function gpuCost({ price }: SupplyClass, { of }: BoundCertificate): bigint {
  if (of === 'unplaced') return 0n
  return of === 'gpus' ? UNIT : BigInt(Math.floor((price ?? 0) * CERTIFICATE_UNIT))
}

const flawIn = (problem: LayoutProblem, certificate: BoundCertificate): string | undefined =>
  flawInPrices(certificate) ?? flawInProblem(problem, certificate)

function flawInPrices(certificate: BoundCertificate): string | undefined {
  const { prices, shortfall } = certificate
  const figures = [...prices.map(({ units }) => units), shortfall?.allowed ?? 0, shortfall?.price ?? 0]
  if (figures.some((units) => !Number.isSafeInteger(units) || units < 0))
    return 'a price is not a whole number of units'
  if (prices.some(({ units }) => units > MOST_UNITS)) return 'a price is too high to be added up exactly'
  return sizeOf(pricesByClass(certificate)) < prices.length ? 'a profile is priced twice' : undefined
}

function flawInProblem({ classes, demands }: LayoutProblem, { of }: BoundCertificate): string | undefined {
  const counts = [...classes.map(({ supply }) => supply), ...demands.map(({ count }) => count)]
  if (counts.some((count) => !Number.isSafeInteger(count) || count < 0)) return 'the problem has a count that is none'
  const unpriced = classes.find(({ price }) => price === undefined || !Number.isFinite(price) || price < 0)
  return of === 'cost' && unpriced !== undefined ? `${unpriced.id} has no price` : undefined
}

const UNIT = BigInt(CERTIFICATE_UNIT)
const dividedUp = (units: bigint): bigint => (units + UNIT - 1n) / UNIT

/** A GPU has fewer than 32 instances, so that their prices add up to a safe whole number. */
const MOST_UNITS = 2 ** 48

const sizeOf = (prices: Prices): number => [...prices.values()].reduce((sum, own) => sum + own.size, 0)

const exists = ({ board }: SupplyClass, profile: ProfileName): boolean =>
  profile === WHOLE_GPU || (board !== undefined && profileOf(board, profile) !== undefined)

const canonical = ({ board }: SupplyClass, profile: ProfileName): ProfileName =>
  (board === undefined ? undefined : profileOf(board, profile)?.name) ?? profile
