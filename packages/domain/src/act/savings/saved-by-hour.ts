import type { Baseline, MeasuredHours } from '../action-run.ts'
import {
  daySpread,
  halfWidth,
  HOURS_PER_DAY,
  meanOf,
  daySum,
  savingWeekday,
  withMemory,
  type HourValue,
} from './day-spread.ts'
import type { HoursAfter, Realized, SavingEffect } from './saving.ts'
import type { CountedWork } from './work-reader.ts'
import { HOUR_MS } from '../../units.ts'

/** What one run saved by itself, whatever other runs claim. Only hours in which all that is needed was measured. */
export type SavedByHour = {
  readonly basis: Realized['basis']
  readonly hours: readonly SavedHour[]
  /** What varies by chance, hour by hour: before, and since the change. */
  readonly chance: { readonly before: readonly HourValue[]; readonly since: readonly HourValue[] }
  /** How much work was done in a day, 1 as much as before. */
  readonly scale: number
  /** By what work was counted, and how much of it a GPU-hour did before. */
  readonly work?: Pick<CountedWork, 'unit' | 'source'> & { readonly perGpuHour: number }
}

/** GPU-hours that were saved in one hour. */
type SavedHour = HourValue & {
  /** Which part of the hour counts, 0 to 1. */
  readonly share: number
  /** How many days of the baseline it is compared with. */
  readonly days: number
  /** Units of work that were done in it, and GPU-hours that they took. */
  readonly done?: number
  readonly held?: number
}

/**
 * GPU-hours that were held before in the same hour of the week, less those that were held now; where work is counted, those
 * that the same work took before. For a node that is gone, those that it had.
 *
 * What was held now is measured, so chance is in one place: what would have been held without the change. That is foretold
 * from the baseline, with the error of both its mean and of the days that would have come; both are as wide as its days
 * differ. A t-interval and no bootstrap: of the seven days of a usual baseline, draws with replacement give intervals that
 * are too narrow. Spells of several days widen it by how alike days are that follow one another, before and since. Not in it is
 * a change of all demand between the two windows, of which only counted work tells, nor spells that last as long as all that
 * was measured.
 */
export function savedByHour(baseline: Baseline, after: HoursAfter, effect: SavingEffect): SavedByHour {
  if (effect === 'bill-reduced') return whileGone(baseline, after)
  // Of what did nothing before nothing can be done more slowly.
  const didWork = workIn(baseline).some(({ value }) => value > 0)
  return didWork ? lessPerUnit(baseline, after) : lessHeld(baseline, after)
}

function whileGone(baseline: Baseline, after: HoursAfter): SavedByHour {
  const before = byHourOfWeek(heldIn(baseline))
  const gone = valuesIn(after, after.goneByHour ?? [])
  const matched = gone.flatMap(({ hour, value }) => {
    const same = before.get(hourOfWeek(hour))
    return same === undefined ? [] : [{ hour, value: value * meanOf(same), share: value, days: same.length }]
  })
  return { basis: 'gone', hours: matched, chance: { before: heldIn(baseline), since: [] }, scale: 1 }
}

function lessHeld(baseline: Baseline, after: HoursAfter): SavedByHour {
  const before = byHourOfWeek(heldIn(baseline))
  const matched = heldIn(after).flatMap(({ hour, value }) => {
    const same = before.get(hourOfWeek(hour))
    return same === undefined ? [] : [{ hour, value: meanOf(same) - value, share: 1, days: same.length }]
  })
  return { basis: 'held', hours: matched, chance: { before: heldIn(baseline), since: heldIn(after) }, scale: 1 }
}

/** Slower work is not a saving: what is compared is what one unit took before, times the units that were done now. */
function lessPerUnit(baseline: Baseline, after: HoursAfter): SavedByHour {
  const nothing: SavedByHour = { basis: 'per-unit', hours: [], chance: { before: [], since: [] }, scale: 1 }
  if (baseline.work === undefined || after.work?.unit !== baseline.work.unit) return nothing
  const unitsBefore = new Map(workIn(baseline).map(({ hour, value }) => [hour, value]))
  const unitsNow = new Map(workIn(after).map(({ hour, value }) => [hour, value]))
  const before = heldIn(baseline).filter(({ hour }) => unitsBefore.has(hour))
  const heldThen = byHourOfWeek(before)
  const unitsThen = byHourOfWeek(before.map(({ hour }) => ({ hour, value: unitsBefore.get(hour) ?? 0 })))
  const matched = heldIn(after).flatMap(({ hour, value }) => {
    const [held, units, done] = [heldThen.get(hourOfWeek(hour)), unitsThen.get(hourOfWeek(hour)), unitsNow.get(hour)]
    if (held === undefined || units === undefined || done === undefined) return []
    return [{ hour, held: value, done, heldThen: meanOf(held), doneThen: meanOf(units), share: 1, days: held.length }]
  })
  const doneThen = daySum(matched.map((each) => each.doneThen))
  const tookThen = daySum(matched.map((each) => each.heldThen))
  if (doneThen === 0 || tookThen === 0) return nothing
  const perUnit = tookThen / doneThen
  const unexplained = before.map(({ hour, value }) => ({ hour, value: value - perUnit * (unitsBefore.get(hour) ?? 0) }))
  const scale = daySum(matched.map(({ done }) => done)) / doneThen
  return {
    basis: 'per-unit',
    hours: matched.map((each) => ({ ...each, value: perUnit * each.done - each.held })),
    chance: {
      before: unexplained,
      since: matched.map(({ hour, held, done }) => ({ hour, value: held - perUnit * done })),
    },
    scale,
    work: { unit: baseline.work.unit, source: baseline.work.source, perGpuHour: 1 / perUnit },
  }
}

/**
 * Half the 90 % interval of the sum of some of these hours, in GPU-hours; undefined where too little was measured before.
 *
 * Of days that would have come, each varies by itself, and the mean that foretells all days of one weekday errs in all of
 * them alike. More work varies more; less work is taken to vary as it did.
 */
export function halfWidthOf({ chance, scale }: SavedByHour, hours: readonly SavedHour[]): number | undefined {
  const spread = daySpread(chance.before, chance.since)
  if (spread === undefined || hours.length === 0) return undefined
  const [now, then] = [hours, chance.before].map(({ length }) => withMemory(length / HOURS_PER_DAY, spread.memory))
  const weekdays = [...Map.groupBy(hours, ({ hour }) => savingWeekday(hour)).values()].map((same) => {
    const days = daySum(same.map(({ share }) => share)) / HOURS_PER_DAY
    const foretold = (scale * days) ** 2 / meanOf(same.map((each) => each.days))
    return days * Math.max(1, scale) ** 2 * (now ?? 1) + foretold * (then ?? 1)
  })
  return halfWidth(spread, daySum(weekdays))
}

export const hourOfWeek = (hour: number): number => hour % (7 * HOURS_PER_DAY)

const heldIn = (measured: MeasuredHours): HourValue[] => valuesIn(measured, measured.heldByHour)
const workIn = (measured: MeasuredHours): HourValue[] => valuesIn(measured, measured.work?.byHour ?? [])

function valuesIn({ window }: MeasuredHours, byHour: readonly (number | null)[]): HourValue[] {
  const first = Math.floor(window.from / HOUR_MS)
  return byHour.flatMap((value, index) => (value === null ? [] : [{ hour: first + index, value }]))
}

const byHourOfWeek = (values: readonly HourValue[]): ReadonlyMap<number, readonly number[]> =>
  new Map(
    [...Map.groupBy(values, ({ hour }) => hourOfWeek(hour))].map(([hour, same]) => [
      hour,
      same.map(({ value }) => value),
    ]),
  )
