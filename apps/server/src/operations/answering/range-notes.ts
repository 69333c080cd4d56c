import { HOUR_MS, spanOfRange, unexplainedTime, type Instant, type TimeRange } from '@septet/domain'
import { DAY_AND_TIME } from '@septet/domain/words'

import type { Seen } from './view.ts'

/** Less than this is not worth a word: the newest bucket is not over yet. */
const SLACK_MS = HOUR_MS

/** Where a window is partial, and what of its time nobody can tell, in sentences; the times of its zone. */
export function notesOf(
  seen: Pick<Seen, 'window' | 'observed' | 'asOf' | 'spread' | 'cost' | 'unread'>,
  { range, zone: wanted }: { readonly range: TimeRange; readonly zone: string },
): string[] {
  const { window, asOf, spread, cost } = seen
  const zone = range.kind === 'calendar' ? range.zone : wanted
  const clock = new Intl.DateTimeFormat('en-US', { ...DAY_AND_TIME, timeZone: zone })
  const say = (at: Instant): string => `${clock.format(at)} (${zone})`
  const endsNow = range.kind === 'quick'
  const asked = endsNow ? window : spanOfRange(range, asOf)
  return [
    ...(!endsNow && asked.to > asOf && asked.from < asOf ? [`Not over yet: it runs to ${say(asked.to)}.`] : []),
    ...(spread === undefined || endsNow ? [] : [SPREAD[spread]]),
    ...seenNotes({ ...seen, isAhead: !endsNow && asked.from >= asOf }, say),
    ...unexplainedTime(cost.fleet.hours),
  ]
}

const SPREAD = {
  '1h': 'This time is kept by the hour: where it begins or ends within one, that hour counts by the minute.',
  '1d': 'This time is kept by the UTC day: where it begins or ends within one, that day counts by the hour.',
}

function seenNotes(
  { window, observed, unread, isAhead }: Pick<Seen, 'window' | 'observed' | 'unread'> & { readonly isAhead: boolean },
  say: (at: Instant) => string,
): string[] {
  if (observed === undefined) {
    if (isAhead) return ['This window is in the future: there is no data yet.']
    return [unread === undefined ? 'Nothing was seen in this window.' : 'This window is not read yet.']
  }
  const isLate = observed.from - window.from > SLACK_MS
  const endsEarly = window.to - observed.to > SLACK_MS
  if (isLate && endsEarly) return [`Usage is known from ${say(observed.from)} to ${say(observed.to)}.`]
  if (isLate) return [`Usage is known from ${say(observed.from)} on.`]
  return endsEarly ? [`Usage is known until ${say(observed.to)}.`] : []
}
