import { seededChance } from '../../plan/simulate/seeded-chance.ts'
import { HOUR_MS, instant, type Window } from '../../units.ts'
import type { Baseline } from '../action-run.ts'
import type { HourValue } from './day-spread.ts'
import type { HoursAfter } from './saving.ts'

/** A workload whose hours before and after a change are made up, so that what the change saves is known. */
export type Script = {
  readonly seed: number
  readonly weeksBefore: number
  readonly weeksAfter: number
  /** GPU-hours an hour, in the middle of its rhythm. */
  readonly level: number
  /** How far a day swings around the level, 0 to 1. */
  readonly daily: number
  /** What is left of the level on a weekend, 0 to 1. */
  readonly weekend: number
  /** How much days, and hours of a day, differ by chance: standard deviations as parts of the level. */
  readonly dayNoise: number
  readonly hourNoise: number
  /** What a day keeps of the chance of the day before, 0 to 1. */
  readonly memory: number
  /** Days in which little is held, so many in a row on average, as many as of others; `left`: of the level. */
  readonly spells?: { readonly days: number; readonly left: number }
  /** What the change takes: of each GPU-hour, and of each hour. */
  readonly cut: { readonly part: number; readonly gpuHours: number }
  /** Chance that an hour was not measured. */
  readonly unmeasured: number
  /** GPU-hours for a unit of work before, and how much more of it is done after. Left out: work is not counted. */
  readonly work?: { readonly gpuHoursPerUnit: number; readonly growth: number }
}

export type ScriptedTruth = {
  readonly baseline: Baseline
  readonly after: HoursAfter
  /** GPU-hours saved in each hour after the change, also in those not measured: what would have been held, less what was. */
  readonly saved: readonly HourValue[]
}

export const SCRIPT: Script = {
  seed: 1,
  weeksBefore: 1,
  weeksAfter: 1,
  level: 8,
  daily: 0.3,
  weekend: 0.5,
  dayNoise: 0.1,
  hourNoise: 0.05,
  memory: 0,
  cut: { part: 0.25, gpuHours: 0 },
  unmeasured: 0,
}

const WEEK = 168
/** Monday 2026-11-02, midnight UTC. */
export const SCRIPT_BEGINS = instant(1_793_577_600_000)

/** The week that would have come without the change is drawn as those before it were; then the change is made to it. */
export function scriptedTruth(script: Script): ScriptedTruth {
  const chance = seededChance(script.seed)
  const all = drawn(script, chance)
  const before = all.slice(0, script.weeksBefore * WEEK)
  const without = all.slice(before.length)
  const growth = script.work?.growth ?? 1
  const after = without.map((hour) => {
    const held = hour.held * growth
    return { ...hour, held: Math.max(0, held * (1 - script.cut.part) - script.cut.gpuHours), would: held }
  })
  const { work } = script
  const worked = (hours: readonly { readonly units: number; readonly isMeasured: boolean }[], times: number) =>
    work && {
      work: {
        unit: 'requests',
        source: 'scripted',
        byHour: hours.map((each) => (each.isMeasured ? each.units * times : null)),
      },
    }
  return {
    baseline: {
      window: windowOf(0, before.length),
      workload: undefined,
      heldByHour: before.map(({ held, isMeasured }) => (isMeasured ? held : null)),
      usdPerGpuHour: 2,
      priceSource: 'scripted',
      ...worked(before, 1),
    },
    after: {
      window: windowOf(before.length, after.length),
      heldByHour: after.map(({ held, isMeasured }) => (isMeasured ? held : null)),
      ...worked(after, growth),
    },
    saved: after.map(({ would, held }, index) => ({
      hour: SCRIPT_BEGINS / HOUR_MS + before.length + index,
      value: would - held,
    })),
  }
}

const windowOf = (from: number, hours: number): Window => ({
  from: instant(SCRIPT_BEGINS + from * HOUR_MS),
  to: instant(SCRIPT_BEGINS + (from + hours) * HOUR_MS),
})

type Drawn = { readonly held: number; readonly units: number; readonly isMeasured: boolean }

function drawn(script: Script, chance: () => number): Drawn[] {
  const made: Drawn[] = []
  let ofDay = script.dayNoise * normal(chance)
  let isSpell = chance() < 0.5
  for (let hour = 0; hour < (script.weeksBefore + script.weeksAfter) * WEEK; hour += 1) {
    // As far apart as without memory, whatever that is.
    const fresh = script.dayNoise * Math.sqrt(1 - script.memory ** 2)
    if (hour % 24 === 0) ofDay = script.memory * ofDay + fresh * normal(chance)
    if (hour % 24 === 0 && script.spells !== undefined && chance() < 1 / script.spells.days) isSpell = !isSpell
    const expected = expectedAt(script, hour) * (isSpell ? (script.spells?.left ?? 1) : 1)
    const held = Math.max(0, expected + script.level * (ofDay + script.hourNoise * normal(chance)))
    const units = script.work === undefined ? 0 : expected / script.work.gpuHoursPerUnit
    made.push({ held, units, isMeasured: chance() >= script.unmeasured })
  }
  return made
}

/** GPU-hours of an hour by its rhythm. */
function expectedAt({ level, daily, weekend }: Script, hour: number): number {
  const rhythm = 1 + daily * Math.sin((2 * Math.PI * (hour % 24)) / 24)
  return level * rhythm * (Math.floor(hour / 24) % 7 > 4 ? weekend : 1)
}

/** A draw of the standard normal distribution (Box and Muller, 1958). */
const normal = (chance: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())
