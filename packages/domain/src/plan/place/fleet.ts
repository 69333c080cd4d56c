import type { Mib } from '../../units.ts'
import { GPU_MILLI, type Demand } from './demand.ts'

/** A node as placement sees it: what it has before any pod runs there. */
export type ShareNode = {
  readonly id: string
  /** Thousandths of a core. */
  readonly cpuMilli: number
  readonly memory: Mib
  /** GPU model; empty where the node has no GPU. */
  readonly model: string
  readonly pool: string
  readonly gpus: number
}

/**
 * A working copy of a fleet's free room, changed by `place` and `undo` only. Nodes and GPUs are known by their index:
 * the GPUs of node n are `firstGpu[n]` up to, not including, `firstGpu[n + 1]`.
 */
export type ShareFleet = {
  readonly nodes: readonly ShareNode[]
  readonly firstGpu: Int32Array
  readonly nodeOfGpu: Int32Array
  /** Thousandths of a core free per node. */
  readonly cpuFree: Float64Array
  /** MiB free per node. */
  readonly memoryFree: Float64Array
  /** Thousandths free per GPU. */
  readonly milliFree: Int32Array
  /** Who shares the GPU, as a number of `tenants`; -1: nobody. */
  readonly tenantOfGpu: Int32Array
  readonly sharersOfGpu: Int32Array
  /** GPUs of a node that nobody holds any part of. */
  readonly wholeFree: Int32Array
  readonly tenants: Map<string, number>
  /** The nodes that changed last, a ring: change number i is at `i % length`. */
  readonly changes: Int32Array
  changeCount: number
}

/** Where a demand goes: a node and the GPUs it takes there (none, one to share, or `count` whole ones). */
export type Spot = { readonly node: number; readonly gpus: readonly number[] }

/** An empty fleet. Order of nodes is kept: sort by id first where the answer must not depend on the input's order. */
export function shareFleet(nodes: readonly ShareNode[]): ShareFleet {
  const firstGpu = new Int32Array(nodes.length + 1)
  nodes.forEach(({ gpus }, node) => {
    firstGpu[node + 1] = at(firstGpu, node) + gpus
  })
  const gpus = at(firstGpu, nodes.length)
  const nodeOfGpu = new Int32Array(gpus)
  nodes.forEach((_, node) => nodeOfGpu.fill(node, firstGpu[node], firstGpu[node + 1]))
  return {
    nodes,
    firstGpu,
    nodeOfGpu,
    cpuFree: Float64Array.from(nodes, ({ cpuMilli }) => cpuMilli),
    memoryFree: Float64Array.from(nodes, ({ memory }) => memory),
    milliFree: new Int32Array(gpus).fill(GPU_MILLI),
    tenantOfGpu: new Int32Array(gpus).fill(NOBODY),
    sharersOfGpu: new Int32Array(gpus),
    wholeFree: Int32Array.from(nodes, (node) => node.gpus),
    tenants: new Map(),
    changes: new Int32Array(Math.max(16, 2 * nodes.length)),
    changeCount: 0,
  }
}

/** Takes the room. The spot must be one that `fitsNode` and `fitsGpu` allow; it throws otherwise and changes nothing. */
export function place(fleet: ShareFleet, demand: Demand, spot: Spot): void {
  if (!isLegal(fleet, demand, spot)) throw new Error(`${demand.id} does not fit at ${nodeId(fleet, spot)}`)
  const { gpu } = demand
  if (gpu.kind === 'whole') for (const index of spot.gpus) takeMilli(fleet, index, GPU_MILLI)
  if (gpu.kind === 'share') {
    for (const index of spot.gpus) {
      takeMilli(fleet, index, gpu.milli)
      fleet.tenantOfGpu[index] = tenantNumber(fleet, demand.tenant)
      fleet.sharersOfGpu[index] = at(fleet.sharersOfGpu, index) + 1
    }
  }
  addRoom(fleet, demand, { node: spot.node, sign: -1 })
}

/** Gives back what `place` took with the same demand and spot. */
export function undo(fleet: ShareFleet, demand: Demand, spot: Spot): void {
  const { gpu } = demand
  if (gpu.kind === 'whole') for (const index of spot.gpus) takeMilli(fleet, index, -GPU_MILLI)
  if (gpu.kind === 'share') {
    for (const index of spot.gpus) {
      takeMilli(fleet, index, -gpu.milli)
      const sharers = at(fleet.sharersOfGpu, index) - 1
      fleet.sharersOfGpu[index] = sharers
      if (sharers === 0) fleet.tenantOfGpu[index] = NOBODY
    }
  }
  addRoom(fleet, demand, { node: spot.node, sign: 1 })
}

/** Whether the demand fits on the node now: model, CPU, memory, and GPU room. */
export function fitsNode(fleet: ShareFleet, demand: Demand, node: number): boolean {
  if (demand.cpuMilli > at(fleet.cpuFree, node) || demand.memory > at(fleet.memoryFree, node)) return false
  if (!allowsModel(demand, fleet.nodes[node]?.model)) return false
  const { gpu } = demand
  if (gpu.kind === 'none') return true
  if (gpu.kind === 'whole') return gpu.count <= at(fleet.wholeFree, node)
  const end = at(fleet.firstGpu, node + 1)
  for (let index = at(fleet.firstGpu, node); index < end; index += 1) if (fitsGpu(fleet, demand, index)) return true
  return false
}

/** Whether one GPU can take its part of the demand: wholly free, or milli enough and no other tenant's. */
export function fitsGpu(fleet: ShareFleet, { gpu, tenant }: Demand, index: number): boolean {
  const free = at(fleet.milliFree, index)
  if (gpu.kind !== 'share') return free === GPU_MILLI
  if (gpu.milli > free) return false
  const holder = at(fleet.tenantOfGpu, index)
  return holder === NOBODY || holder === fleet.tenants.get(tenant ?? '')
}

/** Whether the demand may run on this GPU model. A demand without GPUs and without limits runs anywhere. */
export function allowsModel({ models }: Demand, model: string | undefined): boolean {
  return models.length === 0 || (model !== undefined && models.includes(model))
}

/** The first wholly free GPUs of a node. */
export function firstWholeGpus(fleet: ShareFleet, node: number, count: number): number[] {
  const found: number[] = []
  const end = at(fleet.firstGpu, node + 1)
  for (let index = at(fleet.firstGpu, node); index < end && found.length < count; index += 1)
    if (fleet.milliFree[index] === GPU_MILLI) found.push(index)
  return found
}

/** A number of a typed array, where the index is known to be inside. */
export function at(numbers: Int32Array | Float64Array | Uint8Array, index: number): number {
  return numbers[index] ?? 0
}

const NOBODY = -1

function isLegal(fleet: ShareFleet, demand: Demand, { node, gpus }: Spot): boolean {
  if (!isDemand(demand) || gpus.length !== gpusOf(demand) || new Set(gpus).size !== gpus.length) return false
  if (!gpus.every((index) => fleet.nodeOfGpu[index] === node && fitsGpu(fleet, demand, index))) return false
  return fleet.nodes[node] !== undefined && fitsNode(fleet, demand, node)
}

/** Whether the figures mean anything: a share of nothing, say, would leave a GPU both free and held. */
function isDemand({ cpuMilli, memory, gpu }: Demand): boolean {
  const isPart = gpu.kind !== 'share' || (Number.isInteger(gpu.milli) && gpu.milli > 0 && gpu.milli < GPU_MILLI)
  return isPart && isAmount(cpuMilli) && isAmount(memory)
}

function gpusOf({ gpu }: Demand): number {
  if (gpu.kind === 'none') return 0
  return gpu.kind === 'whole' ? gpu.count : 1
}

function takeMilli(fleet: ShareFleet, index: number, milli: number): void {
  const before = at(fleet.milliFree, index)
  const after = before - milli
  const node = at(fleet.nodeOfGpu, index)
  fleet.milliFree[index] = after
  const change = Number(after === GPU_MILLI) - Number(before === GPU_MILLI)
  fleet.wholeFree[node] = at(fleet.wholeFree, node) + change
}

function addRoom(fleet: ShareFleet, demand: Demand, { node, sign }: { node: number; sign: 1 | -1 }): void {
  fleet.cpuFree[node] = at(fleet.cpuFree, node) + sign * demand.cpuMilli
  fleet.memoryFree[node] = at(fleet.memoryFree, node) + sign * demand.memory
  fleet.changes[fleet.changeCount % fleet.changes.length] = node
  fleet.changeCount += 1
}

function tenantNumber({ tenants }: ShareFleet, tenant = ''): number {
  const known = tenants.get(tenant)
  if (known !== undefined) return known
  tenants.set(tenant, tenants.size)
  return tenants.size - 1
}

function nodeId(fleet: ShareFleet, { node }: Spot): string {
  return fleet.nodes[node]?.id ?? `node ${node}`
}

/** Whether it is a number from 0; an endless one would leave of what is left no number. */
const isAmount = (amount: number): boolean => Number.isFinite(amount) && amount >= 0
