import { ageWeight, type Past } from './past.ts'

/** A weighted sample, and an exponential tail beyond its highest few (peaks over threshold, Pickands 1975, with shape 0). */
export type Tail = {
  /** Lowest first, and the share of the weight from each on to the end. */
  readonly values: readonly number[]
  readonly shareFrom: readonly number[]
  /** Where the exponential tail begins, and its mean excess. */
  readonly threshold: number
  readonly excess: number
}

/** How high the blocks of many workloads go, where the past loses half of its weight in `halfLife`. */
export type TailPool = {
  /** In blocks. */
  readonly halfLife: number
  /** Blocks as multiples of their own workload's median. */
  readonly usual: Tail
  /**
   * Blocks above the highest that their workload had shown before, as multiples of that. Where all blocks are alike the n-th is a new
   * highest with the chance 1 / n; shares are of the new highest blocks that this would make.
   */
  readonly record: Tail
}

/** ShareFleet the blocks of many workloads, one pool for each half-life. */
export function poolTails(all: readonly Past[], halfLives: readonly number[]): TailPool[] {
  const usual = sampleOf(all.flatMap(usualOf), 0)
  const record = sampleOf(all.flatMap(recordsOf), 1)
  return halfLives.map((halfLife) => ({
    halfLife,
    usual: tailOf(usual, halfLife),
    record: tailOf(record, halfLife),
  }))
}

/** The share above a value; all of an empty sample, which says nothing. */
export function shareAbove({ values, shareFrom, threshold, excess }: Tail, value: number): number {
  if (shareFrom.length === 0) return 1
  if (value <= threshold) return shareFrom[firstAbove(values, value)] ?? 0
  return (shareFrom[firstAbove(values, threshold)] ?? 0) * Math.exp((threshold - value) / excess)
}

/** What one block adds to a sample: a value, and to the whole of which shares are taken, before age. */
type Point = { readonly value: number; readonly age: number; readonly part: number }

const usualOf = ({ blocks, median }: Past): Point[] =>
  median <= 0 ? [] : blocks.map(({ peak, age }) => ({ value: peak / median, age, part: 1 }))

function recordsOf({ blocks }: Past): Point[] {
  const points: Point[] = []
  let highest = 0
  for (const [index, { peak, age }] of blocks.entries()) {
    // The first blocks are a start: what is loaded there is no record.
    if (index >= START && highest > 0) points.push({ value: peak / highest, age, part: 1 / (index + 1) })
    highest = Math.max(highest, peak)
  }
  return points
}

/** All points, and those above what is asked about, lowest first. */
type Sample = { readonly all: readonly Point[]; readonly above: readonly Point[] }

const sampleOf = (all: readonly Point[], least: number): Sample => ({
  all,
  above: all.filter(({ value }) => value > least).toSorted((a, b) => a.value - b.value),
})

function tailOf({ all, above }: Sample, halfLife: number): Tail {
  const whole = all.reduce((sum, { age, part }) => sum + part * ageWeight(age, halfLife), 0)
  const values = above.map(({ value }) => value)
  // One more share than values: nothing is above the highest.
  const shareFrom = all.length === 0 ? [] : [...values.map(() => 0), 0]
  let weight = 0
  for (let index = above.length - 1; index >= 0; index -= 1) {
    weight += ageWeight(above[index]?.age ?? 0, halfLife)
    shareFrom[index] = weight / whole
  }
  // A sample speaks for itself up to its highest few.
  const few = Math.min(HIGHEST, Math.ceil(HIGHEST_PART * all.length))
  const threshold = values.at(-few - 1) ?? 1
  const over = values.slice(firstAbove(values, threshold))
  const excess = over.reduce((sum, value) => sum + value - threshold, 0) / Math.max(1, over.length)
  return { values, shareFrom, threshold, excess: Math.max(excess, LEAST_EXCESS) }
}

/** The first index whose value is strictly above, by binary search. */
function firstAbove(values: readonly number[], value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] ?? 0) > value) high = middle
    else low = middle + 1
  }
  return low
}

const START = 3
const HIGHEST = 10
const HIGHEST_PART = 0.05
/** A pool of flat workloads must not promise that nothing ever moves. */
const LEAST_EXCESS = 0.02
