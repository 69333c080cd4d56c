import type { PlacedInstance } from '../../gpu/layout.ts'
import type { Mib } from '../../units.ts'
import { askProblem } from './place-index-ask.ts'
import type { PlaceAsk, PlacedPod, PlaceNode } from './place-index-ask.ts'
import { PlaceFleet } from './place-index-fleet.ts'
import type { Group, Signature } from './place-index-signatures.ts'
import { AskReader } from './place-index-reader.ts'
import type { ReadAsk, Target } from './place-index-reader.ts'
import type { Move } from './place-index-market.ts'
import { viewNode } from './place-index-view.ts'
import type { NodeView } from './place-index-view.ts'

/**
 * Places pods one by one in a large fleet. GPUs in one state under one set of rules are one group, so a decision costs as
 * many steps as there are different states, however many GPUs have them. Of all places that the filters allow it takes the
 * one that shuts out least future demand: the least loss of room, each profile priced by its demand over the room left.
 */
export class PlaceIndex {
  private readonly fleet: PlaceFleet
  private readonly reader: AskReader
  private readonly renewEvery: number
  private changes = 0

  /** Prices are made anew after every `renewEvery` arrivals and changes: 1 is exact, more is faster. */
  constructor(nodes: readonly PlaceNode[], { renewEvery = 16 }: { readonly renewEvery?: number } = {}) {
    this.fleet = new PlaceFleet(nodes)
    this.reader = new AskReader(this.fleet)
    this.renewEvery = renewEvery
    this.renew()
  }

  /** Where the ask would go now. Undefined: it fits nowhere. Throws on an ask that nothing could mean. */
  choose(ask: PlaceAsk): Spot | undefined {
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
  take(ask: PlaceAsk, { node, gpus, move, loss }: Spot): PlacedPod {
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
    return { ask, node: fleet.nodeId(node), gpus: gpus.map((gpu) => fleet.gpuId(gpu)), instance, loss }
  }

  /** Gives back what a placed pod held. */
  release({ ask, node, gpus, instance }: PlacedPod): void {
    const { fleet } = this
    const { wants, scheduling } = ask
    for (const id of gpus) {
      const gpu = fleet.gpuNumber(id)
      if (wants.kind === 'whole') fleet.setState(gpu, fleet.emptyState(gpu))
      else if (wants.kind === 'share') fleet.unshare(gpu, wants.milli)
      else if (instance !== undefined) fleet.takeBack(gpu, instance)
    }
    fleet.addRoom(fleet.nodeNumber(node), { cpuMilli: scheduling.cpuMilli, memory: scheduling.memory })
    this.changed()
  }

  /** A node's allocatable CPU and memory changed: pods there keep what they have. */
  setRoom(node: string, room: { readonly cpuMilli: number; readonly memory: Mib }): void {
    this.fleet.setAllocatable(this.fleet.nodeNumber(node), room)
    this.changed()
  }

  /** Every node as it is now. */
  nodes(): readonly NodeView[] {
    return this.fleet.nodes.map((_, node) => viewNode(this.fleet, node))
  }

  /** The different states of GPUs now, over all sets of rules: what a decision's cost grows with. */
  states(): number {
    return this.fleet.signatures.reduce((sum, { groups }) => sum + groups.filter(({ pile }) => pile.size > 0).length, 0)
  }

  private chooseGpu(read: ReadAsk): Spot | undefined {
    const best: Best = { loss: Number.POSITIVE_INFINITY, gpu: -1, move: undefined }
    for (const target of read.targets) {
      for (const group of target.signature.byTenant.get(-1) ?? []) this.tryGroup(group, target, { read, best })
      if (read.milli === 0) continue
      for (const group of target.signature.byTenant.get(read.tenant) ?? []) this.tryGroup(group, target, { read, best })
    }
    const { gpu, move, loss } = best
    return gpu < 0 ? undefined : { node: this.fleet.nodeOf(gpu), gpus: [gpu], move, loss }
  }

  private tryGroup(group: Group, target: Target, { read, best }: Search): void {
    if (group.pile.size === 0) return
    const move = this.bestMove(group, target, read.milli)
    if (move === undefined || move.loss >= best.loss - TOLERANCE) return
    const gpu = group.pile.find(read.ask.scheduling, (one) => read.fits(this.fleet.nodeOf(one)))
    if (gpu === undefined) return
    best.loss = move.loss
    best.gpu = gpu
    best.move = move.move
  }

  private bestMove({ state }: Group, { signature, rows }: Target, milli: number): Priced | undefined {
    const { market, price } = signature
    const value = market.value(state) * price
    const tie = state.fullness * FULLNESS
    if (milli > 0) {
      if (state.key.kind !== 'shared' || state.key.milli < milli) return undefined
      const whole = state.key.milli === FULL ? value : 0
      return { loss: whole - tie, move: undefined }
    }
    let best: Priced | undefined
    for (const row of rows) {
      for (const move of market.moves(state, row)) {
        const loss = value - market.value(move.next) * price - tie
        if (best === undefined || loss < best.loss - TOLERANCE) best = { loss, move: { ...move, row } }
      }
    }
    return best
  }

  private chooseNode(read: ReadAsk, count: number): Spot | undefined {
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
export type Spot = {
  readonly node: number
  readonly gpus: readonly number[]
  readonly move: RowMove | undefined
  readonly loss: number
}

export type RowMove = Move & { readonly row: number }

type Priced = { readonly loss: number; readonly move: RowMove | undefined }
type Best = { loss: number; gpu: number; move: RowMove | undefined }
type Search = { readonly read: ReadAsk; readonly best: Best }

const FULL = 1000
const TOLERANCE = 1e-12
// Far below any difference in room: it only chooses among equals.
const FULLNESS = 1e-6
