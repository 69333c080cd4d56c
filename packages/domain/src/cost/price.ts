import type { NodeCapacity } from '../cluster/node-offer.ts'
import type { Instant, UsdPerGpuHour } from '../units.ts'
import type { OwnedHardware } from './owned-price.ts'

/** How the GPUs of an entry are paid for. `owned` is never labelled: it is what a machine of no known kind may be. */
export type Capacity = NodeCapacity | 'owned'

/** A price for one GPU for one hour, what it is for, and where it comes from. The narrowest match wins: see `priceFor`. */
export type PriceEntry = {
  readonly id: string
  /** Undefined matches every cluster, pool or model; left out likewise, of what follows. */
  readonly cluster: string | undefined
  readonly pool: string | undefined
  readonly model: string | undefined
  /** `node.kubernetes.io/instance-type` of the machine. */
  readonly instanceType?: string | undefined
  readonly region?: string | undefined
  readonly capacity?: Capacity | undefined
  /** From when on it holds, until a later entry for the same does; left out: always. */
  readonly effectiveFrom?: Instant | undefined
  readonly price: UsdPerGpuHour
  /** "AWS p5 on-demand us-east-1 ÷ 8", "set by an operator". Shown next to every amount. */
  readonly source: string
  /** The date of the source: of a list when it was made, of what an operator set when that was. */
  readonly asOf: Instant
  readonly origin: 'shipped' | 'operator'
  /** Made from the price of another model; left out: no. */
  readonly estimate?: true
  /** What the price was reckoned from, for machines of one's own. */
  readonly owned?: OwnedHardware | undefined
}

export type PriceBook = readonly PriceEntry[]
