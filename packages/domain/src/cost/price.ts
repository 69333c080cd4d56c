import type { Instant, UsdPerGpuHour } from '../units.ts'

/** A price for one GPU for one hour, and where it comes from. The narrowest match wins: pool, then cluster, then default. */
export type PriceEntry = {
  readonly id: string
  /** Undefined matches every cluster, pool or model. */
  readonly cluster: string | undefined
  readonly pool: string | undefined
  readonly model: string | undefined
  readonly price: UsdPerGpuHour
  /** "AWS p5 on-demand us-east-1 ÷ 8", "set by an operator". Shown next to every amount. */
  readonly source: string
  readonly asOf: Instant
  readonly origin: 'shipped' | 'operator'
  /** Made from the price of another model; left out: no. */
  readonly estimate?: true
}

export type PriceBook = readonly PriceEntry[]
