import type { PlacedInstance } from '../../gpu/layout.ts'
import type { Mib } from '../../units.ts'
import { askProblem, isAmount, type PlaceAsk, type PlacedPod, type PlaceNode } from './place-index-ask.ts'
import { PlaceFleet } from './place-index-fleet.ts'
import type { Group, Signature } from './place-index-signatures.ts'
import { AskReader, type ReadAsk, type PlaceTarget } from './place-index-reader.ts'
import type { MarketGpu, MarketMove } from './place-index-market.ts'

/**
 * Places pods one by one in a large fleet. GPUs in one state under one set of rules are one group, so a decision costs as
 * many steps as there are different states, however many GPUs have them. Of all places that the filters allow it takes the
 * one that shuts out least future demand: the least loss of room, each profile priced by its demand over the room left.
 */
export class PlaceIndex {
  readonly fleet: PlaceFleet
  private readonly reader: AskReader
  private readonly renewEvery: number
  /** What was placed and not yet given back: only that can be. */
  private readonly held = new Set<PlacedPod>()
  private changes = 0
  private cheapest: MarketMove | undefined

  /** Prices are made again after every `renewEvery` arrivals and changes: 1 is exact, more is faster. */
  constructor(nodes: readonly PlaceNode[], { renewEvery = 16 }: { readonly renewEvery?: number } = {}) {
    if (!Number.isInteger(renewEvery) || renewEvery < 1) throw new Error('renewEvery is a whole number from 1')
    this.fleet = new PlaceFleet(nodes)
    this.reader = new AskReader(this.fleet)
    this.renewEvery = renewEvery
    this.renew()
  }

  /** Where the ask would go now. Undefined: it fits nowhere. Throws on an ask that nothing could mean. */
  choose(ask: PlaceAsk): IndexSpot | undefined {
    const problem = askProblem(ask)
    if (problem !== undefined) throw new Error(problem)
    const read = this.reader.read(ask)
    const { wants } = ask
    if (wants.kind === 'whole') return this.chooseNode(read, wants.count)
    return this.chooseGpu(read)
  }

  /** Chooses, counts the arrival as demand to expect, and takes the room. Undefined: it fits nowhere. */
  place(ask: PlaceAsk): PlacedPod | undefined {
    const spot = this.choose(ask)
    this.learn(ask)
    if (spot !== undefined) return this.take(ask, spot)
    this.changed()
    return undefined
  }

  /** Takes the room at a spot that `choose` gave since the last change. */
  take(ask: PlaceAsk, { node, gpus, move, loss }: IndexSpot): PlacedPod {
    const { fleet } = this
    const { wants, scheduling } = ask
    let instance: PlacedInstance | undefined
    for (const gpu of gpus) {
      const market = fleet.marketOf(gpu)
      if (wants.kind === 'whole') fleet.setState(gpu, market.held)
      else if (wants.kind === 'share') fleet.share(gpu, ask.tenant, wants.milli)
      else if (move !== undefined) instance = fleet.giveInstance(gpu, move)
    }
    fleet.addRoom(node, { cpuMilli: 0 - scheduling.cpuMilli, memory: 0 - scheduling.memory })
    this.changed()
    const placed = { ask, node: fleet.nodeId(node), gpus: gpus.map((gpu) => fleet.gpuId(gpu)), instance, loss }
    this.held.add(placed)
    return placed
  }

  /** Gives back what a placed pod held. Throws on one that this index does not hold (any more). */
  release(placed: PlacedPod): void {
    const { fleet } = this
    const { ask, node, gpus, instance } = placed
    if (!this.held.delete(placed)) throw new Error(`the index does not hold this pod on ${node}`)
    const { wants, scheduling } = ask
    for (const id of gpus) {
      const gpu = fleet.gpuNumber(id)
      if (wants.kind === 'whole') fleet.setState(gpu, fleet.emptyState(gpu))
      else if (wants.kind === 'share') fleet.unshare(gpu, wants.milli)
      else if (instance === undefined) fleet.setState(gpu, fleet.emptyState(gpu))
      else fleet.takeBack(gpu, instance)
    }
    fleet.addRoom(fleet.nodeNumber(node), { cpuMilli: scheduling.cpuMilli, memory: scheduling.memory })
    this.changed()
  }

  /** A node's allocatable CPU and memory changed: pods there keep what they have. */
  setRoom(node: string, room: { readonly cpuMilli: number; readonly memory: Mib }): void {
    if (!isAmount(room.cpuMilli) || !isAmount(room.memory)) throw new Error(`${node}: CPU and memory are 0 or more`)
    this.fleet.setAllocatable(this.fleet.nodeNumber(node), room)
    this.changed()
  }

  /** The different states of GPUs now, over all sets of rules: what a decision's cost grows with. */
  states(): number {
    return this.fleet.signatures.reduce((sum, { groups }) => sum + groups.filter(({ pile }) => pile.size > 0).length, 0)
  }

  /**
   * What `choose` answers for one GPU, found by looking at every GPU of the fleet: what the index is measured and tested
   * against.
   */
  chooseByScan(ask: PlaceAsk): IndexSpot | undefined {
    const read = this.reader.read(ask)
    const best: Best = { loss: Number.POSITIVE_INFINITY, gpu: -1, move: undefined }
    for (const target of read.targets) {
      for (let node = 0; node < this.fleet.nodes.length; node += 1) {
        if (this.fleet.signatureOf(node) !== target.signature || !read.fits(node)) continue
        for (const gpu of this.fleet.gpusOfNode(node)) this.tryGpu(gpu, target, { read, best })
      }
    }
    const { gpu, move, loss } = best
    return gpu < 0 ? undefined : { node: this.fleet.nodeOf(gpu), gpus: [gpu], move, loss }
  }

  private tryGpu(gpu: number, target: PlaceTarget, { read, best }: Search): void {
    const state = this.fleet.state(gpu)
    if (state.tenant !== -1 && state.tenant !== read.tenant) return
    const loss = this.leastLoss(state, target, read.milli)
    if (loss < best.loss - TOLERANCE) Object.assign(best, { loss, gpu, move: this.cheapest })
  }

  private chooseGpu(read: ReadAsk): IndexSpot | undefined {
    const best: Best = { loss: Number.POSITIVE_INFINITY, gpu: -1, move: undefined }
    for (const target of read.targets) {
      for (const group of target.signature.byTenant.get(-1) ?? []) this.tryGroup(group, target, { read, best })
      if (read.milli === 0) continue
      for (const group of target.signature.byTenant.get(read.tenant) ?? []) this.tryGroup(group, target, { read, best })
    }
    const { gpu, move, loss } = best
    return gpu < 0 ? undefined : { node: this.fleet.nodeOf(gpu), gpus: [gpu], move, loss }
  }

  private tryGroup(group: Group, target: PlaceTarget, { read, best }: Search): void {
    if (group.pile.size === 0) return
    const loss = this.leastLoss(group.state, target, read.milli)
    if (loss >= best.loss - TOLERANCE) return
    const gpu = group.pile.find(read.ask.scheduling, read.fitsGpu)
    if (gpu === undefined) return
    best.loss = loss
    best.gpu = gpu
    best.move = this.cheapest
  }

  /** The least loss over the ways in which a GPU in this state can serve the ask; leaves the way in `cheapest`. */
  private leastLoss(state: MarketGpu, { signature, rows }: PlaceTarget, milli: number): number {
    const { market, price } = signature
    const before = market.value(state)
    const tie = state.fullness * FULLNESS
    this.cheapest = undefined
    if (milli > 0) return this.shareLoss(state, milli, before * price) - tie
    let most = Number.NEGATIVE_INFINITY
    for (const row of rows) {
      for (const move of market.moves(state, row)) {
        const after = market.value(move.next)
        if (after <= most + TOLERANCE) continue
        most = after
        this.cheapest = move
      }
    }
    return this.cheapest === undefined ? Number.POSITIVE_INFINITY : (before - most) * price - tie
  }

  private shareLoss({ key }: MarketGpu, milli: number, value: number): number {
    if (key.kind !== 'shared' || key.milli < milli) return Number.POSITIVE_INFINITY
    return key.milli === FULL ? value : 0
  }

  private chooseNode(read: ReadAsk, count: number): IndexSpot | undefined {
    let best: { readonly loss: number; readonly node: number } | undefined
    for (const { signature } of read.targets) {
      for (let free = count; free < signature.byWholeFree.length; free += 1) {
        const pile = signature.byWholeFree[free]
        if (pile === undefined || pile.size === 0) continue
        const loss = count * this.wholeLoss(signature) - FULLNESS / (1 + free)
        if (best !== undefined && loss >= best.loss - TOLERANCE) continue
        const node = pile.find(read.ask.scheduling, read.fits)
        if (node !== undefined) best = { loss, node }
      }
    }
    if (best === undefined) return undefined
    const gpus = this.fleet.freeGpus(best.node).slice(0, count)
    return { node: best.node, gpus, move: undefined, loss: best.loss }
  }

  private wholeLoss({ market, price, empty }: Signature): number {
    return empty === undefined ? 0 : market.value(empty) * price
  }

  private learn(ask: PlaceAsk): void {
    for (const { market, row, part } of this.reader.read(ask).demand) market.learn(row, part)
  }

  private changed(): void {
    this.changes += 1
    if (this.changes % this.renewEvery === 0) this.renew()
  }

  private renew(): void {
    for (const market of this.fleet.markets) market.renew()
  }
}

/** GPUs and node by their number in the index; for `take` only. */
export type IndexSpot = {
  readonly node: number
  readonly gpus: readonly number[]
  readonly move: MarketMove | undefined
  readonly loss: number
}

type Best = { loss: number; gpu: number; move: MarketMove | undefined }
type Search = { readonly read: ReadAsk; readonly best: Best }

const FULL = 1000
const TOLERANCE = 1e-12
// Far below any difference in room: it only chooses among equals.
const FULLNESS = 1e-6
