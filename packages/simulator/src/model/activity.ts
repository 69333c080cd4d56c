import { HOUR_MS } from '@septet/domain'
import { draw, drawBetween, mix } from './hash.ts'
import type { WorkKind } from './tenants.ts'

/** dcgm-exporter collects every 30 s by default: nothing in the demo changes faster. A tick is one such interval. */
export const TICK_MS = 30_000
const TICKS_PER_HOUR = 120
const TICKS_PER_SLOT = 10
const SLOTS_PER_HOUR = 12

export const tickOf = (at: number): number => Math.floor(at / TICK_MS)

/** How one workload uses what it holds. Ratios 0–1. */
export type Activity = {
  readonly seed: number
  readonly role: WorkKind
  readonly start: number
  /** Busy when it works at its usual best. */
  readonly level: number
  /** Hours after the start at which its owner lost interest; a notebook is held on. */
  readonly attentionHours: number
  /** Share of office hours in which a notebook runs anything. */
  readonly attendance: number
  /** Part of the partition's memory that it fills. */
  readonly memory: number
  /** SM, tensor and memory-bus activity, each as a part of busy. */
  readonly effective: number
  readonly tensor: number
  readonly memoryBus: number
  /** Hours that its users are ahead of UTC. */
  readonly zone: number
}

/** Draws the activity of a workload. `large`: its partition is large enough to be far more than a service needs. */
export function makeActivity(of: { seed: number; role: WorkKind; start: number; large: boolean }): Activity {
  const { seed, role, start } = of
  const traits = TRAITS[role]
  const weak = draw(seed, 1) < traits.weakShare
  const oversized = of.large && role === 'inference' && draw(seed, 2) < 0.55
  const level = oversized ? drawBetween(seed, 3, [0.06, 0.1]) : drawBetween(seed, 3, weak ? traits.weak : traits.level)
  return {
    seed,
    role,
    start,
    level,
    attentionHours: draw(seed, 4) < 0.55 ? drawBetween(seed, 5, [4, 22]) : Infinity,
    attendance: drawBetween(seed, 6, [0.15, 0.55]),
    memory: oversized ? drawBetween(seed, 7, [0.07, 0.11]) : drawBetween(seed, 7, traits.memory),
    effective: drawBetween(seed, 8, traits.effective),
    tensor: drawBetween(seed, 9, traits.tensor),
    memoryBus: drawBetween(seed, 10, [0.25, 0.6]),
    zone: [0, 1, -5, 8][mix(seed, 11) % 4] ?? 0,
  }
}

type Range = readonly [number, number]
type Traits = {
  readonly level: Range
  readonly weak: Range
  readonly weakShare: number
  readonly memory: Range
  readonly effective: Range
  readonly tensor: Range
  /** How far the five-minute means and the 30-second values swing, as a part of the room there is. */
  readonly swing: number
  readonly jitter: number
}
const TRAITS: Readonly<Record<WorkKind, Traits>> = {
  training: {
    level: [0.6, 0.93],
    weak: [0.2, 0.38],
    weakShare: 0.16,
    memory: [0.55, 0.95],
    effective: [0.6, 0.9],
    tensor: [0.25, 0.6],
    swing: 0.35,
    jitter: 0.3,
  },
  inference: {
    level: [0.35, 0.9],
    weak: [0.1, 0.25],
    weakShare: 0.25,
    memory: [0.35, 0.92],
    effective: [0.4, 0.75],
    tensor: [0.1, 0.4],
    swing: 0.45,
    jitter: 0.4,
  },
  notebook: {
    level: [0.25, 0.7],
    weak: [0.05, 0.2],
    weakShare: 0.4,
    memory: [0.05, 0.4],
    effective: [0.3, 0.7],
    tensor: [0.02, 0.2],
    swing: 0.9,
    jitter: 0.4,
  },
  analytics: {
    level: [0.5, 0.9],
    weak: [0.2, 0.4],
    weakShare: 0.25,
    memory: [0.3, 0.8],
    effective: [0.5, 0.8],
    tensor: [0.0, 0.15],
    swing: 0.5,
    jitter: 0.3,
  },
}

/** Mean busy over one hour (hours counted since 1970). */
const hourLevel = (activity: Activity, hour: number): number =>
  HOURLY[activity.role](activity, { hour, noise: draw(activity.seed, hour) })

const HOURLY = {
  // Now and then an hour goes to a checkpoint, a restart or a starving data loader.
  training: ({ level }, { noise }) => level * (noise < 0.05 ? 0.3 : 0.94 + 0.12 * noise),
  inference: (activity, { hour, noise }) =>
    Math.min(0.98, activity.level * demand(activity, hour) * (0.88 + 0.24 * noise)),
  notebook: (activity, { hour, noise }) =>
    attended(activity, hour) && noise < activity.attendance
      ? activity.level * (0.4 + 0.6 * draw(activity.seed, ~hour))
      : 0,
  analytics: ({ level }, { noise }) => level * (0.85 + 0.15 * noise),
} satisfies Record<WorkKind, (activity: Activity, at: { hour: number; noise: number }) => number>

const localHour = (activity: Activity, hour: number): number => (((hour + activity.zone) % 24) + 24) % 24
// 1970-01-01 was a Thursday: day 0 → 4.
const weekday = (activity: Activity, hour: number): number => (Math.floor((hour + activity.zone) / 24) + 4) % 7
const isWeekend = (activity: Activity, hour: number): boolean => weekday(activity, hour) % 6 === 0

/** Demand of users: lowest before dawn, highest in the afternoon, two thirds of it at weekends. */
function demand(activity: Activity, hour: number): number {
  return (DAY[localHour(activity, hour)] ?? 0) * (isWeekend(activity, hour) ? 0.66 : 1)
}
const DAY = Array.from({ length: 24 }, (_, hour) => 0.62 + 0.38 * Math.cos(((hour - 15) / 24) * 2 * Math.PI))

function attended(activity: Activity, hour: number): boolean {
  const local = localHour(activity, hour)
  const within = hour * HOUR_MS < activity.start + activity.attentionHours * HOUR_MS
  return within && local >= 8 && local < 19 && !isWeekend(activity, hour)
}

// Deviations that add up to nothing, so that the mean of an hour's 120 values is exactly the hour's level: history can be
// told from hours alone and still agrees with every scrape.
const SLOT_PATTERNS = patterns(SLOTS_PER_HOUR, 12_345)
const TICK_PATTERNS = patterns(TICKS_PER_SLOT, 54_321)

type Pattern = { readonly values: Float64Array; readonly peak: number }
function patterns(length: number, seed: number): readonly Pattern[] {
  return Array.from({ length: 64 }, (_, which) => {
    const raw = Array.from({ length }, (_unused, index) => draw(mix(seed, which), index) - 0.5)
    const mean = raw.reduce((sum, value) => sum + value, 0) / length
    const top = Math.max(...raw.map((value) => Math.abs(value - mean)))
    const values = Float64Array.from(raw, (value) => (value - mean) / top)
    return { values, peak: Math.max(...values) }
  })
}
const patternOf = (list: readonly Pattern[], seed: number): Pattern => {
  const pattern = list[seed & 63]
  if (pattern === undefined) throw new Error('64 patterns are made')
  return pattern
}
const room = (value: number): number => Math.min(value, 1 - value)

/** A slot is five minutes. */
function slotLevel(activity: Activity, slot: number): number {
  const hour = Math.floor(slot / SLOTS_PER_HOUR)
  const level = hourLevel(activity, hour)
  const inside = hourPattern(activity, hour).values[slot - hour * SLOTS_PER_HOUR] ?? 0
  return level + TRAITS[activity.role].swing * room(level) * inside
}

const hourPattern = (activity: Activity, hour: number): Pattern =>
  patternOf(SLOT_PATTERNS, mix(activity.seed, hour ^ 0x5bd1))
const slotPattern = (activity: Activity, slot: number): Pattern =>
  patternOf(TICK_PATTERNS, mix(activity.seed, slot ^ 0x2f0b))

/** Busy over one tick. */
export function busyAt(activity: Activity, tick: number): number {
  const slot = Math.floor(tick / TICKS_PER_SLOT)
  const level = slotLevel(activity, slot)
  if (level === 0) return 0
  const value = slotPattern(activity, slot).values[tick - slot * TICKS_PER_SLOT] ?? 0
  return level + TRAITS[activity.role].jitter * room(level) * value
}

/** The busiest tick of a slot whose mean is known. */
const slotPeak = (activity: Activity, slot: number, level: number): number =>
  level + TRAITS[activity.role].jitter * room(level) * slotPattern(activity, slot).peak

/** Part of the partition's memory in use during an hour. */
const memoryAt = (activity: Activity, hour: number): number =>
  activity.memory * (0.985 + 0.03 * draw(activity.seed ^ 0x6d65, hour))

/** Sums over ticks, so that means and peaks of stretches can be put together. */
export type Sums = { ticks: number; busy: number; memory: number; busyPeak: number; memoryPeak: number }
export const noSums = (): Sums => ({ ticks: 0, busy: 0, memory: 0, busyPeak: 0, memoryPeak: 0 })

/** What to add: peaks cost more than means, and memory alone costs next to nothing. */
export type TickRange = {
  readonly from: number
  readonly to: number
  readonly peaks: boolean
  readonly memoryOnly?: boolean
}

/** Adds the ticks `from` ≤ tick < `to` of an activity: whole hours and slots in closed form. */
export function addTicks(sums: Sums, activity: Activity, range: TickRange): void {
  let tick = range.from
  while (tick < range.to) {
    const hour = Math.floor(tick / TICKS_PER_HOUR)
    const end = Math.min(range.to, (hour + 1) * TICKS_PER_HOUR)
    const memory = memoryAt(activity, hour)
    sums.ticks += end - tick
    sums.memory += memory * (end - tick)
    sums.memoryPeak = Math.max(sums.memoryPeak, memory)
    if (range.memoryOnly === true) {
      // Nothing else was asked for.
    } else if (end - tick === TICKS_PER_HOUR) addHour(sums, activity, { hour, peaks: range.peaks })
    else addSlots(sums, activity, { from: tick, to: end })
    tick = end
  }
}

function addHour(sums: Sums, activity: Activity, at: { hour: number; peaks: boolean }): void {
  const level = hourLevel(activity, at.hour)
  sums.busy += level * TICKS_PER_HOUR
  if (!at.peaks || level === 0) return
  const first = at.hour * SLOTS_PER_HOUR
  const swing = TRAITS[activity.role].swing * room(level)
  const { values } = hourPattern(activity, at.hour)
  for (let index = 0; index < SLOTS_PER_HOUR; index++) {
    const peak = slotPeak(activity, first + index, level + swing * (values[index] ?? 0))
    if (peak > sums.busyPeak) sums.busyPeak = peak
  }
}

function addSlots(sums: Sums, activity: Activity, range: { from: number; to: number }): void {
  let tick = range.from
  while (tick < range.to) {
    const slot = Math.floor(tick / TICKS_PER_SLOT)
    const end = Math.min(range.to, (slot + 1) * TICKS_PER_SLOT)
    if (end - tick === TICKS_PER_SLOT) {
      const level = slotLevel(activity, slot)
      sums.busy += level * TICKS_PER_SLOT
      sums.busyPeak = Math.max(sums.busyPeak, slotPeak(activity, slot, level))
    } else {
      for (let each = tick; each < end; each++) {
        const busy = busyAt(activity, each)
        sums.busy += busy
        sums.busyPeak = Math.max(sums.busyPeak, busy)
      }
    }
    tick = end
  }
}
