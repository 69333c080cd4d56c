import { demandKey, GPU_MILLI, gpuMilliOf, type Demand } from '../place/demand.ts'
import { at, type Fleet } from '../place/fleet.ts'
import { openPrices, openSearch, type DemandPrices } from './demand-prices.ts'
import type { Chooser, Policy, PolicyContext, TypicalDemand } from './policy.ts'
import { emptyRoom, openRoomValue, readRoom, valueOf, type LevelRoom, type RoomValue } from './room-value.ts'
import { scoredChooser } from './scored-chooser.ts'
import { typicalDemands } from './typical-demands.ts'

/**
 * The spot that loses the least value: free room is worth what typical demands could still put there, at prices that
 * say how scarce room for each of them is (`RoomValue`, `openSearch`). It knows how demands are spread, not what comes.
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
  let search = searchPrices(fleet, knowledge.typical(), undefined)
  let counted: Demand | undefined
  const chooser = scoredChooser(fleet, (demand, node, gpu) => {
    const { values } = search.priced
    readRoom(values, fleet, { node, room })
    const before = valueOf(values, room)
    takeRoom(room, demand, { free: gpu === -1 ? 0 : at(fleet.milliFree, gpu), step: values.step })
    const loss = before - valueOf(values, room)
    return Math.round(loss / GRAIN) * GRAIN + TIE * at(fleet.wholeFree, node)
  })
  /** Counts the arrival once, however often it is prepared for, then searches on by one step. */
  const prepare = (demand: Demand): boolean => {
    if (counted !== demand) {
      counted = demand
      knowledge.learn(demand)
      if (clock.strikes(demand)) {
        while (!search.step());
        search = searchPrices(fleet, knowledge.typical(), search.priced)
        chooser.forget()
      }
    }
    return search.step()
  }
  return {
    prepare,
    choose: (demand) => {
      while (!prepare(demand));
      counted = undefined
      return chooser.choose(demand)
    },
    consider: (demand, most) => {
      while (!search.step());
      return chooser.consider(demand, most)
    },
  }
}

/** Strikes when prices are due to be found again. */
function openClock(fleet: Fleet): { strikes(demand: Demand): boolean } {
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

type Search = { readonly priced: Priced; step(): boolean }

/** Searches on from the last prices while the typical demands are the same, from the start where they changed. */
function searchPrices(fleet: Fleet, typical: readonly TypicalDemand[], last: Priced | undefined): Search {
  const key = typical.map(({ demand, share }) => `${demandKey(demand)} ${share}`).join('\n')
  if (last?.key === key) {
    return { priced: last, step: openSearch(fleet, last.values, { found: last.found, steps: NEXT_STEPS }) }
  }
  const values = openRoomValue(fleet, typical)
  const found = openPrices(values)
  const steps = last === undefined ? FIRST_STEPS : AFRESH_STEPS
  return { priced: { values, found, key }, step: openSearch(fleet, values, { found, steps }) }
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
