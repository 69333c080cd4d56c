import { HOURS_PER_MONTH, usdPerGpuHour, type UsdPerGpuHour } from '../units.ts'

/** What a server of one's own costs. Kept with the price that is made of it, so that anyone can check it and change it. */
export type OwnedHardware = {
  /** For the server, with its share of network and storage that was bought for it, USD. */
  readonly purchaseUsd: number
  /** What it will still be worth at the end of its life, USD. */
  readonly residualUsd: number
  readonly gpus: number
  /** Over how many years it is written off. */
  readonly lifeYears: number
  /** What the server draws on average, kW; not what is written on its plate. */
  readonly powerKw: number
  /** Power of the whole site over power of its servers; 1.5 is usual, 1.1 is very good. */
  readonly pue: number
  readonly usdPerKwh: number
  /** Space, staff, support and everything else, USD a month for the server. */
  readonly hostingUsdPerMonth: number
}

/** The parts of an owned GPU-hour, USD. */
export type OwnedPrice = {
  readonly capital: number
  readonly power: number
  readonly hosting: number
  readonly total: UsdPerGpuHour
}

const HOURS_PER_YEAR = HOURS_PER_MONTH * 12

/**
 * What a GPU-hour of one's own server costs. It is written off over every hour of its life, used or not: what idles is
 * then seen as waste, and not hidden in the price of the rest.
 */
export function ownedPrice(hardware: OwnedHardware): OwnedPrice {
  const { purchaseUsd, residualUsd, gpus, lifeYears, powerKw, pue, usdPerKwh, hostingUsdPerMonth } = hardware
  const capital = (purchaseUsd - residualUsd) / (lifeYears * HOURS_PER_YEAR) / gpus
  const power = (powerKw * pue * usdPerKwh) / gpus
  const hosting = hostingUsdPerMonth / HOURS_PER_MONTH / gpus
  return { capital, power, hosting, total: usdPerGpuHour(Math.round((capital + power + hosting) * 1e6) / 1e6) }
}
