import { randomFrom } from './random-from.ts'
import {
  BOARDS,
  maximalGeometries,
  parseProfileName,
  usdPerGpuHour,
  WHOLE_GPU,
  type Board,
  type DemandClass,
  type Fit,
  type Geometry,
  type LayoutProblem,
  type ProfileName,
  type SupplyClass,
} from '@septet/domain'

/**
 * A made-up fleet with five GPU models, 60 demand classes and five workloads for each GPU; 10,000 GPUs are what the
 * planner is designed for. The demand is drawn from a cut of the fleet, so that all of it can be placed.
 */
export function makePlannerFleet(seed: number, gpus: number): LayoutProblem {
  const random = randomFrom(seed)
  const classes = MODELS.map(({ board: key, part, price }): SupplyClass => {
    const board = boardOf(key)
    const supply = Math.floor(gpus * part)
    return {
      id: key,
      model: board.names[0] ?? key,
      pool: 'shared',
      board,
      supply,
      // Contracts differ: each list-like price is moved by up to 10 %, in cents.
      price: usdPerGpuHour(Math.round(price * (0.9 + 0.2 * random()) * 100) / 100),
      actuator: 'mig-manager',
    }
  })
  const wishes = Array.from({ length: DEMAND_CLASSES }, (_, index) => wish(index, random))
  const counts = drawCounts({ classes, wishes, random, workloads: gpus * WORKLOADS_PER_GPU })
  return {
    classes,
    demands: wishes.map(({ id, fits }, index): DemandClass => ({ id, fits, count: counts[index] ?? 0 })),
  }
}

const DEMAND_CLASSES = 60
const WORKLOADS_PER_GPU = 5
const WHOLE_GPU_CLASSES = 6
const WHOLE_GPU_PART = 0.08

type Model = { readonly board: string; readonly part: number; readonly price: number; readonly speed: number }

/** Price: dollars for one GPU for one hour, as cloud lists have it. Speed: of one compute slice, beside an A100's. */
const MODELS: readonly Model[] = [
  { board: 'A100-40GB', part: 0.2, price: 1.3, speed: 1 },
  { board: 'A100-80GB', part: 0.3, price: 1.8, speed: 1 },
  { board: 'H100-80GB-SXM5', part: 0.3, price: 2.9, speed: 2 },
  { board: 'H200-141GB', part: 0.1, price: 3.7, speed: 2 },
  { board: 'B200-180GB', part: 0.1, price: 5.4, speed: 4 },
]

function boardOf(key: string): Board {
  const board = BOARDS.find((candidate) => candidate.key === key)
  if (board === undefined) throw new Error(`no board ${key}`)
  return board
}

const plain = (board: Board) => board.profiles.filter(({ name }) => parseProfileName(name)?.variant === '')

type Wish = { readonly id: string; readonly fits: readonly Fit[] }

/** What one demand class asks for: so much memory and compute, on some models; every profile that has both is a fit. */
function wish(index: number, random: () => number): Wish {
  const anchor = MODELS[Math.floor(random() * MODELS.length)] ?? MODELS[0]
  if (anchor === undefined) throw new Error('there are models')
  const anywhere = random() < 0.5
  const models = MODELS.filter((model) => anywhere || model === anchor || random() < 0.4)
  const id = `demand-${String(index).padStart(2, '0')}`
  if (index < WHOLE_GPU_CLASSES) {
    return { id, fits: models.map(({ board }) => ({ supplyClass: board, profile: WHOLE_GPU })) }
  }
  const menu = plain(boardOf(anchor.board))
  const profile = menu[index % menu.length]
  const memory = gigabytes(profile?.name ?? '') * (0.55 + 0.43 * random())
  const compute = (profile?.computeSlices ?? 1) * anchor.speed * (0.4 + 0.6 * random())
  const fits = models.flatMap(({ board, speed }) =>
    plain(boardOf(board))
      .filter(({ name, computeSlices }) => gigabytes(name) >= memory && computeSlices * speed >= compute)
      .map(({ name }): Fit => ({ supplyClass: board, profile: name })),
  )
  return { id, fits }
}

const gigabytes = (profile: ProfileName): number => parseProfileName(profile)?.gigabytes ?? 0

type Draw = {
  readonly classes: readonly SupplyClass[]
  readonly wishes: readonly Wish[]
  readonly random: () => number
  readonly workloads: number
}

/** Cuts GPUs at random and gives each instance to a demand class that fits there, until there are enough workloads. */
function drawCounts({ classes, wishes, random, workloads }: Draw): readonly number[] {
  const counts = wishes.map(() => 0)
  const takers = takersOf(wishes)
  const queue = shuffled(
    classes.flatMap(({ id, board, supply }) => {
      const cuts = board === undefined ? [] : weightedCuts(board, (profile) => takers.has(`${id} ${profile}`))
      return Array.from({ length: supply }, () => ({ id, cuts }))
    }),
    random,
  )
  let placed = 0
  for (const { id, cuts } of queue) {
    for (const profile of instances(random() < WHOLE_GPU_PART ? { [WHOLE_GPU]: 1 } : pick(cuts, random))) {
      const candidates = takers.get(`${id} ${profile}`) ?? []
      const taker = candidates[Math.floor(random() * candidates.length)]
      if (taker === undefined || placed === workloads) continue
      counts[taker] = (counts[taker] ?? 0) + 1
      placed += 1
    }
  }
  return counts
}

type Cuts = ReadonlyArray<{ readonly geometry: Geometry; readonly upTo: number }>

/** Geometries with many instances that somebody takes are likelier, so that five workloads for each GPU find room. */
function weightedCuts(board: Board, isTaken: (profile: ProfileName) => boolean): Cuts {
  let upTo = 0
  return maximalGeometries(board).map((geometry) => {
    upTo += instances(geometry).filter(isTaken).length ** 7
    return { geometry, upTo }
  })
}

function pick(cuts: Cuts, random: () => number): Geometry {
  const at = random() * (cuts.at(-1)?.upTo ?? 0)
  return cuts.find(({ upTo }) => at < upTo)?.geometry ?? {}
}

const instances = (geometry: Geometry): readonly ProfileName[] =>
  Object.entries(geometry).flatMap(([profile, count]) => Array.from({ length: count }, () => profile))

/** Who fits on an instance: those for whom it is the smallest that does, or else anyone. */
function takersOf(wishes: readonly Wish[]): ReadonlyMap<string, readonly number[]> {
  const takers = new Map<string, number[]>()
  const smallest = new Map<string, number[]>()
  for (const [index, { fits }] of wishes.entries()) {
    const seen = new Set<string>()
    for (const fit of fits) {
      add(takers, fit, index)
      // A menu lists its profiles by rising size.
      if (!seen.has(fit.supplyClass)) add(smallest, fit, index)
      seen.add(fit.supplyClass)
    }
  }
  return new Map([...takers, ...smallest])
}

function add(map: Map<string, number[]>, fit: Fit, index: number): void {
  const key = `${fit.supplyClass} ${fit.profile}`
  map.set(key, [...(map.get(key) ?? []), index])
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}
