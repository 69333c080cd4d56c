import { DAY_MS, HOUR_MS, MINUTE_MS } from '@septet/domain'
import { TICK_MS, makeActivity, type Activity } from './activity.ts'
import type { Slot } from './slots.ts'
import type { Cast } from './stage.ts'
import { draw, drawBetween, mix, suffix } from './hash.ts'
import { containerOf, tenantFor, workName, type WorkKind } from './tenants.ts'

/** One workload in one slot, from its first pod running to its last pod ended. Milliseconds since 1970. */
export type Occupancy = {
  readonly slot: Slot
  readonly seed: number
  readonly start: number
  readonly end: number
  /** When its pods appear in the API: they wait for images and for the seat. */
  readonly createdAt: number
  readonly namespace: string
  readonly owners: Owners
  readonly activity: Activity
  /** Its pods end in error. */
  readonly fails: boolean
}

/** The chain above the pods, topmost first; the last one is the pods' controller. */
type Owners = readonly Owner[]
export type Owner = {
  readonly kind: 'Deployment' | 'ReplicaSet' | 'StatefulSet' | 'CronJob' | 'Job' | 'Notebook'
  readonly name: string
}

/** The work of a slot's epoch; epochs follow one another without end, each drawn alone. */
export function occupanciesOf(slot: Slot, epoch: number, tenants: number): readonly Occupancy[] {
  const rhythm = rhythmOf(slot)
  const from = epoch * rhythm.epoch + phaseOf(slot)
  const until = from + rhythm.epoch
  const seed = mix(slot.seed, epoch)
  const found: Occupancy[] = []
  let at = slot.scarce ? from : from + toTick(between(seed, 0, rhythm.gap))
  for (let ordinal = 0; ordinal < 60 && until - at > rhythm.shortest; ordinal++) {
    const own = mix(seed, 1000 + ordinal)
    const rest = until - at
    const wanted = toTick(between(own, 1, rhythm.length))
    const last = wanted + rhythm.shortest > rest
    const end = at + (last ? rest - (slot.scarce ? 0 : TICK_MS * 4) : wanted)
    const skipped = !slot.scarce && draw(own, 2) < rhythm.vacancy
    if (!skipped) found.push(makeOccupancy(slot, { seed: own, start: at, end, tenants }))
    at = end + (slot.scarce ? 0 : toTick(between(own, 3, rhythm.gap)))
  }
  return found
}

/** Milliseconds in which a slot's work is drawn as one. */
export const epochLengthOf = (slot: Slot): number => rhythmOf(slot).epoch

/** The epochs of a slot that a window touches. */
export function epochsOf(slot: Slot, window: { from: number; to: number }): readonly [first: number, last: number] {
  const { epoch } = rhythmOf(slot)
  const phase = phaseOf(slot)
  return [Math.floor((window.from - phase) / epoch), Math.floor((window.to - phase) / epoch)]
}

/** A pod's name and the number that stands for it: the same in every run. */
export const podSeedOf = (occupancy: Occupancy, index: number): number => mix(occupancy.seed, 7000 + index)

export function podNameOf(occupancy: Occupancy, index: number): string {
  const controller = occupancy.owners.at(-1)
  const name = controller?.name ?? occupancy.slot.cast?.name ?? 'pod'
  if (controller?.kind === 'StatefulSet') return `${name}-${index}`
  const tail = suffix(podSeedOf(occupancy, index), 5)
  return occupancy.slot.role === 'training' ? `${name}-${index}-${tail}` : `${name}-${tail}`
}

export const containerNameOf = (occupancy: Occupancy): string => containerOf(occupancy.slot.role)

type Rhythm = {
  readonly epoch: number
  readonly length: readonly [number, number]
  readonly gap: readonly [number, number]
  readonly shortest: number
  /** How often nobody comes. */
  readonly vacancy: number
}
const RHYTHM: Readonly<Record<WorkKind, Rhythm>> = {
  training: {
    epoch: 7 * DAY_MS,
    length: [2 * HOUR_MS, 60 * HOUR_MS],
    gap: [4 * MINUTE_MS, 90 * MINUTE_MS],
    shortest: HOUR_MS,
    vacancy: 0.05,
  },
  inference: {
    epoch: 28 * DAY_MS,
    length: [20 * DAY_MS, 28 * DAY_MS],
    gap: [3 * MINUTE_MS, 30 * MINUTE_MS],
    shortest: DAY_MS,
    vacancy: 0.04,
  },
  notebook: {
    epoch: 14 * DAY_MS,
    length: [DAY_MS, 11 * DAY_MS],
    gap: [2 * HOUR_MS, 20 * HOUR_MS],
    shortest: 12 * HOUR_MS,
    vacancy: 0.08,
  },
  analytics: {
    epoch: DAY_MS,
    length: [80 * MINUTE_MS, 9 * HOUR_MS],
    gap: [6 * MINUTE_MS, HOUR_MS],
    shortest: 30 * MINUTE_MS,
    vacancy: 0.08,
  },
}

const TURNS: Rhythm = {
  epoch: DAY_MS / 4,
  length: [7 * MINUTE_MS, 16 * MINUTE_MS],
  gap: [0, 0],
  shortest: 7 * MINUTE_MS,
  vacancy: 0,
}
/** How long before it runs work is submitted, seconds: it pulls an image, or waits its turn. */
const SUBMITTED_BEFORE = { alone: [12, 75], inTurn: [60, 400] } as const
/** The longest that work is in the API before it runs, milliseconds. */
export const LONGEST_AHEAD_MS = SUBMITTED_BEFORE.inTurn[1] * 1000

const toTick = (duration: number): number => Math.round(duration / TICK_MS) * TICK_MS
// Short ones are common, long ones rare: even on a logarithmic scale.
const between = (seed: number, what: number, [low, high]: readonly [number, number]): number =>
  low * (high / low) ** draw(seed, what)
const phaseOf = (slot: Slot): number => toTick(draw(slot.seed, 77) * rhythmOf(slot).epoch)
// Anyone who is cast stays for weeks, whatever the work, unless they take turns.
const rhythmOf = ({ role, cast }: Slot): Rhythm =>
  cast?.takesTurns === true ? TURNS : RHYTHM[cast === undefined ? role : 'inference']

function makeOccupancy(slot: Slot, of: { seed: number; start: number; end: number; tenants: number }): Occupancy {
  const { role, cast } = slot
  const stable = role === 'training' ? of.seed : slot.seed
  const large = slot.seats.some(
    ({ units: [unit] }) => unit !== undefined && unit.share > 0.4 && unit.memoryMib > 39_000,
  )
  return {
    slot,
    seed: of.seed,
    start: of.start,
    end: of.end,
    createdAt: of.start - submittedBefore(slot, of.seed),
    namespace: cast?.namespace ?? tenantFor(stable, of.tenants),
    owners: cast?.bare === true ? [] : ownersOf(slot, { stable, seed: of.seed, start: of.start }),
    activity: { ...makeActivity({ seed: mix(of.seed, 9), role, start: of.start, large }), ...cast?.activity },
    fails: cast === undefined && role === 'training' && draw(of.seed, 10) < 0.12,
  }
}

function submittedBefore({ cast }: Slot, seed: number): number {
  // The next of the cast has the name of the one before, so it comes when that one has gone; Jobs have names of their own.
  if (cast !== undefined && cast.takesTurns !== true) return 0
  return Math.round(drawBetween(seed, 8, SUBMITTED_BEFORE[cast === undefined ? 'alone' : 'inTurn'])) * 1000
}

const ownersOf = ({ role, cast }: Slot, of: { stable: number; seed: number; start: number }): Owners =>
  OWNERS[role](cast?.name ?? `${workName(role, of.stable)}-${suffix(of.stable, 4)}`, { ...of, cast })

const OWNERS = {
  training: (name) => [{ kind: 'Job', name }],
  inference: (name, { seed }) => [
    { kind: 'Deployment', name },
    { kind: 'ReplicaSet', name: `${name}-${suffix(seed, 9)}` },
  ],
  // Some teams start theirs from Kubeflow, which keeps a StatefulSet for each.
  notebook: (name, { stable, cast }) => [
    ...(cast === undefined && draw(stable, 21) < 0.25 ? [{ kind: 'Notebook', name } as const] : []),
    { kind: 'StatefulSet', name },
  ],
  // The CronJob controller names its Jobs by the scheduled minute.
  analytics: (name, { start }) => [
    { kind: 'CronJob', name },
    { kind: 'Job', name: `${name}-${Math.floor(start / MINUTE_MS)}` },
  ],
} satisfies Record<WorkKind, (name: string, of: Naming) => Owners>

type Naming = {
  readonly seed: number
  readonly stable: number
  readonly start: number
  readonly cast: Cast | undefined
}
