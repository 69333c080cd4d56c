import { spanOfRange, type ClusterAnalysis, type Instant, type TimeRange, type Window, HOUR_MS } from '@septet/domain'
import { DAY_AND_TIME } from '@septet/domain/words'

/** Less than this is not worth a word: the newest bucket is not over yet. */
const SLACK_MS = HOUR_MS

/** Where a window is partial, in sentences; the times of its zone. */
export function notesOf(
  { window, observed, asOf }: Pick<ClusterAnalysis, 'window' | 'observed' | 'asOf'>,
  { range, zone: wanted }: { readonly range: TimeRange; readonly zone: string },
): string[] {
  const zone = range.kind === 'calendar' ? range.zone : wanted
  const clock = new Intl.DateTimeFormat('en-US', { ...DAY_AND_TIME, timeZone: zone })
  const say = (at: Instant): string => `${clock.format(at)} (${zone})`
  const endsNow = range.kind === 'quick'
  const asked = endsNow ? window : spanOfRange(range, asOf)
  const cut = isCut(asked, window, asOf)
  return [
    ...(asked.to > window.to && window.to > window.from ? [`Not over yet: it runs to ${say(asked.to)}.`] : []),
    ...(cut && window.to > window.from
      ? [`Older usage is kept in longer steps only, so this covers ${say(window.from)} to ${say(window.to)}.`]
      : []),
    ...seenNotes({ window, observed, isAhead: !endsNow && asked.from >= asOf }, say),
  ]
}

/** Whether it is not the time that was asked for, other than by not being over. */
const isCut = (asked: Window, window: Window, asOf: Instant): boolean =>
  Math.abs(asked.from - window.from) > 60_000 || (asked.to <= asOf && asked.to !== window.to)

function seenNotes(
  { window, observed, isAhead }: Pick<ClusterAnalysis, 'window' | 'observed'> & { readonly isAhead: boolean },
  say: (at: Instant) => string,
): string[] {
  if (observed === undefined)
    return [isAhead ? 'This window is in the future: there is no data yet.' : 'Nothing was seen in this window.']
  const isLate = observed.from - window.from > SLACK_MS
  const endsEarly = window.to - observed.to > SLACK_MS
  if (isLate && endsEarly) return [`Usage is known from ${say(observed.from)} to ${say(observed.to)}.`]
  if (isLate) return [`Usage is known from ${say(observed.from)} on.`]
  return endsEarly ? [`Usage is known until ${say(observed.to)}.`] : []
}
