import { freeMemorySlices } from '../../gpu/occupancy.ts'
import { openMigFleet, type MigFleet, type MigHeld } from '../place/mig-fleet.ts'
import type { MigPolicy } from '../place/mig-policy.ts'
import { roomFor, type MigTables } from '../place/mig-tables.ts'
import { openRun, type ArrivalRun } from './arrival-run.ts'
import { arrivals } from './arrivals.ts'
import { compareRuns, type Comparison } from './comparison.ts'
import type { MigDemand } from './mig-demand.ts'
import { seededChance } from './seeded-chance.ts'

/** One policy for MIG instances, on one list of arrivals. Its marks count compute slices. */
export type MigRun = ArrivalRun<MigDemand, MigSpotTaken> & { readonly fleet: MigFleet }

/** Where an instance went, and what was taken of that GPU before. */
type MigSpotTaken = MigHeld & { readonly before: number }

export type MigComparisonInput = {
  readonly tables: MigTables
  /** GPUs of the board. */
  readonly gpus: number
  /** The list that arrivals are drawn from. */
  readonly pods: readonly MigDemand[]
  readonly policies: readonly MigPolicy[]
  readonly seed: number
  /** Compute slices asked for by all arrivals over those of the fleet. */
  readonly ratio: number
  readonly recordAt: readonly number[]
}

/**
 * `comparePolicies` for a fleet of equal GPUs that MIG cuts: the same protocol, with compute slices in place of
 * thousandths of a GPU. Policies learn the demand from what arrives. Throws where the arrivals would be too many.
 */
export function compareMigPolicies(input: MigComparisonInput): Comparison<MigDemand, MigRun> {
  const { tables, gpus, pods, policies, seed, ratio } = input
  const sizeOf = ({ profile }: MigDemand): number => tables.profiles[profile]?.computeSlices ?? 0
  const capacity = gpus * tables.board.computeSlices
  const order = arrivals({ pods, sizeOf, capacity, ratio, random: seededChance(seed) })
  const shares = sharesOf(pods, tables)
  const open = (policy: MigPolicy): MigRun => {
    const choose = policy.start({ tables, random: seededChance(seed) })
    const fleet = openMigFleet(tables, gpus)
    const unusable = unusablePart(tables, policy, shares)
    const run = openRun<MigDemand, MigSpotTaken>({
      policy: policy.name,
      arrivals: order,
      capacity,
      recordAt: input.recordAt,
      sizeOf,
      place: ({ profile }) => {
        const held = fleet.take(choose, profile)
        return held === undefined ? undefined : { ...held, before: (fleet.masks[held.gpu] ?? 0) & ~held.taken }
      },
      fragmented: () => {
        const whole = fleet.gpusByMask.reduce((sum, count, mask) => sum + (count === 0 ? 0 : count * unusable(mask)), 0)
        return whole * tables.board.computeSlices
      },
    })
    return { ...run, fleet }
  }
  return compareRuns(order, policies.map(open))
}

function sharesOf(pods: readonly MigDemand[], { profiles }: MigTables): Float64Array {
  const shares = new Float64Array(profiles.length)
  for (const { profile } of pods) shares[profile] = (shares[profile] ?? 0) + 1 / pods.length
  return shares
}

/** The part of a GPU with this mask that is free, and that the mean pod of the list could not use. */
function unusablePart(tables: MigTables, policy: MigPolicy, shares: Float64Array): (mask: number) => number {
  const { memorySlices } = tables.board
  const size = (profile: number): number => tables.profiles[profile]?.size ?? 0
  const usable = policy.usable?.(tables) ?? ((mask, profile) => roomFor(tables, mask, profile) * size(profile))
  return (mask) => {
    const free = freeMemorySlices(tables.board, mask)
    return shares.reduce((sum, share, profile) => sum + share * (free - usable(mask, profile)), 0) / memorySlices
  }
}
