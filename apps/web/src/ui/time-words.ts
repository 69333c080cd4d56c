import { DAY_AND_TIME, duration } from '@septet/domain/words'

const clock = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const minute = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const dayAndTime = new Intl.DateTimeFormat('en-US', DAY_AND_TIME)
const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })

/** The time of day with seconds, in the reader's zone. */
export const clockTime = (instant: string): string => clock.format(new Date(instant))

export const minuteTime = (instant: string): string => minute.format(new Date(instant))

export const dayName = (instant: string): string => day.format(new Date(instant))

/** "Nov 14, 09:00 to Nov 15, 09:00"; without the day when both ends are on the same. */
export function windowWords({ from, to }: { readonly from: string; readonly to: string }): string {
  const oneDay = dayName(from) === dayName(to)
  const write = (instant: string): string =>
    oneDay ? minuteTime(instant) : `${dayName(instant)}, ${minuteTime(instant)}`
  return `${write(from)} to ${write(to)}`
}

/** "14 min ago"; instants that lie ahead by clock skew count as now. */
export function ago(instant: string, now: number): string {
  const seconds = (now - new Date(instant).getTime()) / 1000
  return seconds < 5 ? 'just now' : `${duration(seconds)} ago`
}

/** "Nov 14, 2026, 09:00" in the reader's zone. */
export const dayTime = (instant: string): string => dayAndTime.format(new Date(instant))
