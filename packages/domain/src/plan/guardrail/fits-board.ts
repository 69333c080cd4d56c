import type { Gpu, GpuNode } from '../../cluster/node.ts'
import { arrange } from '../../gpu/infer-placements.ts'
import { isFeasible, type Geometry } from '../../gpu/layout.ts'
import { migSupport } from '../../gpu/mig-support.ts'
import type { Action } from '../words/action.ts'
import { boardOf, canonicalGeometry, cutOf } from '../../fleet/gpu-state.ts'
import { gpuOf, type Fleet } from '../../fleet/fleet.ts'
import { firstReason, type StepRule } from './guardrail.ts'

/** A GPU becomes only what the table of its board allows, and what the node's MIG strategy can advertise. */
export const whyMisfit: StepRule = ({ action, state }) => {
  if (action.kind === 'create-instance') return placementMisfit(action, state)
  if (action.kind !== 'repartition') return undefined
  const node = state.nodes.get(action.node)
  if (node === undefined) return undefined
  const ofOne = firstReason(action.gpus, ({ gpu: id, to }) => {
    const gpu = node.gpus.find((candidate) => candidate.id === id)
    return gpu && ((to.migEnabled ? modeMisfit(gpu) : undefined) ?? geometryMisfit(gpu, to.geometry))
  })
  const because = strategyMisfit(node, action.gpus)
  return ofOne ?? (because && `${node.name} ${because}`)
}

/** Why this geometry cannot be on this GPU; undefined when it can. */
export function geometryMisfit(gpu: Gpu, geometry: Geometry): string | undefined {
  const names = Object.entries(geometry).flatMap(([name, count]) => Array.from({ length: count }, () => name))
  if (names.length === 0) return undefined
  const board = boardOf(gpu)
  if (board === undefined) return `GPU ${gpu.id}: ${whyNoBoard(gpu)}`
  const arrangement = arrange(board, names)
  return arrangement.kind === 'feasible' ? undefined : `GPU ${gpu.id}: ${arrangement.because}`
}

/**
 * Why a node would not advertise what its GPUs become, said of the node: the single strategy advertises nothing for GPUs of
 * unequal geometry, and `none` no MIG device at all.
 */
export function strategyMisfit(
  { mig, gpus: [first] }: Pick<GpuNode, 'mig' | 'gpus'>,
  changes: ReadonlyArray<{
    readonly to: { readonly migEnabled: boolean; readonly geometry: Geometry }
  }>,
): string | undefined {
  if (mig.strategy === 'none' && changes.some(({ to }) => to.migEnabled)) {
    return 'runs with MIG strategy none, which advertises no MIG device. Set the strategy to mixed first.'
  }
  const model = first?.model
  const cuts = new Set(changes.map(({ to }) => JSON.stringify([to.migEnabled, canonicalGeometry(model, to.geometry)])))
  const mixedProfiles = changes.some(({ to }) => Object.keys(canonicalGeometry(model, to.geometry)).length > 1)
  if (mig.strategy === 'single' && (cuts.size > 1 || mixedProfiles)) {
    return 'runs with MIG strategy single, which requires the same layout on all its GPUs. Set the strategy to mixed first.'
  }
  return undefined
}

function placementMisfit(
  { gpu: id, instance }: Extract<Action, { readonly kind: 'create-instance' }>,
  state: Fleet,
): string | undefined {
  const gpu = gpuOf(state, id)
  if (gpu === undefined) return undefined
  const board = boardOf(gpu)
  if (board === undefined) return `GPU ${id}: ${whyNoBoard(gpu)}`
  const now = cutOf(gpu)
  if (now === undefined) return `GPU ${id}: its current MIG layout is unknown.`
  const verdict = isFeasible(board, [...now.layout, instance])
  return verdict.kind === 'feasible' ? undefined : `GPU ${id}: ${verdict.because}`
}

const modeMisfit = (gpu: Gpu): string | undefined =>
  boardOf(gpu) === undefined ? `GPU ${gpu.id}: ${whyNoBoard(gpu)}` : undefined

/** Why nothing can be cut on a GPU without a known board. */
export function whyNoBoard(gpu: Gpu): string {
  if (gpu.model === undefined) return 'the catalog does not know this board, so no layout can be checked'
  const support = migSupport(gpu.model)
  return support.kind === 'ask-node' ? support.because : `${gpu.model} has no MIG`
}
