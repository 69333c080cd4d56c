import { profileOf, sliceShare, type Board } from '../../gpu/board.ts'
import { inferPlacements } from '../../gpu/infer-placements.ts'
import { EmptyGpus, type GpuSet, type GpuSetHeld, type GpuSetNodes } from './gpu-set.ts'
import type { ScenarioNeed } from './needs.ts'
import type { GpuCut } from './scenario.ts'

export type FixedGpuSetOptions = {
  readonly board: Board | undefined
  readonly nodes: GpuSetNodes
  /** Runs of equal GPUs, in their order; GPUs after the last are whole. */
  readonly cuts: readonly GpuCut[]
}

type Part = {
  readonly gpu: number
  /** Part of the GPU that it is, in thousandths, and MiB where they are known. */
  readonly milli: number
  readonly memory: number
  readonly shared: boolean
  /** Memory slices of a MIG GPU that it covers; of a replica 1. */
  readonly size: number
}

/** GPUs that stay cut as they are: work takes the smallest free part that it fits, on the fullest GPU; never another cut. */
export function fixedGpuSet({ board, nodes, cuts }: FixedGpuSetOptions): GpuSet {
  const gpus = nodes.reduce((sum, count) => sum + count, 0)
  const slots = board?.memorySlices ?? 8
  const { parts, unused } = partsOf({ board, cuts, gpus, slots })
  const empty = new EmptyGpus(nodes)
  const isCut = new Uint8Array(gpus)
  for (const { gpu } of parts) isCut[gpu] = 1
  const holder = new Int32Array(parts.length).fill(FREE)
  const taken = new Int32Array(gpus)
  const tenantOf = new Int32Array(gpus).fill(FREE)
  const order = parts
    .map((part, index) => ({ part, index }))
    .toSorted((a, b) => a.part.milli - b.part.milli || a.part.memory - b.part.memory || a.index - b.index)

  const mayShare = ({ shared, gpu }: Part, tenant: number): boolean =>
    !shared || tenantOf[gpu] === FREE || tenantOf[gpu] === tenant
  const takeWhole = (wanted: number): GpuSetHeld | undefined => {
    const found = empty.pick(wanted, (gpu) => isCut[gpu] === 0)
    for (const gpu of found ?? []) empty.set(gpu, false)
    return found === undefined ? undefined : { gpus: found, token: -1 }
  }
  const takePart = (need: Extract<ScenarioNeed, { kind: 'part' }>, tenant: number): GpuSetHeld | undefined => {
    const isFree = ({ part, index }: Candidate): boolean =>
      holder[index] === FREE && fits(part, need) && mayShare(part, tenant)
    const best = fullest(order, isFree, taken)
    if (best === undefined) return takeWhole(1)
    const { part, index } = best
    holder[index] = tenant
    taken[part.gpu] = (taken[part.gpu] ?? 0) + 1
    tenantOf[part.gpu] = tenant
    empty.set(part.gpu, false)
    return { gpus: [part.gpu], token: index }
  }
  const leave = (gpu: number, wasPart: boolean): void => {
    if (wasPart) taken[gpu] = (taken[gpu] ?? 0) - 1
    if ((taken[gpu] ?? 0) > 0) return
    tenantOf[gpu] = FREE
    empty.set(gpu, true)
  }
  return {
    gpus,
    take: (need, tenant) => (need.kind === 'whole' ? takeWhole(need.gpus) : takePart(need, tenant)),
    release: ({ gpus: held, token }) => {
      if (token >= 0) holder[token] = FREE
      for (const gpu of held) leave(gpu, token >= 0)
    },
    stranded: () => unused,
  }
}

const FREE = -1

type Candidate = { readonly part: Part; readonly index: number }

/** Of the smallest that will do the one on the fullest GPU. */
function fullest(
  order: readonly Candidate[],
  isFree: (candidate: Candidate) => boolean,
  taken: Int32Array,
): Candidate | undefined {
  let best: Candidate | undefined
  for (const candidate of order) {
    if (best !== undefined && candidate.part.milli > best.part.milli) break
    const isFuller = best === undefined || (taken[candidate.part.gpu] ?? 0) > (taken[best.part.gpu] ?? 0)
    if (isFuller && isFree(candidate)) best = candidate
  }
  return best
}

const fits = ({ milli, memory }: Part, { milli: wanted, profile }: Extract<ScenarioNeed, { kind: 'part' }>): boolean =>
  milli >= wanted - 1 && (profile?.memory === undefined || memory === 0 || memory >= profile.memory * 0.97)

/** The parts of all cut GPUs, and the GPUs' worth that their layouts leave uncovered. */
function partsOf(of: {
  readonly board: Board | undefined
  readonly cuts: readonly GpuCut[]
  readonly gpus: number
  readonly slots: number
}): { readonly parts: readonly Part[]; readonly unused: number } {
  const parts: Part[] = []
  let [gpu, unused] = [0, 0]
  for (const cut of of.cuts) {
    const drawn = cut.replicas > 1 ? replicasOf(cut.replicas) : instancesOf(cut.profiles, of.board)
    const covered = drawn.reduce((sum, { size }) => sum + size, 0)
    for (let count = 0; count < cut.gpus && gpu < of.gpus; count += 1, gpu += 1) {
      for (const part of drawn) parts.push({ ...part, gpu })
      if (drawn.length > 0 && cut.replicas <= 1) unused += Math.max(0, of.slots - covered) / of.slots
    }
  }
  return { parts, unused }
}

const replicasOf = (replicas: number): readonly Omit<Part, 'gpu'>[] =>
  Array.from({ length: replicas }, () => ({
    milli: Math.floor(1000 / replicas),
    memory: 0,
    shared: true,
    size: 1,
  }))

function instancesOf(names: readonly string[], board: Board | undefined): readonly Omit<Part, 'gpu'>[] {
  if (board === undefined || names.length === 0) return []
  const layout = inferPlacements(board, names) ?? []
  return layout.flatMap(({ profile: name, placement }) => {
    const profile = profileOf(board, name)
    if (profile === undefined) return []
    const milli = Math.ceil(sliceShare(board, profile) * 1000 - 1e-9)
    return [{ milli, memory: profile.memory ?? 0, shared: false, size: placement.size }]
  })
}
