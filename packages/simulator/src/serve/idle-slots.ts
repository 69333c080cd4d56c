import { METRICS, type Metric } from '../model/metrics.ts'
import { readOver, samplesIn, type Piece, type ModelRow } from '../model/readings.ts'
import type { World } from '../model/world.ts'

const SLOT_MS = 5 * 60_000

/** The nested questions that the demo answers of PromQL: in how many slots of five minutes there is any sample, … */
export type SlotQuestion = {
  readonly milliseconds: number
  /** What tells that a mean of 0 is not to be believed: another metric, from a mean on. */
  readonly against?: { readonly name: string; readonly least: number } | undefined
} & (
  | { readonly kind: 'slots' }
  /** … in how many of these the metric is stuck at 0, … */
  | { readonly kind: 'stuck' }
  /** … and how many lie in a stretch of so many slots with a mean of at most `threshold`. */
  | { readonly kind: 'idle'; readonly threshold: number; readonly stretch: number }
)

/** How far a stretch may reach beyond the range that is asked for, milliseconds. */
export const reachOf = (question: SlotQuestion): number => (question.kind === 'idle' ? question.stretch * SLOT_MS : 0)

type Place = { readonly world: World; readonly row: ModelRow; readonly metric: Metric; readonly piece: Piece }

/** Counts the slots that end after one instant and not after another. A piece of a holder's has samples throughout. */
export function slotCounter(question: SlotQuestion, place: Place): (after: number, until: number) => number {
  const first = slotOf(place.piece.from)
  const counts = countedIn(question, first, place)
  const sums = [0]
  for (const [order, does] of counts.entries()) sums.push((sums[order] ?? 0) + (does ? 1 : 0))
  const countedUntil = (at: number): number =>
    sums[Math.min(counts.length, Math.max(0, Math.floor(at / SLOT_MS) - first + 1))] ?? 0
  return (after, until) => countedUntil(until) - countedUntil(after)
}

/** The number of the slot that holds an instant; a slot is known by its end, which belongs to it. */
const slotOf = (at: number): number => Math.ceil(at / SLOT_MS)

function countedIn(question: SlotQuestion, first: number, place: Place): readonly boolean[] {
  const { kind } = question
  if (kind === 'slots') return seenIn(first, place)
  // Nowhere else does a counter contradict another.
  const against = place.row.node.defect === 'stuck-counter' ? question.against : undefined
  if (kind === 'stuck' && against === undefined) return []
  const means = meansOf(first, place)
  const stuck = against === undefined ? [] : stuckIn(first, means, { place, against })
  if (kind === 'stuck') return stuck
  return inStretches(
    means.map((mean, order) => (stuck[order] === true ? undefined : mean)),
    question,
  )
}

type Against = { readonly place: Place; readonly against: NonNullable<SlotQuestion['against']> }

function stuckIn(first: number, means: readonly (number | undefined)[], { place, against }: Against): boolean[] {
  const metric = METRICS.find(({ name }) => name === against.name)
  if (metric === undefined || !means.includes(0)) return []
  const others = meansOf(first, { ...place, metric })
  return means.map((mean, order) => mean === 0 && (others[order] ?? -Infinity) >= against.least)
}

/** Of slots that tell something, those in stretches without a busy one, and with no two in a row that tell nothing. */
function inStretches(
  means: readonly (number | undefined)[],
  { threshold, stretch }: { threshold: number; stretch: number },
): boolean[] {
  const found = means.map(() => false)
  let open: number[] = []
  const end = (): void => {
    if ((open.at(-1) ?? 0) - (open[0] ?? 0) + 1 >= stretch) for (const order of open) found[order] = true
    open = []
  }
  for (const [order, mean] of means.entries()) {
    if (mean === undefined) continue
    if (mean > threshold || order - (open.at(-1) ?? order) > 2) end()
    if (mean <= threshold) open.push(order)
  }
  end()
  return found
}

type Slot = { readonly from: number; readonly to: number }

/** The part of each slot that lies in a piece, in order. A slot holds the samples after its beginning, with its end. */
function slotsIn(first: number, { from, to }: Piece): readonly Slot[] {
  const count = Math.max(0, Math.ceil(to / SLOT_MS) - first + 1)
  return Array.from({ length: count }, (_, order) => {
    const end = (first + order) * SLOT_MS
    return { from: Math.max(from, end - SLOT_MS + 1), to: Math.min(to, end + 1) }
  })
}

const hasSamples = (slot: Slot): boolean => slot.to > slot.from && samplesIn(slot) > 0

/** In which slots there are samples; none anywhere of a metric that the device does not tell. */
function seenIn(first: number, place: Place): readonly boolean[] {
  const slots = slotsIn(first, place.piece)
  const any = slots.find(hasSamples)
  return any === undefined || meanOf(any, place) === undefined ? [] : slots.map(hasSamples)
}

/** The mean over each slot of a piece; undefined where there is no sample. */
const meansOf = (first: number, place: Place): readonly (number | undefined)[] =>
  slotsIn(first, place.piece).map((slot) => (hasSamples(slot) ? meanOf(slot, place) : undefined))

function meanOf(slot: Slot, { world, row, metric, piece }: Place): number | undefined {
  const reading = readOver(world, row, { ...slot, peaks: false, needs: metric.needs, piece })
  return reading === undefined ? undefined : metric.value(reading, row)
}
