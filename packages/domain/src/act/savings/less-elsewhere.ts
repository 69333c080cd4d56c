import { dateOfDay, dateText } from '../../analyze/civil-date.ts'
import type { WorkloadId } from '../../cluster/workload.ts'
import { DAY_MS, HOUR_MS, type Window } from '../../units.ts'
import { capitalized, cents, grouped, plural } from '../../words.ts'
import { daySum, meanOf, type HourValue } from './day-spread.ts'
import { NEARLY_ALL } from './judge-saving.ts'
import { hourOfWeek, type SavedByHour } from './saved-by-hour.ts'
import type { HeldElsewhere, SavingQuestion } from './saving.ts'
import { WORK_SIGNS, type WorkSign } from './same-work.ts'

/** GPU-hours that reappeared under one other name, and that are therefore not saved. */
export type Reappearance = {
  readonly workload: WorkloadId
  readonly sign: WorkSign
  /** Whether it ran before the change, too: then only what it holds beyond that is not saved. */
  readonly ranBefore: boolean
  /** The first hour, counted from the epoch. */
  readonly since: number
  readonly byHour: readonly HourValue[]
}

/** What of successors earlier runs were already charged with, so that no GPU-hour is taken from two. */
export type Charged = Map<WorkloadId, Map<number, number>>

export type LessElsewhere = {
  readonly saved: SavedByHour
  readonly reappears: readonly Reappearance[]
  /** Nothing that is worth telling is left. */
  readonly isMoved: boolean
}

type Context = {
  readonly question: Pick<SavingQuestion, 'baseline' | 'after'>
  readonly charged: Charged
  /** Workloads that other runs changed: what these gave up is not made up for by others. */
  readonly changed: ReadonlySet<WorkloadId>
}

/**
 * What was saved, without what the same work holds elsewhere since: under another name, in another namespace, or where the change
 * itself has moved it. Taken from sums and not hour by hour, where chance alone would leave something over; from the first hour
 * on in which it was there. Other work that holds less than before adds nothing.
 */
export function lessElsewhere(saved: SavedByHour, { question, charged, changed }: Context): LessElsewhere {
  const found = (question.after?.elsewhere ?? [])
    .map((each) => extraOf(each, { question, saved, charged: charged.get(each.workload) }))
    .filter(({ sum, of }) => sum > 0 || !changed.has(of.workload))
  const [taken, more] = [daySum(found.map(({ sum }) => sum)), found.filter(({ sum }) => sum > 0)]
  const since = more.reduce((first, { of: { since: each } }) => Math.min(first, each), Infinity)
  const inside = daySum(saved.hours.flatMap(({ hour, value }) => (hour >= since ? value : [])))
  if (taken <= 0 || inside <= 0) return { saved, reappears: [], isMoved: false }
  const part = Math.min(1, taken / inside)
  const all = daySum(saved.hours.map(({ value }) => value))
  const isMoved = all - part * inside <= all * (1 - NEARLY_ALL)
  const left = ({ hour }: HourValue): number => (isMoved ? 0 : hour >= since ? 1 - part : 1)
  const notSaved = (isMoved ? all : part * inside) / daySum(more.map(({ sum }) => sum))
  const reappears = more.map(({ of, hours }) => ({
    ...of,
    byHour: hours.map(({ hour, value }) => ({ hour, value: value * notSaved })),
  }))
  reappears.forEach((each) => charge(charged, each))
  return {
    isMoved,
    reappears,
    saved: {
      ...saved,
      hours: saved.hours.map((each) => ({ ...each, value: each.value * left(each) })),
      chance: {
        before: added(
          saved.chance.before,
          found.map(({ before }) => before),
        ),
        since: added(
          saved.chance.since,
          found.map(({ now }) => now),
        ),
      },
    },
  }
}

type Asked = Pick<Context, 'question'> & {
  readonly saved: SavedByHour
  readonly charged: ReadonlyMap<number, number> | undefined
}

/** What a workload holds beyond what it held in the same hours of the week before; where work is counted, beyond what that took. */
function extraOf(each: HeldElsewhere, { question: { baseline, after }, saved, charged }: Asked) {
  const before = hoursOf(baseline?.window, each.heldBefore)
  const now = lessDone(each, after?.window, saved.work === undefined ? 0 : 1 / saved.work.perGpuHour)
  const usualIn = usualOf(before)
  const byHour = new Map(now.map(({ hour, value }) => [hour, value]))
  const hours = saved.hours.flatMap(({ hour }) => {
    const held = byHour.get(hour)
    return held === undefined ? [] : [{ hour, value: held - usualIn(hour) - (charged?.get(hour) ?? 0) }]
  })
  const ranBefore = before.some(({ value }) => value > 0)
  const since = (ranBefore ? hours : now.filter(({ value }) => value !== 0))[0]?.hour ?? Infinity
  const { workload, sign } = each
  return { of: { workload, sign, ranBefore, since }, before, now, hours, sum: daySum(hours.map(({ value }) => value)) }
}

/** What it holds, less what the run's own work would have taken for the same. */
function lessDone(each: HeldElsewhere, window: Window | undefined, perUnit: number): readonly HourValue[] {
  const done = new Map(hoursOf(window, each.doneByHour).map(({ hour, value }) => [hour, value]))
  return hoursOf(window, each.heldByHour).map(({ hour, value }) => ({
    hour,
    value: value - perUnit * (done.get(hour) ?? 0),
  }))
}

/** What was held in the same hour of the week; where that was not seen, what was on average. */
function usualOf(before: readonly HourValue[]): (hour: number) => number {
  const groups = Map.groupBy(before, ({ hour }) => hourOfWeek(hour))
  const mean = before.length === 0 ? 0 : meanOf(before.map(({ value }) => value))
  return (hour) => {
    const same = groups.get(hourOfWeek(hour))
    return same === undefined ? mean : meanOf(same.map(({ value }) => value))
  }
}

function charge(charged: Charged, { workload, byHour }: Reappearance): void {
  const own = charged.get(workload) ?? new Map<number, number>()
  for (const { hour, value } of byHour) own.set(hour, (own.get(hour) ?? 0) + value)
  charged.set(workload, own)
}

/** The same hours with what others held in them. */
function added(own: readonly HourValue[], others: readonly (readonly HourValue[])[]): readonly HourValue[] {
  const sums = new Map<number, number>()
  for (const { hour, value } of others.flat()) sums.set(hour, (sums.get(hour) ?? 0) + value)
  return own.map(({ hour, value }) => ({ hour, value: value + (sums.get(hour) ?? 0) }))
}

function hoursOf(window: Window | undefined, byHour: readonly (number | null)[] = []): readonly HourValue[] {
  const first = Math.floor((window?.from ?? 0) / HOUR_MS)
  return byHour.flatMap((value, order) => (value === null ? [] : [{ hour: first + order, value }]))
}

/** So many are named, the largest first. */
const MOST_NAMED = 2

/** What is not saved and why, in sentences; `price` in dollars for a GPU-hour. */
export function elsewhereSays(reappears: readonly Reappearance[], price: number | undefined): readonly string[] {
  const sized = reappears
    .map((each) => ({ ...each, gpuHours: daySum(each.byHour.map(({ value }) => value)) }))
    .toSorted((a, b) => b.gpuHours - a.gpuHours)
  const others = sized.slice(MOST_NAMED)
  const rest = daySum(others.map(({ gpuHours }) => gpuHours))
  return [
    ...sized.slice(0, MOST_NAMED).map((each) => sentenceOf(each, amountText(each.gpuHours, price))),
    ...(others.length === 0
      ? []
      : [
          `${plural(others.length, 'more workload')} of the same kind hold ${amountText(rest, price)} that is not saved.`,
        ]),
  ]
}

function sentenceOf({ workload, sign, ranBefore, since }: Reappearance, amount: string): string {
  const [namespace = '', , ...name] = workload.split('/')
  const day = dateText(dateOfDay(Math.floor((since * HOUR_MS) / DAY_MS)))
  const where = `${name.join('/')} in ${namespace}`
  return ranBefore
    ? `${capitalized(WORK_SIGNS[sign])} runs as ${where} and holds more than before; the additional ${amount} is not saved.`
    : `${capitalized(WORK_SIGNS[sign])} runs as ${where} since ${day}; its ${amount} is not saved.`
}

const amountText = (gpuHours: number, price: number | undefined): string =>
  price === undefined ? `${grouped(gpuHours, 1)} GPU-h` : cents(gpuHours * price)
