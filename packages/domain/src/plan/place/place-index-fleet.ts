import type { GpuId } from '../../cluster/node.ts'
import { profileOf } from '../../gpu/board.ts'
import type { PlacedInstance } from '../../gpu/layout.ts'
import type { PlaceGpu, PlaceNode } from './place-index-ask.ts'
import { emptyDynamic, type MarketGpu, type Market, type MarketMove } from './place-index-market.ts'
import { bandOf, Pile } from './place-index-pile.ts'
import { groupNodes, type Group, type Signature } from './place-index-signatures.ts'

/** An instance that is held, or was cut beforehand and is free. */
export type FleetInstance = { readonly instance: PlacedInstance; held: boolean }

/** The free room of all nodes and GPUs, known by number, and the groups that they are in. */
export class PlaceFleet {
  readonly nodes: readonly PlaceNode[]
  readonly signatures: readonly Signature[]
  readonly markets: readonly Market[]
  /** Label keys that groups do not tell apart, because nearly every node has a value of its own. */
  readonly ungrouped: ReadonlySet<string>
  /** GPUs of the node that has most of them. */
  readonly mostGpus: number
  readonly cpuFree: Float64Array
  readonly memoryFree: Float64Array
  readonly instances: FleetInstance[][]
  private readonly signatureOfNode: readonly Signature[]
  private readonly gpus: ReadonlyArray<{ readonly node: number; readonly gpu: PlaceGpu }>
  private readonly gpusOf: ReadonlyArray<readonly number[]>
  private readonly states: MarketGpu[] = []
  private readonly gpuPlaces: Int32Array
  private readonly nodePlaces: Int32Array
  private readonly bands: Int32Array
  private readonly wholeFree: Int32Array
  private readonly allocated: ReadonlyArray<{ cpuMilli: number; memory: number }>
  private readonly gpuNumbers: ReadonlyMap<GpuId, number>
  private readonly nodeNumbers: ReadonlyMap<string, number>
  private readonly tenants = new Map<string, number>()
  private readonly tenantNames: string[] = []

  constructor(nodes: readonly PlaceNode[]) {
    this.nodes = nodes
    const grouped = groupNodes(nodes)
    this.signatures = grouped.signatures
    this.markets = grouped.markets
    this.ungrouped = grouped.ungrouped
    this.signatureOfNode = grouped.signatureOfNode
    this.gpus = nodes.flatMap(({ gpus }, node) => gpus.map((gpu) => ({ node, gpu })))
    const gpusOf: number[][] = nodes.map(() => [])
    for (const [index, { node }] of this.gpus.entries()) gpusOf[node]?.push(index)
    this.gpusOf = gpusOf
    this.gpuNumbers = numbered(this.gpus.map(({ gpu }) => gpu.id))
    this.nodeNumbers = numbered(nodes.map(({ id }) => id))
    this.mostGpus = nodes.reduce((most, { gpus }) => Math.max(most, gpus.length), 0)
    this.allocated = nodes.map(({ room }) => ({ cpuMilli: room.cpuUsed ?? 0, memory: room.memoryUsed ?? 0 }))
    this.cpuFree = Float64Array.from(nodes, ({ room }) => (room.cpuMilli ?? Infinity) - (room.cpuUsed ?? 0))
    this.memoryFree = Float64Array.from(nodes, ({ room }) => (room.memory ?? Infinity) - (room.memoryUsed ?? 0))
    this.bands = Int32Array.from(nodes, (_, node) => this.bandNow(node))
    this.gpuPlaces = new Int32Array(this.gpus.length)
    this.nodePlaces = new Int32Array(nodes.length)
    this.wholeFree = new Int32Array(nodes.length)
    this.instances = this.gpus.map(({ gpu }) => firstInstances(gpu))
    for (let node = 0; node < nodes.length; node += 1) this.enter(node)
  }

  nodeOf = (gpu: number): number => this.gpus[gpu]?.node ?? -1
  nodeId = (node: number): string => this.nodes[node]?.id ?? ''
  gpuId = (gpu: number): GpuId => this.gpus[gpu]?.gpu.id ?? ''
  gpuNumber = (id: GpuId): number => known(this.gpuNumbers, id)
  nodeNumber = (id: string): number => known(this.nodeNumbers, id)
  gpusOfNode = (node: number): readonly number[] => this.gpusOf[node] ?? []
  marketOf = (gpu: number): Market => this.signatureOf(this.nodeOf(gpu)).market

  state(gpu: number): MarketGpu {
    const state = this.states[gpu]
    if (state === undefined) throw new Error(`no GPU ${gpu}`)
    return state
  }

  /** The tenant's number, from 0. */
  tenant(name: string | undefined): number {
    const number = this.tenants.get(name ?? '')
    if (number !== undefined) return number
    this.tenants.set(name ?? '', this.tenants.size)
    return this.tenantNames.push(name ?? '') - 1
  }

  /** The tenant of a number; empty for those who named none. */
  tenantName = (number: number): string => this.tenantNames[number] ?? ''

  /** The state of a GPU that nobody holds, by the way it is cut. */
  emptyState(gpu: number): MarketGpu {
    const market = this.marketOf(gpu)
    const kind = this.gpus[gpu]?.gpu.kind
    return kind === 'dynamic' ? emptyDynamic(market) : market.shared(-1, FULL)
  }

  freeGpus(node: number): readonly number[] {
    const { market } = this.signatureOf(node)
    return this.gpusOfNode(node).filter((gpu) => (this.state(gpu).rooms[market.whole] ?? 0) > 0)
  }

  share(gpu: number, tenant: string | undefined, milli: number): void {
    const { key } = this.state(gpu)
    if (key.kind !== 'shared') throw new Error(`GPU ${this.gpuId(gpu)} is not divided by software`)
    this.setState(gpu, this.marketOf(gpu).shared(this.tenant(tenant), key.milli - milli))
  }

  unshare(gpu: number, milli: number): void {
    const { key } = this.state(gpu)
    if (key.kind !== 'shared') throw new Error(`GPU ${this.gpuId(gpu)} is not divided by software`)
    const free = key.milli + milli
    this.setState(gpu, this.marketOf(gpu).shared(free === FULL ? -1 : key.tenant, free))
  }

  /** Makes or hands out the instance that a move says; none where it is the whole GPU. */
  giveInstance(gpu: number, { next, instance, row }: MarketMove): PlacedInstance | undefined {
    const there = this.instances[gpu] ?? []
    this.setState(gpu, next)
    if (instance !== undefined) {
      there.push({ instance, held: true })
      return instance
    }
    const market = this.marketOf(gpu)
    if (row === market.whole) return undefined
    const free = there.find((one) => !one.held && this.rowOf(market, one.instance) === row)
    if (free === undefined) throw new Error(`GPU ${this.gpuId(gpu)} has no free instance`)
    free.held = true
    return free.instance
  }

  takeBack(gpu: number, instance: PlacedInstance): void {
    const market = this.marketOf(gpu)
    const there = this.instances[gpu] ?? []
    const at = there.findIndex((one) => one.held && one.instance.placement.start === instance.placement.start)
    const one = there[at]
    if (one === undefined) throw new Error(`GPU ${this.gpuId(gpu)} does not hold that instance`)
    const state = this.state(gpu)
    this.setState(gpu, market.without(state, this.rowOf(market, instance), instance))
    if (state.key.kind === 'cut') one.held = false
    else there.splice(at, 1)
  }

  setState(gpu: number, next: MarketGpu): void {
    const node = this.nodeOf(gpu)
    const state = this.state(gpu)
    const { market } = this.signatureOf(node)
    this.groupOf(node, state).pile.remove(gpu, this.band(node), this.gpuPlaces)
    for (let row = 0; row <= market.whole; row += 1)
      market.rooms[row] = (market.rooms[row] ?? 0) + (next.rooms[row] ?? 0) - (state.rooms[row] ?? 0)
    this.states[gpu] = next
    this.groupOf(node, next).pile.add(gpu, this.band(node), this.gpuPlaces)
    const free = (next.rooms[market.whole] ?? 0) - (state.rooms[market.whole] ?? 0)
    if (free !== 0) this.setWholeFree(node, (this.wholeFree[node] ?? 0) + free)
  }

  addRoom(node: number, { cpuMilli, memory }: { readonly cpuMilli: number; readonly memory: number }): void {
    const allocated = this.allocated[node]
    if (allocated === undefined) return
    allocated.cpuMilli -= cpuMilli
    allocated.memory -= memory
    this.setFree(node, (this.cpuFree[node] ?? 0) + cpuMilli, (this.memoryFree[node] ?? 0) + memory)
  }

  setAllocatable(node: number, { cpuMilli, memory }: { readonly cpuMilli: number; readonly memory: number }): void {
    const allocated = this.allocated[node] ?? { cpuMilli: 0, memory: 0 }
    this.setFree(node, cpuMilli - allocated.cpuMilli, memory - allocated.memory)
  }

  private setFree(node: number, cpuMilli: number, memory: number): void {
    this.cpuFree[node] = cpuMilli
    this.memoryFree[node] = memory
    const band = this.bandNow(node)
    if (band === this.band(node)) return
    const signature = this.signatureOf(node)
    for (const gpu of this.gpusOfNode(node))
      this.groupOf(node, this.state(gpu)).pile.remove(gpu, this.band(node), this.gpuPlaces)
    wholePile(signature, this.wholeFree[node] ?? 0).remove(node, this.band(node), this.nodePlaces)
    this.bands[node] = band
    for (const gpu of this.gpusOfNode(node)) this.groupOf(node, this.state(gpu)).pile.add(gpu, band, this.gpuPlaces)
    wholePile(signature, this.wholeFree[node] ?? 0).add(node, band, this.nodePlaces)
  }

  private setWholeFree(node: number, count: number): void {
    const signature = this.signatureOf(node)
    wholePile(signature, this.wholeFree[node] ?? 0).remove(node, this.band(node), this.nodePlaces)
    this.wholeFree[node] = count
    wholePile(signature, count).add(node, this.band(node), this.nodePlaces)
  }

  private enter(node: number): void {
    const signature = this.signatureOf(node)
    const { market } = signature
    let whole = 0
    for (const gpu of this.gpusOfNode(node)) {
      const state = this.firstState(gpu, market)
      this.states[gpu] = state
      market.gpus += 1
      for (let row = 0; row <= market.whole; row += 1)
        market.rooms[row] = (market.rooms[row] ?? 0) + (state.rooms[row] ?? 0)
      whole += state.rooms[market.whole] ?? 0
      this.groupOf(node, state).pile.add(gpu, this.band(node), this.gpuPlaces)
    }
    this.wholeFree[node] = whole
    wholePile(signature, whole).add(node, this.band(node), this.nodePlaces)
  }

  private firstState(gpu: number, market: Market): MarketGpu {
    const first = this.gpus[gpu]?.gpu
    if (first === undefined || isHeldWhole(first)) return market.held
    const there = this.instances[gpu] ?? []
    if (first.kind === 'cut') return market.cut(this.countsOf(there, market))
    return there.length === 0
      ? this.emptyState(gpu)
      : market.dynamicWith(there.map(({ instance }) => ({ instance, row: this.rowOf(market, instance) })))
  }

  /** Free instances by row. */
  private countsOf(there: readonly FleetInstance[], market: Market): readonly number[] {
    const counts = Array.from({ length: market.whole }, () => 0)
    for (const { instance, held } of there) {
      const row = this.rowOf(market, instance)
      if (!held) counts[row] = (counts[row] ?? 0) + 1
    }
    return counts
  }

  private rowOf({ board, rowOf }: Market, { profile: name }: PlacedInstance): number {
    const profile = board === undefined ? undefined : profileOf(board, name)
    if (profile === undefined) throw new Error(`no profile ${name} on this board`)
    return rowOf(profile)
  }

  private groupOf(node: number, state: MarketGpu): Group {
    const { byState, byTenant, groups } = this.signatureOf(node)
    const found = byState.get(state)
    if (found !== undefined) return found
    const made: Group = { state, pile: new Pile() }
    byState.set(state, made)
    groups.push(made)
    const same = byTenant.get(state.tenant) ?? []
    byTenant.set(state.tenant, same)
    same.push(made)
    return made
  }

  signatureOf(node: number): Signature {
    const signature = this.signatureOfNode[node]
    if (signature === undefined) throw new Error(`no node ${node}`)
    return signature
  }

  private band = (node: number): number => this.bands[node] ?? 0
  private bandNow = (node: number): number => bandOf(this.cpuFree[node] ?? 0, this.memoryFree[node] ?? 0)
}

const FULL = 1000

/** The instances of a GPU before the index has placed a pod. */
function firstInstances(gpu: PlaceGpu): FleetInstance[] {
  if (gpu.kind === 'whole' || gpu.held === 'whole') return []
  if (gpu.kind === 'dynamic') return (gpu.held ?? []).map((instance) => ({ instance, held: true }))
  const held = new Set(gpu.held?.map(({ placement }) => placement.start))
  return gpu.layout.map((instance) => ({ instance, held: held.has(instance.placement.start) }))
}

const isHeldWhole = (gpu: PlaceGpu): boolean => gpu.kind !== 'cut' && (gpu.held === true || gpu.held === 'whole')

function wholePile({ byWholeFree }: Signature, count: number): Pile {
  while (byWholeFree.length <= count) byWholeFree.push(new Pile())
  return byWholeFree[count] ?? new Pile()
}

function numbered(ids: readonly string[]): ReadonlyMap<string, number> {
  const numbers = new Map(ids.map((id, index) => [id, index]))
  if (numbers.size !== ids.length) throw new Error('two nodes or GPUs have one id')
  return numbers
}

function known(numbers: ReadonlyMap<string, number>, id: string): number {
  const number = numbers.get(id)
  if (number === undefined) throw new Error(`${id} is not in this fleet`)
  return number
}
