import { TICK_MS, type Activity } from './activity.ts'
import {
  makeSlots,
  unitsOfGpu,
  unitsOfNode,
  type Cut,
  type Slot,
  type Holder,
  type SlotHolding,
  type Unit,
} from './slots.ts'
import { makeFleet, type GpuSpec, type NodeSpec, type Scale } from './fleet.ts'
import { laneCount, pinnedIn, queuedIn, type QueuedWork } from './queue.ts'
import { stageSlots } from './stage-slots.ts'
import { tenantNames } from './tenants.ts'
import {
  containerNameOf,
  epochsOf,
  LONGEST_AHEAD_MS,
  occupanciesOf,
  podNameOf,
  podSeedOf,
  type Occupancy,
} from './timeline.ts'

export type WorldSpan = { readonly from: number; readonly to: number }

/** A stretch in which one holder had a unit. */
type Segment = WorldSpan & { readonly holder: Holder; readonly activity: Activity }

/**
 * A cluster as a function of time, drawn from a seed, and what people did to it on top: evictions, placements beside the
 * ordinary course, new layouts. All times are milliseconds since 1970.
 */
export type World = {
  readonly seed: number
  readonly scale: Scale
  readonly tenants: readonly string[]
  readonly nodes: readonly NodeSpec[]
  readonly slots: readonly Slot[]
  node(name: string): NodeSpec | undefined
  /** Every unit the node ever had. */
  unitsOf(node: string): readonly Unit[]
  /** Work of a slot that touches the window, in order. */
  occupancies(slot: Slot, window: WorldSpan): readonly Occupancy[]
  queued(window: WorldSpan): readonly QueuedWork[]
  /** Who held a unit when, inside the window, in order. */
  segments(unit: Unit, window: WorldSpan): readonly Segment[]
  holderAt(unit: Unit, at: number): Segment | undefined
  /** A pod of the ordinary course ends early; before its start: it never sat down. */
  endEarly(podSeed: number, at: number): void
  /** Nobody comes to a slot any more who would start after an instant. */
  closeSlot(slot: Slot, after: number): void
  /** A node is taken away, with all its units. */
  retire(node: string, at: number): void
  /** When a node was taken away; Infinity while it is there. */
  retiredAt(node: string): number
  /** Somebody takes units beside the ordinary course. Ends when `to` of the holdings is set. */
  placeAt(units: readonly Unit[], what: { holder: Holder; activity: Activity; from: number }): readonly SlotHolding[]
  /** Gives a GPU another layout; undefined takes it out of MIG mode, shared or not. Nobody may hold it. */
  relayout(gpu: GpuSpec, node: NodeSpec, change: Cut & { at: number }): void
}

// Epochs of occupancies kept at hand; beyond that they are drawn again when asked for.
const CACHED_EPOCHS = 120_000

export function createWorld(of: { seed: number; scale: Scale }): World {
  const nodes = makeFleet(of.seed, of.scale)
  const tenants = tenantNames(of.scale === 'small' ? 20 : 100)
  const units = new Map(nodes.map((node) => [node.name, unitsOfNode(node)]))
  const slots = stageSlots(of.seed, makeSlots(of.seed, units), units)
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const lanes = laneCount(nodes.length)
  const endings = new Map<number, number>()
  const closings = new Map<Slot, number>()
  const retirements = new Map<string, number>()
  const drawn = cachedTimeline(tenants.length)
  const timeline: Timeline = (slot, window) => {
    const last = closings.get(slot)
    const found = drawn(slot, window)
    return last === undefined ? found : found.filter(({ start }) => start <= last)
  }
  const segments = (unit: Unit, window: WorldSpan): readonly Segment[] => {
    const found = [...seated(unit, { window, timeline, endings }), ...placed(unit, window)]
    return unit.placed.length === 0 ? found : joined(found.toSorted((a, b) => a.from - b.from))
  }
  return {
    ...of,
    tenants,
    nodes,
    slots,
    node: (name) => byName.get(name),
    unitsOf: (node) => units.get(node) ?? [],
    occupancies: timeline,
    queued: (window) => [
      ...Array.from({ length: lanes }, (_, index) =>
        queuedIn({ seed: of.seed, index, tenants: tenants.length }, window),
      ).flat(),
      ...(of.scale === 'small' ? pinnedIn(of.seed, window) : []),
    ],
    segments,
    holderAt: (unit, at) => segments(unit, { from: at, to: at + 1 })[0],
    endEarly: (podSeed, at) => void endings.set(podSeed, at),
    closeSlot: (slot, after) => void closings.set(slot, after),
    retire: (name, at) => {
      retirements.set(name, at)
      for (const unit of units.get(name) ?? []) unit.to = Math.min(unit.to, at)
    },
    retiredAt: (name) => retirements.get(name) ?? Infinity,
    placeAt: (taken, { holder, activity, from }) =>
      taken.map((unit) => {
        const holding = { from, to: Infinity, holder, activity }
        unit.placed.push(holding)
        return holding
      }),
    relayout: (gpu, node, { at, ...cut }) => {
      const all = units.get(node.name)
      if (all === undefined) return
      for (const unit of all) if (unit.gpu === gpu && unit.to > at) unit.to = at
      all.push(...unitsOfGpu(node, gpu, { ...cut, from: at }))
    },
  }
}

type Timeline = (slot: Slot, window: WorldSpan) => readonly Occupancy[]

function cachedTimeline(tenants: number): Timeline {
  const cache = new Map<number, readonly Occupancy[]>()
  const epochAt = (slot: Slot, epoch: number): readonly Occupancy[] => {
    const key = slot.id * 100_000 + epoch
    const known = cache.get(key)
    if (known !== undefined) return known
    const made = occupanciesOf(slot, epoch, tenants)
    if (cache.size >= CACHED_EPOCHS) cache.clear()
    cache.set(key, made)
    return made
  }
  return (slot, window) => {
    // Pods appear before they run, so the next epoch may already show.
    const [first, last] = epochsOf(slot, { from: window.from, to: window.to + LONGEST_AHEAD_MS })
    const found: Occupancy[] = []
    for (let epoch = first; epoch <= last; epoch++)
      for (const one of epochAt(slot, epoch)) if (one.end > window.from && one.createdAt < window.to) found.push(one)
    return found
  }
}

function seated(
  unit: Unit,
  by: { window: WorldSpan; timeline: Timeline; endings: ReadonlyMap<number, number> },
): readonly Segment[] {
  const { seat } = unit
  if (seat === undefined) return []
  const found: Segment[] = []
  for (const one of by.timeline(seat.slot, by.window)) {
    const ending = by.endings.size === 0 ? undefined : by.endings.get(podSeedOf(one, seat.index))
    const from = Math.max(one.start, by.window.from)
    const to = Math.min(ending ?? one.end, unit.to, by.window.to)
    if (from < to) found.push({ from, to, holder: holderOf(one, seat.index), activity: one.activity })
  }
  return found
}

/** Anyone who goes on in the same place, beside the ordinary course, has had it in one stretch. */
function joined(segments: readonly Segment[]): readonly Segment[] {
  const found: Segment[] = []
  for (const next of segments) {
    const last = found.at(-1)
    const goesOn = last?.to === next.from && last.activity === next.activity && last.holder.pod === next.holder.pod
    if (goesOn) found[found.length - 1] = { ...last, to: next.to }
    else found.push(next)
  }
  return found
}

const holderOf = (occupancy: Occupancy, index: number): Holder => ({
  namespace: occupancy.namespace,
  pod: podNameOf(occupancy, index),
  container: containerNameOf(occupancy),
})

const placed = (unit: Unit, window: WorldSpan): readonly Segment[] =>
  unit.placed
    .map((holding) => ({
      ...holding,
      from: Math.max(holding.from, window.from),
      to: Math.min(holding.to, window.to, unit.to),
    }))
    .filter(({ from, to }) => from < to)

/**
 * The ticks whose samples a stretch owns. dcgm-exporter shows at time t what it collected over the interval before: the
 * sample at tick k tells of tick k − 1. So a window (from, to] of samples is the ticks from ≤ tick < to.
 */
export const sampleTicks = (span: WorldSpan): { from: number; to: number } => ({
  from: Math.ceil(span.from / TICK_MS) - 1,
  to: Math.ceil(span.to / TICK_MS) - 1,
})
