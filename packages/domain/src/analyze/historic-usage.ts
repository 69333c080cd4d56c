import type { Instant } from '../units.ts'
import type { Span } from './usage.ts'

/** What a metrics engine knows of one device and holder in one bucket; `enrichHistory` turns it into usage rows. */
export type HistoricUsage = {
  readonly at: Instant
  readonly span: Span
  readonly node: string
  readonly gpu: string
  readonly index: number
  readonly modelName: string
  readonly instance: { readonly id: string; readonly profile: string } | undefined
  readonly namespace: string
  readonly pod: string
  /** Samples in the bucket × scrape interval, seconds; capped at the bucket's length. */
  readonly observedSeconds: number
  readonly busy: number | undefined
  readonly busyPeak: number | undefined
  readonly effective: number | undefined
  readonly memoryUsedMib: number | undefined
  readonly memoryPeakMib: number | undefined
  readonly powerWatts: number | undefined
  /** Mean GPU_UTIL 0–1, to find counters stuck at zero. */
  readonly kernelTime: number | undefined
}
