import type { Instant, UsdPerGpuHour } from '../units.ts'

/** A price that was found for a GPU, and where it comes from; or why there is none. */
export type Price =
  | {
      readonly kind: 'known'
      readonly price: UsdPerGpuHour
      readonly source: string
      readonly asOf: Instant
      readonly origin: 'shipped' | 'operator'
      /** What the entry was made for, narrowest first. */
      readonly scope: 'pool' | 'cluster' | 'default'
    }
  | { readonly kind: 'unknown'; readonly because: string }
