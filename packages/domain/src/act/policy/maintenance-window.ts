import { dateOfDay, dayNumber, weekdayOf } from '../../analyze/civil-date.ts'
import { dateIn, instantIn, isZone } from '../../analyze/zoned-time.ts'
import type { Instant, Window } from '../../units.ts'

/** A stretch of the week in which changes may begin. */
export type MaintenanceWindow = {
  /** 0 for Monday to 6 for Sunday: the day on which it opens. */
  readonly weekday: number
  /** Minutes after midnight, 0 to 1440. Where `to` is not after `from` it ends on the next day. */
  readonly from: number
  readonly to: number
  /** Of the IANA database, or `UTC`. A zone that nobody knows never opens. */
  readonly zone: string
}

/** Whether changes may begin now: in one of the windows, or at any time where there is none. */
export const isOpen = (windows: readonly MaintenanceWindow[], now: Instant): boolean =>
  windows.length === 0 ||
  windows.some((window) => stretchesOf(window, now).some(({ from, to }) => from <= now && now < to))

/** When the next window opens; undefined where none ever does. */
export function nextOpening(windows: readonly MaintenanceWindow[], now: Instant): Instant | undefined {
  const ahead = windows.flatMap((window) => stretchesOf(window, now).flatMap(({ from }) => (from > now ? from : [])))
  return ahead.toSorted((a, b) => a - b)[0]
}

/** The times of a window from yesterday to this day next week, as the clocks of its zone go. */
function stretchesOf({ weekday, from, to, zone }: MaintenanceWindow, now: Instant): readonly Window[] {
  if (!isZone(zone)) return []
  const today = dayNumber(dateIn(zone, now))
  return Array.from({ length: 9 }, (_, index) => today - 1 + index)
    .filter((day) => weekdayOf(day) === weekday)
    .map((day) => ({
      from: instantIn(zone, dateOfDay(day), from),
      to: instantIn(zone, dateOfDay(to > from ? day : day + 1), to),
    }))
}
