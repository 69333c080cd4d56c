import { spanOfRange, wallText, type ClusterAnalysis, type Instant, type TimeRange, type Window } from '@septet/domain'

/** Less than this is not worth a word: the newest bucket is not over yet. */
const SLACK_MS = 3_600_000

/** Where a window is partial, in sentences; the times of its zone. */
export function notesOf(
  { window, observed, asOf }: Pick<ClusterAnalysis, 'window' | 'observed' | 'asOf'>,
  { range, zone: wanted }: { readonly range: TimeRange; readonly zone: string },
): string[] {
  const zone = range.kind === 'calendar' ? range.zone : wanted
  const say = (at: Instant): string => `${wallText(zone, at).replace('T', ' ')} (${zone})`
  const endsNow = range.kind === 'quick'
  const asked = endsNow ? window : spanOfRange(range, asOf)
  const cut = isCut(asked, window, asOf)
  return [
    ...(asked.to > window.to && window.to > window.from ? [`Not over yet: it runs to ${say(asked.to)}.`] : []),
    ...(cut && window.to > window.from
      ? [`Of that time only longer sums are kept, so it is ${say(window.from)} to ${say(window.to)}.`]
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
  return [
    ...(observed.from - window.from > SLACK_MS ? [`Usage was seen from ${say(observed.from)} on only.`] : []),
    ...(window.to - observed.to > SLACK_MS ? [`Usage was seen up to ${say(observed.to)} only.`] : []),
  ]
}
