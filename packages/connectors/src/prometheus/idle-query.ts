import { type IdlePolicy, type Span, SPAN_SECONDS } from '@septet/domain'

/** Idleness is judged over slots of five minutes, whatever the length of the bucket that it is added up in. */
export const SLOT_SECONDS = SPAN_SECONDS['5m']

/** A counter of how busy a device is, and what contradicts it where it is stuck at 0: GPU_UTIL from a value on. */
export type Judged = {
  readonly selector: string
  readonly against?: { readonly selector: string; readonly least: number } | undefined
}

/** The slots of a bucket that have any sample of a selector, counted. Tells nothing where there is none. */
export const slotsQuery = (selector: string, span: Span): string =>
  `count_over_time(count_over_time(${selector}[299s])${slotsOf(span)})`

/** The slots of a bucket in which the counter is contradicted, counted. Undefined where nothing can contradict it. */
export const stuckSlotsQuery = (judged: Judged, span: Span): string | undefined => {
  const stuck = stuckIn(judged, 0)
  return stuck === undefined ? undefined : `count_over_time((${stuck})${slotsOf(span)})`
}

/**
 * The slots of a bucket that were idle, counted, by the same rule as `markIdle`: a slot is idle when it lies in a stretch of
 * at least the policy's minimum length whose slots all have a mean of at most the threshold; between two of them one may
 * have no samples, or a stuck counter. `threshold` is in the unit of the metric.
 *
 * What tells nothing takes over from the slot before, and a busy slot counts −999: a stretch that ends in a slot which tells
 * something adds up to its number of slots only when none is busy and no two in a row are silent. Where its first one
 * took over, the slot before belongs to it too. Ranges are a little short of the next slot: engines disagree on whether a
 * range holds the sample at its very beginning.
 */
export function idleSlotsQuery(judged: Judged, span: Span, { threshold, minimum }: IdlePolicy): string {
  const slots = Math.max(1, Math.ceil(minimum / SLOT_SECONDS))
  const mean = meanOf(judged, 0)
  const stretch = `(1 - 1000 * ((${mean} or ${meanOf(judged, 5)}) > bool ${threshold}))[${5 * slots - 1}m:5m]`
  const ended = `(sum_over_time(${stretch}) >= ${slots} and ${mean})[${5 * slots + 4}m:5m]`
  return `count_over_time((${mean} <= ${threshold} and max_over_time(${ended} offset -${5 * slots}m))${slotsOf(span)})`
}

/** The mean over the slot that ended so many minutes before; none where there is no sample, or where it is stuck. */
function meanOf(judged: Judged, minutes: number): string {
  const stuck = stuckIn(judged, minutes)
  const mean = overSlot(judged.selector, minutes)
  return stuck === undefined ? mean : `(${mean} unless (${stuck}))`
}

const stuckIn = ({ selector, against }: Judged, minutes: number): string | undefined =>
  against && `${overSlot(selector, minutes)} == 0 and ${overSlot(against.selector, minutes)} >= ${against.least}`

const overSlot = (selector: string, minutes: number): string =>
  `avg_over_time(${selector}[299s]${minutes === 0 ? '' : ` offset ${minutes}m`})`

const slotsOf = (span: Span): string => `[${SPAN_SECONDS[span] / 60 - 1}m:5m]`
