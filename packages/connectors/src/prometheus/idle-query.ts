import { type IdlePolicy, type Span, SPAN_SECONDS } from '@septet/domain'

/** Idleness is judged over slots of five minutes, whatever the length of the bucket that it is added up in. */
export const SLOT_SECONDS = SPAN_SECONDS['5m']

/** The slots of a bucket that have any sample of a selector, counted. Tells nothing where there is none. */
export const slotsQuery = (selector: string, span: Span): string =>
  `count_over_time(count_over_time(${selector}[299s])${slotsOf(span)})`

/**
 * The slots of a bucket that were idle, counted, by the same rule as `markIdle`: a slot is idle when it lies in a stretch of
 * the policy's minimum length whose slots all have a mean of at most the threshold; one of them may have no samples, but
 * not the first or the last. `threshold` is in the unit of the metric.
 *
 * A busy slot counts −999, so that a stretch adds up to its number of idle slots only when none is busy. Ranges are a
 * little short of the next slot: engines disagree on whether a range holds the sample at its very beginning.
 */
export function idleSlotsQuery(selector: string, span: Span, { threshold, minimum }: IdlePolicy): string {
  const slots = Math.max(1, Math.ceil(minimum / SLOT_SECONDS))
  const needed = slots < 3 ? slots : slots - 1
  const stretch = `[${5 * slots - 1}m:5m]`
  const reach = 5 * (slots - 1)
  const mean = `avg_over_time(${selector}[299s])`
  const mark = `(1 - 1000 * (${mean} > bool ${threshold}))${stretch}`
  const first = reach === 0 ? '' : ` and avg_over_time(${selector}[299s] offset ${reach}m)`
  const ended = `(sum_over_time(${mark}) >= ${needed} and ${mean}${first})${stretch}`
  const covered = `max_over_time(${ended}${reach === 0 ? '' : ` offset -${reach}m`})`
  return `count_over_time((${covered} and ${mean})${slotsOf(span)})`
}

const slotsOf = (span: Span): string => `[${SPAN_SECONDS[span] / 60 - 1}m:5m]`
