import type { ProfileName } from '../../gpu/geometry.ts'
import type { Geometry } from '../../gpu/layout.ts'
import type { Mib } from '../../units.ts'
import { compareText, mib } from '../../units.ts'
import type { Assignment, LayoutPlan } from './layout-answer.ts'
import { WHOLE_GPU } from './layout-problem.ts'

/** A node whose GPUs are of one supply class, with what it has left beside them. */
export type NodeBin = {
  readonly id: string
  readonly supplyClass: string
  readonly gpus: number
  /** Thousandths of a core. Undefined: not known, so it cannot bind. */
  readonly cpuMilli: number | undefined
  readonly memory: Mib | undefined
}

/** What each workload of a demand class needs of its node beside the partition. */
export type NodeNeed = {
  readonly demand: string
  readonly cpuMilli: number
  readonly memory: Mib
  /** Ids of the nodes whose labels and taints allow it. Undefined: any. */
  readonly allowed?: ReadonlySet<string>
  /** So many whole GPUs on one node make one workload; its assignments count GPUs. 1 where not given. */
  readonly together?: number
}

export type NodeFit = {
  /** What each node should be laid out as; GPUs that are not named stay empty. */
  readonly nodes: ReadonlyArray<{ readonly node: string; readonly geometry: Geometry; readonly gpus: number }>
  readonly seats: ReadonlyArray<Assignment & { readonly node: string }>
  readonly unseated: readonly Unseated[]
}

export type Unseated = {
  readonly demand: string
  readonly supplyClass: string
  readonly profile: ProfileName
  readonly count: number
  /** What every node with a free partition of this kind lacks; `no-node`: none that is allowed has one. */
  readonly kind: 'cpu' | 'memory' | 'together' | 'no-node'
  readonly because: string
}

/**
 * Puts a counted plan on named nodes, where CPU, memory, allowed nodes and whole groups of GPUs bind: spreads each class's
 * geometries evenly over its nodes, then seats the workloads that need most first, each on the allowed node that keeps most
 * CPU and memory free. A heuristic: what it cannot seat is reported with what was missing, and might fit another way.
 */
export function fitToNodes(plan: LayoutPlan, nodes: readonly NodeBin[], needs: readonly NodeNeed[]): NodeFit {
  const bins = nodes.toSorted((a, b) => compareText(a.id, b.id)).map(openBin)
  const known = new Map(needs.map((need) => [need.demand, need]))
  const orders = plan.assignments.map((assignment) => ({
    assignment,
    need: known.get(assignment.demand) ?? noNeed(assignment),
  }))
  const sorted = orders.toSorted(
    (a, b) =>
      togetherOf(b) - togetherOf(a) ||
      Number(b.need.allowed !== undefined) - Number(a.need.allowed !== undefined) ||
      b.need.cpuMilli - a.need.cpuMilli ||
      b.need.memory - a.need.memory ||
      compareText(a.assignment.demand, b.assignment.demand),
  )
  // Groups of whole GPUs need them on one node, so these are given out before other GPUs are cut.
  const groups = sorted.filter((order) => togetherOf(order) > 1)
  const singles = sorted.filter((order) => togetherOf(order) === 1)
  const seats: Seats = { taken: new Map(), unseated: [] }
  for (const order of groups) seatAll(order, bins, seats)
  spread(plan, bins, groupedGpus(groups))
  for (const order of singles) seatAll(order, bins, seats)
  return { nodes: bins.flatMap(laidOut), seats: [...seats.taken.values()], unseated: seats.unseated }
}

type Bin = {
  readonly node: NodeBin
  cpuMilli: number
  memory: number
  empty: number
  readonly free: Map<ProfileName, number>
  readonly cuts: Map<string, { readonly geometry: Geometry; gpus: number }>
}

type Order = { readonly assignment: Assignment; readonly need: NodeNeed }
type Seats = { readonly taken: Map<string, Assignment & { readonly node: string }>; readonly unseated: Unseated[] }

const openBin = (node: NodeBin): Bin => ({
  node,
  cpuMilli: node.cpuMilli ?? Infinity,
  memory: node.memory ?? Infinity,
  empty: node.gpus,
  free: new Map(),
  cuts: new Map(),
})

const noNeed = ({ demand }: Assignment): NodeNeed => ({ demand, cpuMilli: 0, memory: NO_MEMORY })

const NO_MEMORY = mib(0)

const groupedGpus = (groups: readonly Order[]): ReadonlyMap<string, number> => {
  const gpus = new Map<string, number>()
  for (const { assignment } of groups) {
    gpus.set(assignment.supplyClass, (gpus.get(assignment.supplyClass) ?? 0) + assignment.count)
  }
  return gpus
}

/** Gives each geometry to the nodes with most GPUs left, one GPU at a time, so that no node gets all of one kind. */
function spread({ layouts }: LayoutPlan, bins: readonly Bin[], grouped: ReadonlyMap<string, number>): void {
  for (const { supplyClass, geometry, gpus } of layouts) {
    const own = bins.filter(({ node }) => node.supplyClass === supplyClass)
    const isWhole = WHOLE_GPU in geometry
    for (let left = gpus - (isWhole ? (grouped.get(supplyClass) ?? 0) : 0); left > 0; left -= 1) {
      const bin = roomiest(own)
      if (bin === undefined) break
      cut(bin, geometry)
    }
  }
}

function roomiest(bins: readonly Bin[]): Bin | undefined {
  let best: Bin | undefined
  for (const bin of bins) if (bin.empty > (best?.empty ?? 0)) best = bin
  return best
}

function cut(bin: Bin, geometry: Geometry): void {
  const key = JSON.stringify(geometry)
  const known = bin.cuts.get(key)
  if (known === undefined) bin.cuts.set(key, { geometry, gpus: 1 })
  else known.gpus += 1
  bin.empty -= 1
  for (const [profile, count] of Object.entries(geometry)) bin.free.set(profile, (bin.free.get(profile) ?? 0) + count)
}

function seatAll(order: Order, bins: readonly Bin[], seats: Seats): void {
  const { assignment, need } = order
  const { demand, supplyClass, profile, count } = assignment
  const together = togetherOf(order)
  const possible = bins.filter(({ node }) => node.supplyClass === supplyClass && need.allowed?.has(node.id) !== false)
  for (let left = count; left > 0; left -= together) {
    const bin = left < together ? undefined : bestBin(possible, order)
    if (bin === undefined) {
      const why = left < together ? partOfGroup(left, together) : whyNot(possible, order)
      seats.unseated.push({ demand, supplyClass, profile, count: left, ...why })
      return
    }
    if (together > 1) for (let gpu = 0; gpu < together; gpu += 1) cut(bin, { [WHOLE_GPU]: 1 })
    bin.free.set(profile, (bin.free.get(profile) ?? 0) - together)
    bin.cpuMilli -= need.cpuMilli
    bin.memory -= need.memory
    const key = JSON.stringify([demand, profile, bin.node.id])
    const before = seats.taken.get(key)?.count ?? 0
    seats.taken.set(key, { ...assignment, count: before + together, node: bin.node.id })
  }
}

/** Only whole GPUs are held in groups. */
const togetherOf = ({ assignment, need }: Order): number =>
  assignment.profile === WHOLE_GPU ? Math.max(1, need.together ?? 1) : 1

const hasPartition = ({ free, empty }: Bin, order: Order): boolean =>
  togetherOf(order) > 1 ? empty >= togetherOf(order) : (free.get(order.assignment.profile) ?? 0) > 0

function bestBin(bins: readonly Bin[], order: Order): Bin | undefined {
  const { cpuMilli, memory } = order.need
  let best: Bin | undefined
  let most = -1
  for (const bin of bins) {
    if (!hasPartition(bin, order) || bin.cpuMilli < cpuMilli || bin.memory < memory) continue
    const left = Math.min(
      shareLeft(bin.cpuMilli - cpuMilli, bin.node.cpuMilli),
      shareLeft(bin.memory - memory, bin.node.memory),
    )
    if (left <= most) continue
    best = bin
    most = left
  }
  return best
}

const shareLeft = (left: number, of: number | undefined): number => (of === undefined || of === 0 ? 1 : left / of)

const partOfGroup = (left: number, together: number): Pick<Unseated, 'kind' | 'because'> => ({
  kind: 'together',
  because: `${left} GPUs are left of the plan for it, and it takes ${together} together`,
})

function whyNot(bins: readonly Bin[], order: Order): Pick<Unseated, 'kind' | 'because'> {
  const { need, assignment } = order
  const name = assignment.profile === WHOLE_GPU ? 'whole GPU' : assignment.profile
  const open = bins.filter((bin) => hasPartition(bin, order))
  if (open.length === 0) {
    return togetherOf(order) > 1
      ? { kind: 'together', because: `no allowed node has ${togetherOf(order)} GPUs free together` }
      : { kind: 'no-node', because: `no allowed node has a free ${name}` }
  }
  const lacksCpu = open.every(({ cpuMilli }) => cpuMilli < need.cpuMilli)
  return lacksCpu
    ? {
        kind: 'cpu',
        because: `every allowed node with a free ${name} has less than ${need.cpuMilli} thousandths of a core left`,
      }
    : {
        kind: 'memory',
        because: `every allowed node with a free ${name} and the CPU has less than ${need.memory} MiB left`,
      }
}

const laidOut = ({ node, cuts }: Bin): NodeFit['nodes'] =>
  [...cuts.values()].map(({ geometry, gpus }) => ({ node: node.id, geometry, gpus }))
