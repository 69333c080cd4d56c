import { quantileOf } from '../../analyze/distribution.ts'
import { blockMaxima, blockSeconds, blockEnd, type Resource } from './block-maxima.ts'
import type { UsageHistory } from './usage-history.ts'

/** The highest use within one block of time, and how many blocks ago that was. */
export type AgedPeak = { readonly peak: number; readonly age: number }

/** Block maxima of one workload, oldest first. */
export type Past = {
  readonly blocks: readonly AgedPeak[]
  /** 0 where there is no block. */
  readonly median: number
  readonly highest: number
}

/** The past of a history as seen from an instant; without one, from its end. */
export function pastOf(history: UsageHistory, resource: Resource, end: number = blockEnd(history)): Past {
  const length = blockSeconds(history) * 1000
  return pastFrom(
    blockMaxima(history, resource).map(({ at, peak }) => ({ peak, age: Math.ceil((end - at) / length) - 1 })),
  )
}

export function pastFrom(blocks: readonly AgedPeak[]): Past {
  const peaks = blocks.map(({ peak }) => peak)
  return { blocks, median: medianOf(peaks) ?? 0, highest: peaks.reduce((most, peak) => Math.max(most, peak), 0) }
}

/** The weight of a block by its age in blocks. */
export const ageWeight = (age: number, halfLife: number): number => Math.exp((-Math.LN2 / halfLife) * age)

/** The middle value; undefined of none. */
export const medianOf = (values: readonly number[]): number | undefined => quantileOf(values, 0.5)
