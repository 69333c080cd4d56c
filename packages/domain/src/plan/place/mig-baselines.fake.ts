import type { Mask } from '../../gpu/layout.ts'
import { bitCount } from '../../gpu/occupancy.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import { learn, migBestFit, sumOver } from './mig-policies.ts'
import { cheapest, type MigPolicy, type MigSpot, type PlaceQuestion } from './mig-policy.ts'
import { roomFor, type MigTables } from './mig-tables.ts'

/** Policies that others use or publish, on MIG: what ours is compared with. */
export const MIG_BASELINES: readonly MigPolicy[] = [
  {
    name: 'random',
    start: (tables) => {
      const random = seededChance(1)
      return (profile, gpusByMask) => anySpot({ tables, profile, gpusByMask }, random())
    },
  },
  migBestFit,
  {
    name: 'fgd',
    start: (tables) => {
      const demand = learn(tables)
      return (profile, gpusByMask) => {
        const shares = demand(profile)
        const cost = (mask: Mask, after: Mask) => unusable(tables, after, shares) - unusable(tables, mask, shares)
        return preferUsed({ tables, profile, gpusByMask }, cost)
      }
    },
  },
  {
    name: 'hami',
    start: (tables) => (profile, gpusByMask) =>
      cheapest(
        { tables, profile, gpusByMask },
        (mask, after) => -bitCount(mask) * 1e6 - longestRun(tables, after) * 1e3 - legalPlacements(tables, after),
      ),
  },
]

/** An empty GPU only where no other will do. */
function preferUsed(question: PlaceQuestion, cost: (mask: Mask, after: Mask) => number): MigSpot | undefined {
  return cheapest(question, (mask, after) => cost(mask, after) + (mask === 0 ? 1e6 : 0))
}

/** Free memory slices that each profile could not use, averaged over the demand. */
function unusable(tables: MigTables, mask: Mask, shares: Float64Array): number {
  const free = tables.board.memorySlices - bitCount(mask)
  return sumOver(shares, (profile) => free - roomFor(tables, mask, profile) * (tables.profiles[profile]?.size ?? 0))
}

function anySpot({ tables, profile, gpusByMask }: PlaceQuestion, chance: number): MigSpot | undefined {
  const spots = tables.reachable.flatMap((mask) => {
    const gpus = gpusByMask[mask] ?? 0
    const free = gpus === 0 ? [] : (tables.spots[profile] ?? []).filter((taken) => (taken & mask) === 0)
    return free.map((taken) => ({ mask, taken, gpus: gpus / free.length }))
  })
  let left = chance * spots.reduce((sum, { gpus }) => sum + gpus, 0)
  return spots.find(({ gpus }) => (left -= gpus) < 0) ?? spots.at(-1)
}

function longestRun({ board }: MigTables, mask: Mask): number {
  let [longest, run] = [0, 0]
  for (let slice = 0; slice < board.memorySlices; slice += 1) {
    run = ((mask >> slice) & 1) === 1 ? 0 : run + 1
    longest = Math.max(longest, run)
  }
  return longest
}

const legalPlacements = ({ spots }: MigTables, mask: Mask): number =>
  spots.reduce((sum, starts) => sum + starts.filter((spot) => (spot & mask) === 0).length, 0)
