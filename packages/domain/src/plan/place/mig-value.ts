import type { Mask } from '../../gpu/layout.ts'
import { roomFor, type MigTables } from './mig-tables.ts'

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

/**
 * What one more instance of each profile is worth to a fleet of fixed size: the demand for it over the room left for it.
 * With these prices, what a placement takes from the sum of (price × room) is the rate at which it lowers
 * Σ share × worth × log(room): it shuts out least demand, and spares the room that is scarce.
 */
export function scarcityPrices(tables: MigTables, { shares, rooms, gpus }: Scarcity): Float64Array {
  return shares.map((share, profile) => (gpus * share * (tables.worth[profile] ?? 0)) / ((rooms[profile] ?? 0) + 1))
}

/** Shares of arrivals and room by profile, over so many GPUs. Prices are per GPU, so fleets of any size share one scale. */
export type Scarcity = { readonly shares: Float64Array; readonly rooms: Float64Array; readonly gpus: number }

/** Room for each profile over a whole fleet, from the number of GPUs with each mask. */
export function fleetRooms(tables: MigTables, gpusByMask: Int32Array): Float64Array {
  const rooms = new Float64Array(tables.profiles.length)
  for (const mask of tables.reachable) {
    const gpus = gpusByMask[mask] ?? 0
    if (gpus === 0) continue
    for (let profile = 0; profile < rooms.length; profile += 1)
      rooms[profile] = (rooms[profile] ?? 0) + gpus * roomFor(tables, mask, profile)
  }
  return rooms
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
