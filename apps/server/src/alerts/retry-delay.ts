import { HOUR_MS, instant, type Delivery, type Instant } from '@septet/domain'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** After each failed try the next one is so much later, milliseconds; the last one repeats. */
const DELAYS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
] as const
const LAST = 4 * HOUR_MS
/** Of the client errors, those that may be over later: timeout, too early, too many requests. */
const TRY_LATER = new Set([408, 425, 429])

/** Whether it makes sense to try again: where nobody answered, or the receiver says that it is not our fault. */
const isWorthAnother = (status: number | undefined): boolean =>
  status === undefined || status >= 500 || TRY_LATER.has(status)

export type FailedDelivery = {
  readonly delivery: Pick<Delivery, 'attempts' | 'giveUpAt'>
  readonly status: number | undefined
  readonly retryAfter: string | undefined
  readonly now: Instant
}

/** When to try again; undefined when not. A receiver that says when is heard. */
export function nextTry({ delivery, status, retryAfter, now }: FailedDelivery): Instant | undefined {
  if (!isWorthAnother(status)) return undefined
  const wait = Math.max(DELAYS[delivery.attempts] ?? LAST, asked(retryAfter, now))
  const at = instant(now + wait)
  return at > delivery.giveUpAt ? undefined : at
}

/** `Retry-After` as seconds or as a date (RFC 9110), milliseconds from now. */
function asked(retryAfter: string | undefined, now: Instant): number {
  if (retryAfter === undefined) return 0
  if (/^\d{1,9}$/u.test(retryAfter)) return Number(retryAfter) * SECOND
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
