import { quantileOfSorted } from '../../analyze/distribution.ts'

/**
 * How high many workloads go within a window of some blocks, each as a multiple of its own workload's median block,
 * weighted by age. It tells what a workload may yet do that its own short history has not shown. Windows are as long as
 * the horizon where history allows, so that how excursions cluster need not be assumed.
 */
export type TailPool = {
  /** Multiples, lowest first, and the weight of all from each on to the end. */
  readonly multiples: readonly number[]
  readonly weightFrom: readonly number[]
  /** Where the exponential tail begins and its mean excess, in multiples. */
  readonly threshold: number
  readonly excess: number
  /** How many workloads are in it. */
  readonly peers: number
  /** Length of its windows in blocks. */
  readonly window: number
}

/** Block maxima of one workload as plain numbers, oldest first. */
export type Peaks = readonly number[]

/** Pools the windows of many workloads, cut backward from their ends; weight halves in `halfLife` blocks. */
export function poolTails(
  all: readonly Peaks[],
  { halfLife, window }: { readonly halfLife: number; readonly window: number },
): TailPool {
  const fading = ageWeight(window, halfLife)
  const weighted: Array<{ readonly multiple: number; readonly weight: number }> = []
  for (const peaks of all) {
    const median = medianOf(peaks)
    if (median === undefined || median <= 0) continue
    let weight = 1
    for (let end = peaks.length; end >= window; end -= window) {
      weighted.push({ multiple: Math.max(...peaks.slice(end - window, end)) / median, weight })
      weight *= fading
    }
  }
  weighted.sort((a, b) => a.multiple - b.multiple)
  const multiples = weighted.map(({ multiple }) => multiple)
  const weightFrom = weighted.map(() => 0)
  let sum = 0
  for (let index = weighted.length - 1; index >= 0; index -= 1) weightFrom[index] = sum += weighted[index]?.weight ?? 0
  const threshold = quantileOfSorted(multiples, TAIL_FROM) ?? 1
  const over = multiples.filter((multiple) => multiple > threshold)
  const excess = over.reduce((total, multiple) => total + multiple - threshold, 0) / Math.max(1, over.length)
  return { multiples, weightFrom, threshold, excess: Math.max(excess, LEAST_EXCESS), peers: all.length, window }
}

/**
 * The chance that a window's maximum is above a multiple of its workload's median: the weighted share of the pool, above
 * the pool's 95 % point an exponential tail (peaks over threshold, Pickands 1975, with shape 0), and always a little more,
 * because what nobody has shown yet can still happen: half an event in as many workloads and own windows as were seen.
 */
export function chanceAbove(pool: TailPool, multiple: number, ownBlocks: number): number {
  const unseen = (0.5 / (pool.peers + ownBlocks / pool.window + 1)) * Math.min(1, 1 / (multiple * multiple))
  return Math.min(1, unseen + (1 - unseen) * shareAbove(pool, multiple))
}

/** The weight of a block by its age in blocks. */
export const ageWeight = (age: number, halfLife: number): number => 0.5 ** (age / halfLife)

/** The middle value; undefined of none. */
export const medianOf = (values: readonly number[]): number | undefined =>
  quantileOfSorted(
    values.toSorted((a, b) => a - b),
    0.5,
  )

const TAIL_FROM = 0.95
/** A pool of flat workloads must not promise that nothing ever moves. */
const LEAST_EXCESS = 0.02

function shareAbove(pool: TailPool, multiple: number): number {
  const total = pool.weightFrom[0]
  if (total === undefined || total <= 0) return multiple < 1 ? 1 : 0.5 * Math.exp(-(multiple - 1) / LEAST_EXCESS)
  const tailStart = weightAbove(pool, pool.threshold) / total
  if (multiple <= pool.threshold) return weightAbove(pool, multiple) / total
  return tailStart * Math.exp(-(multiple - pool.threshold) / pool.excess)
}

/** The weight of all multiples strictly above, by binary search. */
function weightAbove({ multiples, weightFrom }: TailPool, multiple: number): number {
  let low = 0
  let high = multiples.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((multiples[middle] ?? 0) > multiple) high = middle
    else low = middle + 1
  }
  return weightFrom[low] ?? 0
}
