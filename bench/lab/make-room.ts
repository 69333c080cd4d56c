import {
  allowsModel,
  at,
  compareText,
  demandKey,
  gpuMilliOf,
  place,
  scoredChooser,
  type Demand,
  type Fleet,
  type ScoredChooser,
  type Spot,
} from '@septet/domain'

import { FleetDraft } from './fleet-draft.ts'

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
 * Starts waiting pods by moving few running ones. The largest pods come first, as each move then frees the most, and plans
 * of few moves before those of many. Where a pod that must go finds no room, it takes the place of a smaller one, which
 * goes on likewise: each pod in such a chain closes a little of the free room that is too small for anybody. Every move is
 * into room that is free by then. It finds good plans, not all that exist, and makes no room for pods that want several
 * GPUs.
 */
export function makeRoom(input: RoomInput): RoomStep[] {
  const search = openSearch(input)
  for (const effort of EFFORTS) {
    search.stuck.clear()
    for (const waiting of byNeed(input.waiting)) startAll(search, { waiting, ...effort })
  }
  return search.steps
}

/** How many pods leave a GPU for one that starts, and how many more may go on in a chain behind each. */
const EFFORTS: readonly Effort[] = [
  { mostEvicted: 0, chain: 0 },
  { mostEvicted: 1, chain: 0 },
  { mostEvicted: 2, chain: 0 },
  ...[1, 2].flatMap((chain) => [1, 2, 3].map((mostEvicted) => ({ mostEvicted, chain }))),
]
type Effort = { readonly mostEvicted: number; readonly chain: number }
/** Kinds of pods that are tried as the next of a chain. */
const WIDTH = 16

type Running = { readonly demand: Demand; spot: Spot }

type Search = {
  readonly fleet: Fleet
  readonly chooser: ScoredChooser
  readonly running: ReadonlyArray<Set<Running>>
  readonly started: Set<Demand>
  readonly steps: RoomStep[]
  /** Kinds of pods that fit nowhere else, with a chain of what length behind them, until something starts. */
  readonly stuck: Set<string>
  movesLeft: number
}

type Wanted = Effort & { readonly waiting: readonly Demand[] }

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

function startAll(search: Search, { waiting, mostEvicted, chain }: Wanted): void {
  const left = waiting.filter((demand) => !search.started.has(demand)).toReversed()
  if (mostEvicted === 0) {
    while (left.length > 0 && startFree(search, left.at(-1))) left.pop()
    return
  }
  if (left.some(({ gpu }) => gpu.kind === 'whole' && gpu.count > 1)) return
  for (let gpu = 0; gpu < search.fleet.milliFree.length; gpu += 1)
    while (startAt(search, left.at(-1), { gpu, mostEvicted, chain })) left.pop()
}

function startFree(search: Search, demand: Demand | undefined): boolean {
  const spot = demand === undefined ? undefined : search.chooser.choose(demand)
  if (demand === undefined || spot === undefined) return false
  place(search.fleet, demand, spot)
  recordStart(search, demand, spot)
  return true
}

type Target = Effort & { readonly gpu: number }

/** Tries to start the pod on one GPU by moving so many pods of its node away. */
function startAt(search: Search, demand: Demand | undefined, { gpu, ...effort }: Target): boolean {
  const { fleet } = search
  const node = at(fleet.nodeOfGpu, gpu)
  if (demand === undefined || search.movesLeft < effort.mostEvicted) return false
  if (!allowsModel(demand, fleet.nodes[node]?.model)) return false
  const spot = { node, gpus: demand.gpu.kind === 'none' ? [] : [gpu] }
  for (const evicted of evictions(search, demand, { gpu, ...effort }))
    if (exchange(search, demand, { spot, evicted, chain: effort.chain })) return true
  return false
}

/** Sets of pods whose going would leave room for the demand on this GPU. */
function evictions(
  { fleet, running, stuck }: Search,
  demand: Demand,
  { gpu, mostEvicted, chain }: Target,
): Running[][] {
  const node = at(fleet.nodeOfGpu, gpu)
  const lack = {
    milli: Math.max(0, milliOf(demand) - at(fleet.milliFree, gpu)),
    cpu: demand.cpuMilli - at(fleet.cpuFree, node),
    memory: demand.memory - at(fleet.memoryFree, node),
  }
  const isOn = ({ spot }: Running): boolean => spot.gpus.length === 1 && spot.gpus[0] === gpu
  const free = [...(running[node] ?? [])].filter(({ demand: held }) => !stuck.has(stuckKey(held, chain)))
  // Where the GPU has room, or all that leave it hold too little, any pod of the node may hold the CPU or memory that lacks.
  const own = free.filter(isOn)
  const isEnoughHost = (set: readonly Running[]): boolean =>
    sumOf(set, ({ cpuMilli }) => cpuMilli) >= lack.cpu && sumOf(set, ({ memory }) => memory) >= lack.memory
  const there = lack.milli === 0 || !isEnoughHost(own) ? free : own
  const milliHere = (set: readonly Running[]): number =>
    set.reduce((sum, one) => sum + (isOn(one) ? gpuMilliOf(one.demand.gpu) : 0), 0)
  // Moving as much as starts gains nothing.
  return setsOf(there, mostEvicted).filter(
    (set) => isEnoughHost(set) && milliHere(set) >= lack.milli && milliHere(set) < milliOf(demand),
  )
}

type Exchange = { readonly spot: Spot; readonly evicted: readonly Running[]; readonly chain: number }

function exchange(search: Search, demand: Demand, { spot, evicted, chain }: Exchange): boolean {
  const { fleet } = search
  const draft = new FleetDraft(fleet)
  for (const running of evicted) draft.take(running.demand, running.spot)
  const moves: Moved[] = []
  const found =
    draft.put(demand, spot) &&
    evicted.every((running) => settle(search, running, { draft, moves, chain, going: new Set(evicted) }))
  draft.back()
  return found && moves.length <= search.movesLeft && carryOut(search, moves, { demand, spot })
}

type Moved = { readonly running: Running; readonly to: Spot }

type Settling = {
  readonly draft: FleetDraft
  /** In an order in which each finds its room free, but for what the draft has not done in that order. */
  readonly moves: Moved[]
  readonly chain: number
  readonly going: Set<Running>
}

/** A new spot for a pod that has none: free room, or the place of a smaller pod that goes on in turn. */
function settle(search: Search, running: Running, settling: Settling): boolean {
  const { demand } = running
  const { draft, moves, chain, going } = settling
  const to = search.chooser.choose(demand)
  if (to !== undefined) {
    draft.put(demand, to)
    moves.push({ running, to })
    return true
  }
  const key = stuckKey(demand, chain)
  if (search.stuck.has(key)) return false
  for (const next of chain === 0 ? [] : successors(search, demand, settling)) {
    const mark = draft.length
    const made = moves.length
    draft.take(next.demand, next.spot)
    going.add(next)
    if (draft.put(demand, next.spot) && settle(search, next, { ...settling, chain: chain - 1 })) {
      moves.push({ running, to: next.spot })
      return true
    }
    going.delete(next)
    moves.length = made
    draft.back(mark)
  }
  search.stuck.add(key)
  return false
}

/** Smaller pods whose place would do, of each kind one, the smallest first: so chains end soon. */
function successors(search: Search, demand: Demand, { chain, going }: Settling): readonly Running[] {
  const { fleet, running, stuck } = search
  const found = new Map<string, Running>()
  for (const [node, there] of running.entries()) {
    if (!allowsModel(demand, fleet.nodes[node]?.model)) continue
    for (const one of there) {
      if (!givesWay(fleet, one, demand) || going.has(one)) continue
      const key = demandKey(one.demand)
      if (!found.has(key) && !stuck.has(stuckKey(one.demand, chain - 1))) found.set(key, one)
    }
  }
  return [...found.values()].toSorted((a, b) => milliOf(a.demand) - milliOf(b.demand)).slice(0, WIDTH)
}

/** Whether the demand fits where this smaller one is once that goes; of equal share, with less CPU, is smaller too. */
function givesWay(fleet: Fleet, { demand: held, spot: { node, gpus } }: Running, demand: Demand): boolean {
  const [gpu, ...others] = gpus
  const spare = milliOf(demand) - milliOf(held)
  if (gpu === undefined || others.length > 0 || spare < 0 || spare > at(fleet.milliFree, gpu)) return false
  return (
    (spare > 0 || held.cpuMilli < demand.cpuMilli) &&
    demand.cpuMilli - held.cpuMilli <= at(fleet.cpuFree, node) &&
    demand.memory - held.memory <= at(fleet.memoryFree, node)
  )
}

type Start = { readonly demand: Demand; readonly spot: Spot }

/** Does the moves one by one, each into room that is free by then, and starts the pod; all of it or nothing. */
function carryOut(search: Search, moves: readonly Moved[], { demand, spot }: Start): boolean {
  const draft = new FleetDraft(search.fleet)
  for (const { running, to } of moves) {
    draft.take(running.demand, running.spot)
    if (draft.put(running.demand, to)) continue
    draft.back()
    return false
  }
  if (!draft.put(demand, spot)) {
    draft.back()
    return false
  }
  for (const { running, to } of moves) recordMove(search, running, to)
  recordStart(search, demand, spot)
  return true
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

const stuckKey = (demand: Demand, chain: number): string => `${chain} ${demandKey(demand)}`

/** All sets of so many. */
const setsOf = (all: readonly Running[], count: number): Running[][] =>
  count === 0 ? [[]] : all.flatMap((one, index) => setsOf(all.slice(index + 1), count - 1).map((set) => [one, ...set]))
