import {
  allowsModel,
  at,
  compareText,
  demandKey,
  fitsGpu,
  fitsNode,
  gpuMilliOf,
  place,
  scoredChooser,
  type Demand,
  type Fleet,
  type ScoredChooser,
  type Spot,
  undo,
} from '@septet/domain'

/** One step of a repacking; each one is legal when those before it are done. */
export type RoomStep =
  | { readonly kind: 'move'; readonly demand: Demand; readonly from: Spot; readonly to: Spot }
  | { readonly kind: 'start'; readonly demand: Demand; readonly spot: Spot }

type RoomInput = {
  /** Changed: at the end it is as the steps leave it. */
  readonly fleet: Fleet
  readonly placed: ReadonlyArray<{ readonly demand: Demand; readonly spot: Spot }>
  readonly waiting: readonly Demand[]
  readonly mostMoves: number
}

/**
 * Starts waiting pods by moving few running ones. The largest pods come first, as each move then frees the most; one
 * move for a pod before two. A pod moves only into room that is free before the waiting pod starts. It finds moves
 * that need no other moves, not all that exist, and makes no room for pods that want several GPUs.
 */
export function makeRoom(input: RoomInput): RoomStep[] {
  const search = openSearch(input)
  for (const mostEvicted of [0, 1, 2])
    for (const waiting of byNeed(input.waiting)) startAll(search, { waiting, mostEvicted })
  return search.steps
}

type Running = { readonly demand: Demand; spot: Spot }

type Search = {
  readonly fleet: Fleet
  readonly chooser: ScoredChooser
  readonly running: ReadonlyArray<Set<Running>>
  readonly started: Set<Demand>
  readonly steps: RoomStep[]
  /** Kinds of pods that fit nowhere else, until something starts. */
  readonly stuck: Set<string>
  movesLeft: number
}

type Wanted = { readonly waiting: readonly Demand[]; readonly mostEvicted: number }

function openSearch({ fleet, placed, mostMoves }: RoomInput): Search {
  const running = fleet.nodes.map(() => new Set<Running>())
  for (const { demand, spot } of placed) running[spot.node]?.add({ demand, spot })
  // The tightest GPU, then the node with the least CPU left: a moved pod should open no new hole.
  const chooser = scoredChooser(fleet, (demand, node, gpu) => {
    const left = gpu === -1 ? 0 : at(fleet.milliFree, gpu) - gpuMilliOf(demand.gpu)
    return left + at(fleet.cpuFree, node) / 1e9
  })
  return { fleet, chooser, running, started: new Set(), steps: [], stuck: new Set(), movesLeft: mostMoves }
}

/** Waiting pods of equal needs together, the largest first. */
function byNeed(waiting: readonly Demand[]): Demand[][] {
  const groups = Map.groupBy(waiting, demandKey)
  return [...groups]
    .toSorted(([keyA, [a]], [keyB, [b]]) => milliOf(b) - milliOf(a) || compareText(keyA, keyB))
    .map(([, group]) => group)
}

function startAll(search: Search, { waiting, mostEvicted }: Wanted): void {
  const left = waiting.filter((demand) => !search.started.has(demand)).toReversed()
  if (mostEvicted === 0) {
    while (left.length > 0 && startFree(search, left.at(-1))) left.pop()
    return
  }
  if (left.some(({ gpu }) => gpu.kind === 'whole' && gpu.count > 1)) return
  for (let gpu = 0; gpu < search.fleet.milliFree.length; gpu += 1)
    while (startAt(search, left.at(-1), { gpu, mostEvicted })) left.pop()
}

function startFree(search: Search, demand: Demand | undefined): boolean {
  const spot = demand === undefined ? undefined : search.chooser.choose(demand)
  if (demand === undefined || spot === undefined) return false
  place(search.fleet, demand, spot)
  recordStart(search, demand, spot)
  return true
}

type Target = { readonly gpu: number; readonly mostEvicted: number }

/** Tries to start the pod on one GPU by moving so many pods of its node away. */
function startAt(search: Search, demand: Demand | undefined, { gpu, mostEvicted }: Target): boolean {
  const { fleet } = search
  const node = at(fleet.nodeOfGpu, gpu)
  if (demand === undefined || search.movesLeft < mostEvicted) return false
  if (!allowsModel(demand, fleet.nodes[node]?.model)) return false
  const spot = { node, gpus: demand.gpu.kind === 'none' ? [] : [gpu] }
  for (const evicted of evictions(search, demand, { gpu, mostEvicted }))
    if (exchange(search, demand, { spot, evicted })) return true
  return false
}

/** Sets of pods whose going would leave room for the demand on this GPU. */
function evictions({ fleet, running, stuck }: Search, demand: Demand, { gpu, mostEvicted }: Target): Running[][] {
  const node = at(fleet.nodeOfGpu, gpu)
  const lack = {
    milli: Math.max(0, milliOf(demand) - at(fleet.milliFree, gpu)),
    cpu: demand.cpuMilli - at(fleet.cpuFree, node),
    memory: demand.memory - at(fleet.memoryFree, node),
  }
  // Where the GPU has room, any pod of the node may hold the CPU or memory that lacks.
  const there = [...(running[node] ?? [])].filter(
    ({ demand: held, spot }) =>
      (lack.milli === 0 || (spot.gpus.length === 1 && spot.gpus[0] === gpu)) && !stuck.has(demandKey(held)),
  )
  const enough = (set: readonly Running[]): boolean =>
    sumOf(set, ({ gpu: held }) => (lack.milli === 0 ? 0 : gpuMilliOf(held))) >= lack.milli &&
    sumOf(set, ({ cpuMilli }) => cpuMilli) >= lack.cpu &&
    sumOf(set, ({ memory }) => memory) >= lack.memory
  const sets = mostEvicted === 1 ? there.map((one) => [one]) : pairs(there)
  // Moving as much as starts gains nothing.
  return sets.filter((set) => enough(set) && sumOf(set, ({ gpu: held }) => gpuMilliOf(held)) < milliOf(demand))
}

type Exchange = { readonly spot: Spot; readonly evicted: readonly Running[] }

function exchange(search: Search, demand: Demand, { spot, evicted }: Exchange): boolean {
  const { fleet } = search
  for (const { demand: held, spot: from } of evicted) undo(fleet, held, from)
  if (fitsNode(fleet, demand, spot.node) && spot.gpus.every((gpu) => fitsGpu(fleet, demand, gpu))) {
    place(fleet, demand, spot)
    const moved = settle(search, evicted)
    if (moved !== undefined) {
      for (const { running, to } of moved) recordMove(search, running, to)
      recordStart(search, demand, spot)
      return true
    }
    undo(fleet, demand, spot)
  }
  for (const { demand: held, spot: from } of evicted) place(fleet, held, from)
  return false
}

type Moved = { readonly running: Running; readonly to: Spot }

/** New spots for all of these pods, taken one by one; none is taken where one pod fits nowhere. */
function settle({ fleet, chooser, stuck }: Search, evicted: readonly Running[]): Moved[] | undefined {
  const moved: Moved[] = []
  for (const running of evicted) {
    const to = chooser.choose(running.demand)
    if (to === undefined) {
      stuck.add(demandKey(running.demand))
      for (const { running: settled, to: spot } of moved.toReversed()) undo(fleet, settled.demand, spot)
      return undefined
    }
    place(fleet, running.demand, to)
    moved.push({ running, to })
  }
  return moved
}

function recordMove(search: Search, running: Running, to: Spot): void {
  search.steps.push({ kind: 'move', demand: running.demand, from: running.spot, to })
  search.running[running.spot.node]?.delete(running)
  running.spot = to
  search.running[to.node]?.add(running)
  search.movesLeft -= 1
}

/** A pod that has just started stays: it is not among those that may move. */
function recordStart(search: Search, demand: Demand, spot: Spot): void {
  search.steps.push({ kind: 'start', demand, spot })
  search.started.add(demand)
  search.stuck.clear()
}

const milliOf = (demand: Demand | undefined): number => (demand === undefined ? 0 : gpuMilliOf(demand.gpu))

const sumOf = (set: readonly Running[], of: (demand: Demand) => number): number =>
  set.reduce((sum, { demand }) => sum + of(demand), 0)

const pairs = (set: readonly Running[]): Running[][] =>
  set.flatMap((one, index) => set.slice(index + 1).map((other) => [one, other]))
