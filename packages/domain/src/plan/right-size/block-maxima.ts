import { instant, SECONDS_PER_HOUR, type Instant } from '../../units.ts'
import type { UsageBucket, UsageHistory } from './usage-history.ts'

/** What is sized: memory in MiB, sustained compute in GPUs. */
export type Resource = 'memory' | 'compute'

/** The highest use within one block of time. */
export type Block = { readonly at: Instant; readonly peak: number }

/**
 * The highest use of each hour (of each day where the history is by day), oldest first, cut backward from the end of the
 * history. Excursions last minutes, so the maxima of hours are far less dependent than neighboring samples. A block that
 * was measured for less than half of its length is left out, as its maximum is not known, unless what was seen of it is above
 * all blocks that are kept: that it was reached is known.
 */
export function blockMaxima(history: UsageHistory, resource: Resource): Block[] {
  const length = blockSeconds(history) * 1000
  const end = blockEnd(history)
  const blocks = new Map<number, { peak: number; measured: number }>()
  for (const bucket of history.buckets) {
    const value = levelAt(bucket, resource)
    if (value === undefined) continue
    const index = Math.floor((end - 1 - bucket.at) / length)
    const block = blocks.get(index)
    if (block === undefined) blocks.set(index, { peak: value, measured: bucket.measured })
    else {
      block.peak = Math.max(block.peak, value)
      block.measured += bucket.measured
    }
  }
  const isWhole = ({ measured }: { readonly measured: number }): boolean => measured * 1000 >= length / 2
  const whole = [...blocks.values()].filter(isWhole)
  const highest = whole.reduce((most, { peak }) => Math.max(most, peak), whole.length === 0 ? Infinity : 0)
  return [...blocks]
    .filter(([, block]) => isWhole(block) || block.peak > highest)
    .toSorted(([a], [b]) => b - a)
    .map(([index, { peak }]) => ({ at: instant(end - (index + 1) * length), peak }))
}

/** Length of a block, in seconds: an hour, or the longest bucket. */
export const blockSeconds = ({ buckets }: UsageHistory): number =>
  buckets.reduce((longest, { length }) => Math.max(longest, length), SECONDS_PER_HOUR)

/** The use in one bucket; undefined when it was not measured. */
export const levelAt = (bucket: UsageBucket, resource: Resource): number | undefined =>
  bucket.measured <= 0 ? undefined : resource === 'memory' ? bucket.memoryPeak : bucket.compute

/** The highest use ever measured; undefined when nothing was. */
export function peakOf(history: UsageHistory, resource: Resource): number | undefined {
  let peak: number | undefined
  for (const bucket of history.buckets) {
    const value = levelAt(bucket, resource)
    if (value !== undefined && (peak === undefined || value > peak)) peak = value
  }
  return peak
}

/** The end of the last bucket, in milliseconds since the epoch; 0 of an empty history. */
export const blockEnd = ({ buckets }: UsageHistory): Instant =>
  instant(buckets.reduce((end, { at, length }) => Math.max(end, at + length * 1000), 0))
