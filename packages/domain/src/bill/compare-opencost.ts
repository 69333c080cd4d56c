import type { ClusterSnapshot } from '../cluster/inventory.ts'
import { namespaceOf } from '../cluster/held-by.ts'
import type { CostGroup } from '../cost/cost-parts.ts'
import type { FleetCost } from '../cost/fleet-cost.ts'
import { compareText } from '../units.ts'

/** What OpenCost says of a window. Amounts are USD or whatever its prices are in; undefined: it does not say. */
export type OpenCostFigures = {
  readonly nodes: readonly {
    readonly name: string
    readonly providerId: string
    readonly instanceType: string
    readonly gpuHours: number | undefined
    readonly gpuCost: number | undefined
    /** With CPU and memory. */
    readonly totalCost: number | undefined
  }[]
  /** By namespace; `__idle__` is what nobody holds. */
  readonly namespaces: readonly {
    readonly name: string
    readonly gpuHours: number | undefined
    readonly gpuCost: number | undefined
  }[]
}

/** A figure of ours beside theirs, USD and GPU-hours; undefined where one side does not have it. */
type Side = { readonly gpuHours: number | undefined; readonly cost: number | undefined }

/** Why ours is more than theirs, USD to the cent. The parts add up to the difference. */
type Difference = {
  /** Hours that one side counted and the other did not, at our price. */
  readonly hours: number
  /** What OpenCost charges for CPU and memory of the machine, and we for its GPUs. */
  readonly host: number
  /** Another price for the same machine. */
  readonly price: number
}

export type OpenCostComparison = {
  readonly nodes: readonly {
    readonly name: string
    readonly ours: Side
    readonly theirs: Side
    /** Of GPUs alone, by OpenCost's own split. */
    readonly theirGpuCost: number | undefined
    readonly difference: Difference | undefined
    readonly because: readonly string[]
  }[]
  readonly namespaces: readonly {
    readonly name: string
    readonly ours: Side
    readonly theirs: Side
    readonly because: readonly string[]
  }[]
}

type Sources = {
  readonly figures: OpenCostFigures
  readonly cost: Pick<FleetCost, 'byNode' | 'byNamespace'>
  readonly snapshot: Pick<ClusterSnapshot, 'nodes' | 'allocations'>
}

/** Holds OpenCost's figures of a window against ours, and says why they differ. */
export function compareOpenCost({ figures, cost, snapshot }: Sources): OpenCostComparison {
  const theirs = new Map(summedNodes(figures.nodes).map((node) => [node.name, node]))
  const ours = new Map(cost.byNode.map((row) => [row.key, row]))
  const mig = migNames(snapshot)
  const names = snapshot.nodes.flatMap(({ name, gpus }) => (gpus.length > 0 ? [name] : []))
  const gpuNodes = new Set([
    ...names,
    ...[...theirs.values()].flatMap(({ name, gpuHours = 0 }) => (gpuHours > 0 ? [name] : [])),
  ])
  return {
    nodes: [...gpuNodes]
      .toSorted(compareText)
      .map((name) => nodeBeside(name, sideOf(ours.get(name)), theirs.get(name))),
    namespaces: namespacesBeside({ figures, byNamespace: cost.byNamespace, mig }),
  }
}

/** Why rows differ: each reason once, with the first that it is about and how many more. */
export function reasonsOnce(
  rows: readonly { readonly name: string; readonly because: readonly string[] }[],
): readonly string[] {
  const about = Map.groupBy(
    rows.flatMap(({ name, because }) => because.map((reason) => ({ name, reason }))),
    ({ reason }) => reason,
  )
  return [...about].map(([reason, [first, ...others]]) => {
    return `${first?.name ?? ''}${others.length === 0 ? '' : ` and ${others.length} more`}: ${reason}`
  })
}

type TheirNode = Pick<OpenCostFigures['nodes'][number], 'name' | 'gpuHours' | 'gpuCost' | 'totalCost'>

/** A node stands once in each step of an answer. */
function summedNodes(nodes: OpenCostFigures['nodes']): readonly TheirNode[] {
  return [...Map.groupBy(nodes, ({ name }) => name)].map(([name, own]) => ({
    name,
    gpuHours: sumKnown(own.map(({ gpuHours }) => gpuHours)),
    gpuCost: sumKnown(own.map(({ gpuCost }) => gpuCost)),
    totalCost: sumKnown(own.map(({ totalCost }) => totalCost)),
  }))
}

const sumKnown = (amounts: readonly (number | undefined)[]): number | undefined =>
  amounts.reduce<number | undefined>((sum, amount) => (amount === undefined ? sum : (sum ?? 0) + amount), undefined)

const sideOf = (row: CostGroup | undefined): Side => ({
  gpuHours: row?.cost.hours.capacity,
  cost: row?.cost.money?.capacity,
})

function nodeBeside(name: string, ours: Side, node: TheirNode | undefined): OpenCostComparison['nodes'][number] {
  const theirs = { gpuHours: node?.gpuHours, cost: node?.totalCost }
  const difference = node === undefined ? undefined : differenceOf(ours, node)
  return {
    name,
    ours,
    theirs,
    theirGpuCost: node?.gpuCost,
    difference,
    because: [...nodeReasons(ours, node), ...(difference === undefined ? [] : priceReasons(difference, node))],
  }
}

/** ours − their GPU cost = hours + host + price, to the cent. */
function differenceOf(ours: Side, { gpuHours, gpuCost, totalCost }: TheirNode): Difference | undefined {
  if (ours.gpuHours === undefined || ours.cost === undefined || gpuCost === undefined || totalCost === undefined) {
    return undefined
  }
  const rate = ours.gpuHours === 0 ? 0 : ours.cost / ours.gpuHours
  const hours = toCents((ours.gpuHours - (gpuHours ?? 0)) * rate)
  const host = toCents(totalCost - gpuCost)
  return { hours, host, price: toCents(ours.cost - gpuCost - hours - host) }
}

function nodeReasons({ gpuHours: ours }: Side, node: TheirNode | undefined): readonly string[] {
  if (node === undefined) return ['OpenCost does not know this node: it scrapes another cluster, or began later.']
  const theirs = node.gpuHours ?? 0
  if (ours === undefined || ours === 0) {
    return theirs > 0 ? ['OpenCost charges for GPUs that Septet saw at no time: not ready, or before it looked.'] : []
  }
  if (theirs === 0) {
    return ['OpenCost counts no GPU here. It knows nvidia.com/gpu and nvidia.com/gpu.shared only, not AMD or Intel.']
  }
  if (Math.abs(ours - theirs) <= CLOSE * ours) return []
  return ours > theirs
    ? [`OpenCost counts ${hoursText(ours - theirs)} GPU-hours less: the node was there, its count of GPUs came later.`]
    : [`OpenCost counts ${hoursText(theirs - ours)} GPU-hours more: it charges also while GPUs are not ready.`]
}

function priceReasons({ host, price }: Difference, node: TheirNode | undefined): readonly string[] {
  const total = node?.totalCost ?? 0
  return [
    ...(total > 0 && host > CLOSE * total
      ? [
          `OpenCost gives ${Math.round((1 - host / total) * 100)}% of this machine to its GPUs and the rest to CPU and memory; Septet's price is for the GPUs with their machine. Compare the totals.`,
        ]
      : []),
    ...(Math.abs(price) > CLOSE * total
      ? [`Another price: ours is ${price > 0 ? 'higher' : 'lower'} for the same hours.`]
      : []),
  ]
}

type Namespaces = {
  readonly figures: OpenCostFigures
  readonly byNamespace: readonly CostGroup[]
  readonly mig: ReadonlySet<string>
}

function namespacesBeside({ figures, byNamespace, mig }: Namespaces): OpenCostComparison['namespaces'] {
  const theirs = Map.groupBy(figures.namespaces, ({ name }) => (name === IDLE ? '' : name))
  const ours = new Map(byNamespace.map((row) => [row.key, row]))
  const names = new Set([...ours.keys(), ...[...theirs.keys()].filter((name) => !name.startsWith('__'))])
  return [...names].toSorted(compareText).flatMap((name) => {
    const own = theirs.get(name) ?? []
    const beside = {
      name,
      ours: sideOf(ours.get(name)),
      theirs: {
        gpuHours: sumKnown(own.map(({ gpuHours }) => gpuHours)),
        cost: sumKnown(own.map(({ gpuCost }) => gpuCost)),
      },
    }
    const isOfGpus = (beside.ours.gpuHours ?? 0) > 0 || (beside.theirs.gpuHours ?? 0) > 0
    return isOfGpus ? [{ ...beside, because: namespaceReasons(beside, mig) }] : []
  })
}

const IDLE = '__idle__'

type Beside = { readonly name: string; readonly ours: Side; readonly theirs: Side }

function namespaceReasons({ name, ours, theirs }: Beside, mig: ReadonlySet<string>): readonly string[] {
  const [own = 0, other = 0] = [ours.gpuHours, theirs.gpuHours]
  if (Math.abs(own - other) <= CLOSE * Math.max(own, other)) return []
  if (name === '')
    return [
      'OpenCost calls capacity idle that no pod requests; Septet calls ready capacity that no pod holds unallocated.',
    ]
  if (own > other && mig.has(name)) {
    return ['It holds MIG devices, which OpenCost counts as no GPU: their cost stays in its idle.']
  }
  return own > other
    ? ['Septet counts who holds a GPU, also by DRA; OpenCost counts requests of nvidia.com/gpu.']
    : ['OpenCost counts what pods request, also where a shared GPU is a part only.']
}

/** Namespaces whose pods hold MIG devices now. */
function migNames({ nodes, allocations }: Sources['snapshot']): ReadonlySet<string> {
  const devices = new Set(
    nodes.flatMap(({ gpus }) =>
      gpus.flatMap(({ partitions }) => partitions.flatMap(({ kind, id }) => (kind === 'mig' ? [id] : []))),
    ),
  )
  return new Set(allocations.flatMap(({ partition, pod }) => (devices.has(partition) ? [namespaceOf(pod)] : [])))
}

/** Two figures that are as close as this are the same: both sides sample. */
const CLOSE = 0.01

const hoursText = (hours: number): string => hours.toFixed(1)
const toCents = (amount: number): number => Math.round(amount * 100) / 100
