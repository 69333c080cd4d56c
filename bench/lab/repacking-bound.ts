import {
  at,
  GPU_MILLI,
  gpuMilliOf,
  ratio,
  seconds,
  type Demand,
  type FleetNode,
  type LinearProgram,
  type LinearSolver,
} from '@septet/domain'

/** A fleet as it stands: what runs and must go on, and what waits. */
export type Standing = {
  readonly nodes: readonly FleetNode[]
  readonly placed: readonly Demand[]
  readonly waiting: readonly Demand[]
}

/**
 * GPUs' worth of waiting pods that could start at most, however many of the placed ones were moved. Proven by linear
 * programming: pods go in fractions to kinds of equal nodes, whose CPU, memory and GPUs are added up, and every GPU is
 * shared by one of the patterns of sizes that fit on it (column generation after Gilmore and Gomory). Whatever any moves
 * reach is one answer of that program, so none adds more.
 */
export async function mostStartable(standing: Standing, solver: LinearSolver): Promise<number> {
  const model = modelOf(standing)
  const patterns: Pattern[] = model.sizes.map((size) => ({ counts: new Map([[size, Math.floor(GPU_MILLI / size)]]) }))
  for (;;) {
    const answer = await solver.solve(programOf(model, patterns), { seconds: seconds(60), gap: ratio(0) })
    if (answer.kind !== 'optimal' || answer.prices === undefined)
      throw new Error(`the bound was not found: ${answer.kind}`)
    const fresh = betterPatterns(model, answer.prices, patterns)
    if (fresh.length === 0) return -answer.cost - model.placedOfWaiting
    patterns.push(...fresh)
  }
}

type Pattern = { readonly counts: ReadonlyMap<number, number> }
type NodeKind = { readonly node: FleetNode; readonly count: number }
type PodKind = { readonly demand: Demand; placed: number; waiting: number }
type Model = {
  readonly nodes: readonly NodeKind[]
  readonly pods: readonly PodKind[]
  /** Sizes of shares, thousandths of a GPU, and a whole one. */
  readonly sizes: readonly number[]
  /** GPUs that placed pods hold which are of a kind of which some wait. */
  readonly placedOfWaiting: number
}

function modelOf({ nodes, placed, waiting }: Standing): Model {
  const kinds = new Map<string, PodKind>()
  const kindOf = (demand: Demand): PodKind => {
    const key = JSON.stringify([demand.cpuMilli, demand.memory, demand.gpu, demand.models.toSorted()])
    const kind = kinds.get(key) ?? { demand, placed: 0, waiting: 0 }
    kinds.set(key, kind)
    return kind
  }
  for (const demand of placed) kindOf(demand).placed += 1
  for (const demand of waiting) kindOf(demand).waiting += 1
  const pods = [...kinds.values()]
  const alike = Map.groupBy(nodes, ({ cpuMilli, memory, gpus, model }) =>
    JSON.stringify([cpuMilli, memory, gpus, model]),
  )
  return {
    nodes: [...alike.values()].flatMap(([node, ...others]) =>
      node === undefined ? [] : [{ node, count: others.length + 1 }],
    ),
    pods,
    sizes: [...new Set(pods.flatMap(({ demand }) => piecesOf(demand).size || []))].toSorted((a, b) => b - a),
    placedOfWaiting: pods.reduce(
      (sum, { demand, placed: many, waiting: some }) => (some > 0 ? sum + many * gpusOf(demand) : sum),
      0,
    ),
  }
}

const gpusOf = ({ gpu }: Demand): number => gpuMilliOf(gpu) / GPU_MILLI

/** How many GPUs a pod holds a piece of, and how large that is. */
const piecesOf = ({ gpu }: Demand): { readonly count: number; readonly size: number } =>
  gpu.kind === 'share'
    ? { count: 1, size: gpu.milli }
    : { count: gpuMilliOf(gpu) / GPU_MILLI, size: gpuMilliOf(gpu) > 0 ? GPU_MILLI : 0 }

const fits = ({ demand }: PodKind, { node }: NodeKind): boolean =>
  (demand.models.length === 0 || demand.models.includes(node.model)) &&
  demand.cpuMilli <= node.cpuMilli &&
  demand.memory <= node.memory &&
  piecesOf(demand).count <= node.gpus

type Terms = [variable: number, coefficient: number][]

/** Rows come kind of node by kind of node: CPU, memory, GPUs, more than half of a node, then one for each size. */
const FIXED_ROWS = 4
const rowsOfNode = ({ sizes }: Model): number => FIXED_ROWS + sizes.length

/** What one pod takes of the rows of a kind of node. */
function needsOf({ demand }: PodKind, { node }: NodeKind, sizes: readonly number[]): Terms {
  const { count, size } = piecesOf(demand)
  return [
    [0, demand.cpuMilli / 1000],
    [1, demand.memory / 1024],
    [3, size === GPU_MILLI && count > node.gpus / 2 ? 1 : 0],
    [FIXED_ROWS + sizes.indexOf(size), size > 0 ? count : 0],
  ]
}

const boundsOf = ({ node, count }: NodeKind): readonly number[] => [
  (count * node.cpuMilli) / 1000,
  (count * node.memory) / 1024,
  count * node.gpus,
  count,
]

function programOf(model: Model, patterns: readonly Pattern[]): LinearProgram {
  const { nodes, pods, sizes } = model
  const cost: number[] = []
  const upper: number[] = []
  const ofNode = nodes.map(() => Array.from({ length: rowsOfNode(model) }, (): Terms => []))
  const podRows = pods.flatMap((pod): LinearProgram['rows'] => {
    const terms: Terms = []
    for (const [order, kind] of nodes.entries()) {
      if (!fits(pod, kind)) continue
      const variable = cost.push(pod.waiting > 0 ? -gpusOf(pod.demand) : 0) - 1
      upper.push(pod.placed + pod.waiting)
      terms.push([variable, 1])
      for (const [row, need] of needsOf(pod, kind, sizes)) if (need > 0) ofNode[order]?.[row]?.push([variable, need])
    }
    return [
      { kind: 'at-least', bound: pod.placed, terms },
      { kind: 'at-most', bound: pod.placed + pod.waiting, terms },
    ]
  })
  for (const rows of ofNode) {
    // Too few patterns are known at first; a GPU more than there is costs more than all that it could hold.
    rows[2]?.push([cost.push(PENALTY) - 1, -1])
    upper.push(Infinity)
    for (const { counts } of patterns) {
      const variable = cost.push(0) - 1
      upper.push(Infinity)
      rows[2]?.push([variable, 1])
      for (const [size, count] of counts) rows[FIXED_ROWS + sizes.indexOf(size)]?.push([variable, -count])
    }
  }
  const nodeRows = nodes.flatMap((kind, order) =>
    (ofNode[order] ?? []).map((terms, row) => ({ kind: 'at-most' as const, bound: boundsOf(kind)[row] ?? 0, terms })),
  )
  return { cost, upper, whole: false, rows: [...nodeRows, ...podRows] }
}

const PENALTY = 100

/** Patterns that some kind of node would gain by: its sizes' prices exceed the price of its GPUs. */
function betterPatterns(model: Model, prices: readonly number[], known: readonly Pattern[]): Pattern[] {
  const texts = new Set(known.map(textOf))
  return model.nodes.flatMap((_, order): Pattern[] => {
    const first = order * rowsOfNode(model)
    const gpu = Math.abs(prices[first + 2] ?? 0)
    const worth = model.sizes.map((_size, place) => Math.abs(prices[first + FIXED_ROWS + place] ?? 0))
    const { value, pattern } = bestPattern(model.sizes, worth)
    if (value <= gpu + 1e-7 || texts.has(textOf(pattern))) return []
    texts.add(textOf(pattern))
    return [pattern]
  })
}

const textOf = ({ counts }: Pattern): string =>
  [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([size, count]) => `${count}x${size}`)
    .join(' ')

/** The most that one GPU can hold by these worths: a knapsack of a thousand units. */
function bestPattern(sizes: readonly number[], worth: readonly number[]): { value: number; pattern: Pattern } {
  const best = new Float64Array(GPU_MILLI + 1)
  // The size that is put in last, by room; 0: none, one unit stays empty.
  const last = new Int32Array(GPU_MILLI + 1)
  for (let room = 1; room <= GPU_MILLI; room += 1) {
    best[room] = at(best, room - 1)
    for (const [order, size] of sizes.entries()) {
      const value = size > room ? 0 : at(best, room - size) + (worth[order] ?? 0)
      if (value <= at(best, room) + 1e-12) continue
      best[room] = value
      last[room] = size
    }
  }
  const counts = new Map<number, number>()
  for (let room = GPU_MILLI; room > 0; room -= Math.max(1, at(last, room))) {
    const size = at(last, room)
    if (size > 0) counts.set(size, (counts.get(size) ?? 0) + 1)
  }
  return { value: at(best, GPU_MILLI), pattern: { counts } }
}
