import { GPU_MILLI } from '../place/demand.ts'
import { at, type Fleet } from '../place/fleet.ts'
import { countBestUse, emptyRoom, readRoom, tabulate, type LevelRoom, type RoomValue } from './room-value.ts'

/** How far the search for prices has come; the next search starts from here. */
export type DemandPrices = {
  /** How often each wanted demand is served in the fleet's free room, on the mean of the steps so far. */
  readonly served: Float64Array
  readonly prices: Float64Array
  freeMilli: number
}

export function openPrices({ wanted }: RoomValue): DemandPrices {
  return {
    served: new Float64Array(wanted.length),
    prices: Float64Array.from(wanted, ({ milli }) => milli),
    freeMilli: 0,
  }
}

/**
 * Finds what serving each typical demand once more is worth, and tabulates room at those prices: one step each time that
 * the search is called, so that a frame of a drawing need not wait for all of them. True when the search is over. The
 * fleet must not change before.
 *
 * How many pods are still to come is not known: between none and twice what would fill the free room, all equally
 * likely. So the x-th place kept for a demand of which d are expected is asked for with probability 1 − x / 2d, and is
 * worth its GPU share times that. The total is concave in the places kept; Frank-Wolfe steps climb it, each one the
 * best use of all free room at the present prices (`countBestUse`).
 */
export function openSearch(
  fleet: Fleet,
  values: RoomValue,
  { found, steps }: { found: DemandPrices; steps: number },
): () => boolean {
  const { served, prices } = found
  const last = served.length === 0 ? 0 : steps
  let climb: ((step: number) => void) | undefined
  let step = 0
  return () => {
    if (step > last) return true
    if (step < last) {
      climb ??= openClimb(fleet, values, found)
      climb(step)
    } else tabulate(values, prices)
    step += 1
    return step > last
  }
}

/** One Frank-Wolfe step at a time, over the fleet's room as it is when this opens. */
function openClimb(fleet: Fleet, values: RoomValue, found: DemandPrices): (step: number) => void {
  const { served, prices } = found
  const freeMilli = fleet.milliFree.reduce((sum, free) => sum + free, 0)
  const meanMilli = values.wanted.reduce((sum, { share, milli }) => sum + share * milli, 0)
  const comingMilli = Math.max(freeMilli, LEAST_COMING * fleet.milliFree.length * GPU_MILLI)
  const expected = values.wanted.map(({ share }) => (share * comingMilli) / meanMilli)
  const warm = found.freeMilli > 0
  if (warm)
    for (let index = 0; index < served.length; index += 1)
      served[index] = at(served, index) * (freeMilli / found.freeMilli)
  found.freeMilli = freeMilli
  const rooms = equalRooms(fleet, values)
  return (step) => {
    tabulate(values, prices)
    const used = new Float64Array(served.length)
    for (const { room, count } of rooms) countBestUse(values, room, { used, rooms: count })
    const stride = 2 / (step + (warm ? WARM_STEPS : 2))
    for (const [index, { milli }] of values.wanted.entries()) {
      const now = at(served, index) + stride * (at(used, index) - at(served, index))
      served[index] = now
      prices[index] = milli * Math.max(0, 1 - now / (2 * Math.max(expected[index] ?? 0, 1e-9)))
    }
  }
}

/** However full the fleet is, pods go on coming: requests for at least this part of it are expected. */
const LEAST_COMING = 0.4

/** The free rooms of the fleet, equal ones counted: a fresh fleet has as many as it has kinds of nodes. */
function equalRooms(fleet: Fleet, values: RoomValue): Array<{ room: LevelRoom; count: number }> {
  const counted = new Map<string, { room: LevelRoom; count: number }>()
  for (let node = 0; node < fleet.nodes.length; node += 1) {
    const room = emptyRoom(fleet)
    readRoom(values, fleet, { node, room })
    const parts = room.level.subarray(0, room.parts).toSorted().join(' ')
    const key = `${room.model} ${room.cpu} ${room.whole} ${parts}`
    const known = counted.get(key)
    if (known === undefined) counted.set(key, { room, count: 1 })
    else known.count += 1
  }
  return [...counted.values()]
}

/** A search that starts from the last prices trusts them as if it had taken so many steps. */
const WARM_STEPS = 200
