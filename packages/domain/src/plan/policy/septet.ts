import { GPU_MILLI, demandKey, gpuMilliOf, type Demand } from '../place/demand.ts'
import { at, type ShareFleet } from '../place/fleet.ts'
import type { Chooser, Policy, PolicyContext, TypicalDemand } from './policy.ts'
import {
  countBestUse,
  emptyRoom,
  openRoomValue,
  readRoom,
  tabulate,
  roomValue,
  type LevelRoom,
  type RoomValue,
} from './room-value.ts'
import { scoredChooser } from './scored-chooser.ts'
import { typicalDemands } from './typical-demands.ts'

/**
 * The spot that loses the least value: free room is worth what typical demands could still put there, at prices that
 * say how scarce room for each of them is (`RoomValue`, `search`). It knows how demands are spread, not what comes.
 */
export const septet: Policy = {
  name: 'septet',
  start: (context) => pricedChooser(context, { typical: () => context.typical, learn: () => undefined }),
}

/** The same, told nothing: it learns how demands are spread from those that have arrived. */
export const septetLearning: Policy = {
  name: 'septet-learning',
  start: (context) => {
    const arrived: Demand[] = []
    return pricedChooser(context, {
      typical: () => typicalDemands(arrived),
      learn: (demand) => arrived.push(demand),
    })
  },
}

/** Prices are found again each time that arrivals asked for so much of the fleet: soon at first, then at this pace. */
const PACE = 0.05
const FIRST_PACE = 0.002
/** On a small fleet one pod asks for much; prices do not follow each one. */
const FEWEST_ARRIVALS = 10
const FIRST_STEPS = 400
/** Where typical demands changed the search starts afresh, in a fleet of many different rooms. */
const AFRESH_STEPS = 80
const NEXT_STEPS = 15
/** Differences below this are none, thousandths of a GPU. */
const GRAIN = 0.01
/** Among equal losses, the node with fewer free GPUs. */
const TIE = 1e-4

type Priced = { readonly values: RoomValue; readonly found: DemandPrices; readonly key: string }

type Knowledge = { typical(): readonly TypicalDemand[]; learn(demand: Demand): unknown }

function pricedChooser({ fleet }: PolicyContext, knowledge: Knowledge): Chooser {
  const room = emptyRoom(fleet)
  const clock = openClock(fleet)
  let priced = findPrices(fleet, knowledge.typical(), undefined)
  const chooser = scoredChooser(fleet, (demand, node, gpu) => {
    const { values } = priced
    readRoom(values, fleet, { node, room })
    const before = roomValue(values, room)
    takeRoom(room, demand, { free: gpu === -1 ? 0 : at(fleet.milliFree, gpu), step: values.step })
    const loss = before - roomValue(values, room)
    return Math.round(loss / GRAIN) * GRAIN + TIE * at(fleet.wholeFree, node)
  })
  return {
    choose: (demand) => {
      knowledge.learn(demand)
      if (clock.strikes(demand)) {
        priced = findPrices(fleet, knowledge.typical(), priced)
        chooser.forget()
      }
      return chooser.choose(demand)
    },
  }
}

/** Strikes when prices are due to be found again. */
function openClock(fleet: ShareFleet): { strikes(demand: Demand): boolean } {
  const capacity = fleet.milliFree.length * GPU_MILLI
  let asked = 0
  let arrivals = 0
  let next = capacity * FIRST_PACE
  return {
    strikes: ({ gpu }) => {
      asked += gpuMilliOf(gpu)
      arrivals += 1
      if (asked < next || arrivals < FEWEST_ARRIVALS) return false
      next = asked + Math.min(capacity * PACE, asked)
      arrivals = 0
      return true
    },
  }
}

/** Searches on from the last prices while the typical demands are the same, from the start where they changed. */
function findPrices(fleet: ShareFleet, typical: readonly TypicalDemand[], last: Priced | undefined): Priced {
  const key = typical.map(({ demand, share }) => `${demandKey(demand)} ${share}`).join('\n')
  if (last?.key === key) {
    search(fleet, last, NEXT_STEPS)
    return last
  }
  const values = openRoomValue(fleet, typical)
  const priced = { values, found: openPrices(values), key }
  search(fleet, priced, last === undefined ? FIRST_STEPS : AFRESH_STEPS)
  return priced
}

/** Takes the demand out of the room; `free` is what the GPU to share had. */
function takeRoom(room: LevelRoom, { cpuMilli, gpu }: Demand, { free, step }: { free: number; step: number }): void {
  room.cpu -= cpuMilli
  if (gpu.kind === 'whole') room.whole -= gpu.count
  if (gpu.kind !== 'share') return
  const level = Math.floor((free - gpu.milli) / step)
  if (free < GPU_MILLI) {
    const part = room.level.subarray(0, room.parts).indexOf(Math.floor(free / step))
    room.level[part] = level
    return
  }
  room.whole -= 1
  room.level[room.parts] = level
  room.parts += 1
}

/** How far the search for prices has come; the next search starts from here. */
type DemandPrices = {
  /** How often each wanted demand is served in the fleet's free room, on the mean of the steps so far. */
  readonly served: Float64Array
  readonly prices: Float64Array
  freeMilli: number
}

function openPrices({ wanted }: RoomValue): DemandPrices {
  return {
    served: new Float64Array(wanted.length),
    prices: Float64Array.from(wanted, ({ milli }) => milli),
    freeMilli: 0,
  }
}

/**
 * Finds what serving each typical demand once more is worth, and tabulates room at those prices.
 *
 * How many pods are still to come is not known: between none and twice what would fill the free room, all equally
 * likely. So the x-th place kept for a demand of which d are expected is asked for with probability 1 − x / 2d, and is
 * worth its GPU share times that. The total is concave in the places kept; Frank-Wolfe steps climb it, each one the
 * best use of all free room at the present prices (`countBestUse`).
 */
function search(fleet: ShareFleet, { values, found }: Priced, steps: number): void {
  if (found.served.length > 0) {
    const climb = openClimb(fleet, values, found)
    for (let step = 0; step < steps; step += 1) climb(step)
  }
  tabulate(values, found.prices)
}

/** Frank-Wolfe steps, over the fleet's room as it is when this opens. */
function openClimb(fleet: ShareFleet, values: RoomValue, found: DemandPrices): (step: number) => void {
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
function equalRooms(fleet: ShareFleet, values: RoomValue): Array<{ room: LevelRoom; count: number }> {
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
