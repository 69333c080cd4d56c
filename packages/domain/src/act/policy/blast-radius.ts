import type { Gpu, GpuId, GpuNode } from '../../cluster/node.ts'
import type { PodId, WorkloadId } from '../../cluster/workload.ts'
import type { PriceOf } from '../../cost/prices-of.ts'
import { displacedBy } from '../../plan/guardrail/displaced-by.ts'
import type { HeldGpu, PlannedGpu } from '../../plan/steps/planned-gpus.ts'
import { instancesOf } from '../../fleet/askable-gpus.ts'
import { isSameCut } from '../../fleet/gpu-state.ts'
import { gpuOf, podsOn, type Fleet } from '../../fleet/fleet.ts'
import { switchesMode } from '../../plan/steps/step-words.ts'
import type { Action, GpuChange, Plan } from '../../plan/words/action.ts'
import { geometryOf } from '../../gpu/layout.ts'
import { compareText, type Usd, usd } from '../../units.ts'

/** What a plan touches, each list in text order. */
export type BlastRadius = {
  /** Pods that stop, or may stop because their node may restart. */
  readonly pods: readonly PodId[]
  /** Workloads that are changed, or whose pods are among those. */
  readonly workloads: readonly WorkloadId[]
  /** Nodes that are changed, or on which those pods run. */
  readonly nodes: readonly string[]
  /** GPUs that are cut again, shared, taken away, kept for an appointment, or held by those pods. */
  readonly gpus: readonly GpuId[]
  /** What those GPUs cost an hour, as far as they have a price. */
  readonly usdPerHour: Usd
  /** Those of them that have none, and what models they are. */
  readonly unpriced: readonly GpuId[]
  readonly unpricedModels: readonly string[]
}

type Touching = {
  readonly plan: Plan
  /** What its recommendation said of the GPUs that change: all that is known of them once they are gone. */
  readonly gpus: readonly PlannedGpu[]
  /** The cluster as it is. */
  readonly state: Fleet
  readonly priceOf: PriceOf
  /** Whether the plan is still to be carried out: then the cluster says who is displaced, too. */
  readonly isAhead: boolean
}

/** What a plan touches, by its steps, by what was planned for its GPUs, and by the cluster as it is. */
export function blastRadius(touching: Touching): BlastRadius {
  const { plan, gpus: planned, state, isAhead } = touching
  const actions = plan.steps.map(({ action }) => action)
  const pods = new Set([
    ...plan.steps.flatMap(({ displaced }) => displaced),
    ...(isAhead ? actions.flatMap((action) => [...displacedBy(action, state), ...mayStop(action, state)]) : []),
  ])
  const losing = planned.filter(loses)
  const known = [...pods].flatMap((id) => state.pods.get(id) ?? [])
  const gpus = sorted([
    ...losing.map(({ before }) => before.gpu.id),
    ...actions.flatMap((action) => changedGpus(action, state)),
    ...known.flatMap(({ id, node }) => heldOn(state.nodes.get(node ?? ''), id, state)),
  ])
  const prices = gpus.map((gpu) => ({ gpu, ...hourlyOf(gpu, touching) }))
  const unpriced = prices.filter(({ price }) => price === undefined)
  return {
    pods: sorted(pods),
    workloads: sorted([
      ...actions.flatMap((action) => ('workload' in action ? action.workload : [])),
      ...known.map(({ workload }) => workload),
    ]),
    nodes: sorted([
      ...losing.map(({ node }) => node),
      ...actions.flatMap((action) => nodeOf(action, state) ?? []),
      ...known.flatMap(({ node }) => node ?? []),
    ]),
    gpus,
    usdPerHour: usd(prices.reduce((sum, { price = 0 }) => sum + price, 0)),
    unpriced: unpriced.map(({ gpu }) => gpu),
    unpricedModels: sorted(unpriced.map(({ model }) => model)),
  }
}

/** The node that an action changes. */
function nodeOf(action: Action, state: Fleet): string | undefined {
  if ('node' in action) return action.node
  return 'gpu' in action ? state.nodeOfGpu.get(action.gpu) : undefined
}

/** A change of MIG mode may restart its node, with every pod there. */
const mayStop = (action: Action, state: Fleet): readonly PodId[] =>
  action.kind === 'repartition' && switchesMode(action) ? podsOn(state, action.node).map(({ id }) => id) : []

/** GPUs that an action cuts again, shares, takes away, or keeps from everybody else. */
export function changedGpus(action: Action, state: Fleet): readonly GpuId[] {
  if (action.kind === 'repartition') return action.gpus.flatMap((change) => (isCut(change, state) ? change.gpu : []))
  if ('gpu' in action) return [action.gpu]
  // Which of them it will be is not told: as many as it keeps, of each node.
  if (action.kind === 'keep-free') {
    const { profile } = action
    const isKept = (gpu: Gpu): boolean => profile === undefined || instancesOf(gpu, profile).length > 0
    return action.nodes.flatMap(({ node, gpus }) =>
      (state.nodes.get(node)?.gpus ?? [])
        .filter(isKept)
        .slice(0, gpus)
        .map(({ id }) => id),
    )
  }
  if (action.kind !== 'share' && action.kind !== 'remove-node') return []
  return state.nodes.get(action.node)?.gpus.map(({ id }) => id) ?? []
}

function isCut({ gpu: id, from, to }: GpuChange, state: Fleet): boolean {
  const gpu = gpuOf(state, id)
  const now = { migEnabled: from.migEnabled, geometry: geometryOf(from.layout) }
  return gpu === undefined || !isSameCut(gpu, now, to)
}

function heldOn(node: GpuNode | undefined, pod: PodId, { allocations }: Fleet): readonly GpuId[] {
  const held = new Set((allocations.get(pod) ?? []).map(({ partition }) => partition))
  return (node?.gpus ?? []).flatMap(({ id, partitions }) =>
    partitions.some((partition) => held.has(partition.id)) ? id : [],
  )
}

/** Whether a GPU is cut again, goes, or loses a holder; one that only takes somebody in is not touched. */
const loses = ({ before, after }: PlannedGpu): boolean =>
  after === undefined || cutText(before) !== cutText(after) || Object.entries(before.holders).some(gone(after))

const cutText = ({ gpu }: HeldGpu): string => JSON.stringify([gpu.migEnabled, gpu.partitions])

const gone =
  ({ holders }: HeldGpu) =>
  ([partition, holder]: readonly [string, WorkloadId]): boolean =>
    holders[partition] !== holder

/** Its model, and dollars an hour; undefined where it has no price. What is gone is priced as its model. */
function hourlyOf(
  id: GpuId,
  { state, gpus, priceOf }: Touching,
): { readonly model: string; readonly price: number | undefined } {
  const node = state.nodes.get(state.nodeOfGpu.get(id) ?? '')
  const named =
    node === undefined
      ? { pool: '', model: gpus.find(({ before }) => before.gpu.id === id)?.before.gpu.model ?? '' }
      : { pool: node.pool, model: gpuOf(state, id)?.model ?? node.model ?? node.product, node: node.name }
  const price = priceOf(named)
  return { model: named.model, price: price.kind === 'known' ? price.price : undefined }
}

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted(compareText)
