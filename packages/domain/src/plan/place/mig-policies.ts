import { bitCount } from '../../gpu/occupancy.ts'
import type { Mask } from '../../gpu/layout.ts'
import { cheapest, type MigPolicy } from './mig-policy.ts'
import { evenDemand, roomFor, type MigTables } from './mig-tables.ts'

/** What kube-scheduler's packing comes to on MIG: the fullest GPU, its highest start. */
export const migBestFit: MigPolicy = {
  name: 'best-fit',
  start: (tables) => (profile, gpusByMask) =>
    cheapest({ tables, profile, gpusByMask }, (mask, after) => -bitCount(mask) - (after - mask) / 2 ** 16),
}

/**
 * The used GPU on which the profiles that usually come lose least free room, and an empty one only where no other will do:
 * fragmentation gradient descent (Weng et al., USENIX ATC 2023), on MIG.
 */
export const keepUsable: MigPolicy = {
  name: 'keep-usable',
  start: (tables) => {
    const demand = learn(tables)
    return (profile, gpusByMask) => {
      const shares = demand(profile)
      const usable = (mask: Mask): number =>
        sumOver(shares, (index) => roomFor(tables, mask, index) * (tables.profiles[index]?.size ?? 0))
      return cheapest(
        { tables, profile, gpusByMask },
        (mask, after) => usable(mask) - usable(after) + (mask === 0 ? UNUSED : 0),
      )
    }
  },
}

/** The fullest GPU, and of those the one, at the start, where what is left can best be finished by what usually comes. */
export const finishFullest: MigPolicy = {
  name: 'finish-fullest',
  start: (tables) => {
    const valueOf = completionValues(tables)
    return (profile, gpusByMask) => {
      const values = valueOf(profile, FINISHING)
      return cheapest(
        { tables, profile, gpusByMask },
        (mask, after) => (values[mask] ?? 0) - (values[after] ?? 0) - UNUSED * bitCount(mask),
      )
    }
  },
}

/**
 * For a fleet that grows: fewest GPUs. While nobody leaves it gives up some completion value before it opens a GPU, and
 * keeps the numbers of unfinished GPUs with each mask small and even, as the sum-of-squares rule does for bins (Csirik et
 * al., 2006): so whatever comes next finds a GPU that it finishes. The more of what came has left, the more it fills the
 * fullest GPU instead and waits for no perfect partner: then nearly empty GPUs drain.
 */
export const fewestGpus: MigPolicy = {
  name: 'septet-elastic',
  start: (tables) => {
    const valueOf = completionValues(tables)
    let arrivals = 0
    let arrivedSlices = 0
    return (profile, gpusByMask) => {
      arrivedSlices += tables.profiles[profile]?.size ?? 0
      const gone = Math.max(0, 1 - (takenSlices(gpusByMask) + (tables.profiles[profile]?.size ?? 0)) / arrivedSlices)
      const values = valueOf(profile, PATIENCE - HASTE * gone)
      arrivals += 1
      const weight = ((1 - gone) * BALANCE) / Math.sqrt(arrivals + 20)
      return cheapest({ tables, profile, gpusByMask }, (mask, after) => {
        const lost = (values[mask] ?? 0) - (values[after] ?? 0)
        const opening = mask === 0 ? OPENING + REOPENING * gone : 0
        const uneven = weight === 0 ? 0 : weight * unevenness(values, gpusByMask, { mask, after })
        return lost + uneven + opening - FILLING * gone * bitCount(mask)
      })
    }
  },
}

/** Completion values by the demand so far, found again now and then: at each of the first arrivals, later more seldom. */
function completionValues(tables: MigTables): (arrived: number, patience: number) => Float64Array {
  const demand = learn(tables)
  let arrivals = 0
  let values: Float64Array = new Float64Array(0)
  return (arrived, patience) => {
    if (arrivals < 32 || arrivals % 64 === 0) values = completionValue(tables, demand(), patience)
    arrivals += 1
    demand(arrived)
    return values
  }
}

function takenSlices(gpusByMask: Int32Array): number {
  let taken = 0
  for (let mask = 1; mask < gpusByMask.length; mask += 1) taken += (gpusByMask[mask] ?? 0) * bitCount(mask)
  return taken
}

// Chosen on lists drawn again, also from mixes that lack profiles: there a stronger wish to wait for the perfect partner
//  needs up to 40 % more GPUs, because the partner is rare.
const PATIENCE = 0.9
const FINISHING = 0.95
const BALANCE = 1 / 4
const OPENING = 0.06
// Where workloads leave, chosen on drawn stays of two laws; between half and twice as much the mean of the GPUs in use moves
// by less than half a percent.
const HASTE = 0.15
const REOPENING = 0.25
const FILLING = 0.025
// More than any room.
const UNUSED = 1e6

/** Shares of the arrivals so far, beginning as if each profile had been seen once or so. Called with an arrival, it counts it. */
export function learn(tables: MigTables): (arrived?: number) => Float64Array {
  const prior = evenDemand(tables)
  const counts = prior.map((share) => share * prior.length)
  let total = prior.length
  return (arrived) => {
    const shares = counts.map((count) => count / total)
    if (arrived !== undefined) {
      counts[arrived] = (counts[arrived] ?? 0) + 1
      total += 1
    }
    return shares
  }
}

/** Growth of Σ value × count² over masks: a GPU counts as unfinished by what the demand could still earn on it. */
function unevenness(values: Float64Array, gpusByMask: Int32Array, { mask, after }: Step): number {
  const left = mask === 0 ? 0 : (values[mask] ?? 0) * (1 - 2 * (gpusByMask[mask] ?? 0))
  return left + (values[after] ?? 0) * (1 + 2 * (gpusByMask[after] ?? 0))
}

type Step = { readonly mask: Mask; readonly after: Mask }

export function sumOver(weights: Float64Array, of: (index: number) => number): number {
  let sum = 0
  for (let index = 0; index < weights.length; index += 1) sum += (weights[index] ?? 0) * of(index)
  return sum
}

/**
 * What a GPU may still earn, for each mask: the worth of the instances that it goes on to hold if arrivals come one by one
 * with these shares and each is taken, at its best start, only where that earns more than waiting for another. Each arrival
 * waited for costs a little (`patience` below 1), so room that only a rare profile can use is worth less than room that the
 * next arrivals fill. Dynamic programming over the masks, fullest first.
 */
export function completionValue(tables: MigTables, shares: Float64Array, patience = 0.95): Float64Array {
  const { reachable, full, profiles } = tables
  const values = new Float64Array(full.length)
  const gains = new Float64Array(profiles.length)
  for (const mask of reachable.toReversed()) {
    if (full[mask] === 1) continue
    for (let profile = 0; profile < gains.length; profile += 1)
      gains[profile] = bestGain(tables, values, { mask, profile })
    values[mask] = waitingValue(gains, shares, patience)
  }
  return values
}

type Target = { readonly mask: Mask; readonly profile: number }

function bestGain(tables: MigTables, values: Float64Array, { mask, profile }: Target): number {
  const { spots, worth } = tables
  let best = -1
  for (const spot of spots[profile] ?? [])
    if ((spot & mask) === 0) best = Math.max(best, (worth[profile] ?? 0) + (values[mask | spot] ?? 0))
  return best
}

/** The fixed point v = patience × Σ share × max(v, gain): take the best gains first, while each still beats waiting. */
function waitingValue(gains: Float64Array, shares: Float64Array, patience: number): number {
  const order = Array.from(gains.keys()).toSorted((a, b) => (gains[b] ?? 0) - (gains[a] ?? 0) || a - b)
  let value = 0
  let [taken, earned] = [0, 0]
  for (const profile of order) {
    const gain = gains[profile] ?? 0
    if (gain <= value) break
    taken += shares[profile] ?? 0
    earned += (shares[profile] ?? 0) * gain
    value = (patience * earned) / (1 - patience * (1 - taken))
  }
  return value
}
