import { migPartitionId, type Gpu, type GpuNode, type Partition } from '../../cluster/node.ts'
import { arrange } from '../../gpu/infer-placements.ts'
import { geometryOf, type Geometry, type PlacedInstance } from '../../gpu/layout.ts'
import { ALLOW, refuse, type Verdict } from '../guardrail/guardrail.ts'
import type { Action, GpuChange, SharingMode } from '../words/action.ts'
import { boardOf, cutOf, isSameCut, sameSharing, offering } from '../../fleet/gpu-state.ts'
import { gpuOf, holdersOf, podsOn, put, unplacedPods, type Fleet } from '../../fleet/fleet.ts'
import { notCordoned, unknownObject } from '../guardrail/guardrail.ts'
import { stepsByKind } from '../words/by-kind.ts'

/** An action that changes what GPUs are cut into. */
export type GpuAction = Extract<
  Action,
  { readonly kind: 'repartition' | 'share' | 'create-instance' | 'delete-instance' }
>

/** Changes GPUs on the state, or refuses with the reason. Nothing that is in use is ever changed. */
export const applyToGpus = (state: Fleet, action: GpuAction): Verdict =>
  stepsByKind<GpuAction, Verdict>(action, {
    repartition: (wished) => repartition(state, wished),
    share: (wished) => share(state, wished),
    'create-instance': ({ gpu: id, instance }) => changeInstances(state, id, (gpu) => createInstance(gpu, instance)),
    'delete-instance': ({ gpu: id, instance }) =>
      changeInstances(state, id, (gpu) => deleteInstance(state, gpu, instance)),
  })

function repartition(state: Fleet, action: Extract<Action, { readonly kind: 'repartition' }>): Verdict {
  const node = state.nodes.get(action.node)
  if (node === undefined) return unknownObject('node', action.node)
  const changed = action.gpus.filter((change) => isChanged(node, change))
  const verdict = repartitionVerdict(state, node, { gpus: action.gpus, changed })
  if (verdict.kind === 'refuse') return verdict
  const gpus = node.gpus.map((gpu) => {
    const change = changed.find((candidate) => candidate.gpu === gpu.id)
    return change === undefined ? gpu : recut(gpu, change.to)
  })
  // The layout that results is what the manager reports as a success; the step ends when it does.
  const mig = { ...node.mig, config: action.config, state: 'success' } as const
  put(state, state.nodes, [node.name, offering({ ...node, gpus, mig })])
  return ALLOW
}

/** Whether a change really changes its GPU: mig-manager leaves those alone whose mode and counts already match. */
export function isChanged(node: GpuNode, { gpu: id, to }: Pick<GpuChange, 'gpu' | 'to'>): boolean {
  const gpu = node.gpus.find((candidate) => candidate.id === id)
  const now = gpu === undefined ? undefined : cutOf(gpu)
  if (gpu === undefined || now === undefined) return true
  return !isSameCut(gpu, { migEnabled: now.migEnabled, geometry: geometryOf(now.layout) }, to)
}

function repartitionVerdict(
  state: Fleet,
  node: GpuNode,
  { gpus, changed }: { readonly gpus: readonly GpuChange[]; readonly changed: readonly GpuChange[] },
): Verdict {
  const unlisted = node.gpus.find(({ id }) => !gpus.some((change) => change.gpu === id))
  const stranger = gpus.find(({ gpu: id }) => !node.gpus.some((gpu) => gpu.id === id))
  if (stranger !== undefined) return refuse('unknown-object', `${node.name} has no GPU ${stranger.gpu}.`)
  if (unlisted !== undefined) {
    return refuse('incomplete', `The configuration of ${node.name} does not say what becomes of GPU ${unlisted.id}.`)
  }
  if (changed.length === 0) return ALLOW
  if (node.schedulable) return notCordoned(node.name)
  const [unplaced] = unplacedPods(state, node.name)
  if (unplaced !== undefined) {
    return refuse('in-use', `No source says which GPU of ${node.name} ${unplaced.id} holds. Evict it first.`)
  }
  return changedVerdict(state, node, changed)
}

function changedVerdict(state: Fleet, node: GpuNode, changed: readonly GpuChange[]): Verdict {
  for (const { gpu: id, from } of changed) {
    const gpu = node.gpus.find((candidate) => candidate.id === id)
    const now = gpu === undefined ? undefined : cutOf(gpu)
    if (gpu === undefined || now === undefined)
      return refuse('changed', `The current MIG layout of GPU ${id} is unknown.`)
    const expected = { migEnabled: from.migEnabled, geometry: geometryOf(from.layout) }
    if (!isSameCut(gpu, { migEnabled: now.migEnabled, geometry: geometryOf(now.layout) }, expected)) {
      return refuse(
        'changed',
        `GPU ${id} of ${node.name} no longer has the layout that the plan assumed. Create a new plan.`,
      )
    }
    if (gpu.partitions.some(({ kind }) => kind === 'shared')) {
      return refuse(
        'shared',
        `GPU ${id} is shared by replicas; mig-manager cannot partition it until the sharing ends.`,
      )
    }
    const [holder] = holdersOf(state, gpu)
    if (holder !== undefined) return inUse(id, holder)
  }
  return ALLOW
}

const inUse = (gpu: string, holder: string): Verdict =>
  refuse(
    'in-use',
    `${holder} still holds a part of GPU ${gpu}, and the driver refuses to change what is in use. Evict it first.`,
  )

function recut(gpu: Gpu, { migEnabled, geometry }: { readonly migEnabled: boolean; readonly geometry: Geometry }): Gpu {
  if (!migEnabled) return { ...gpu, migEnabled, partitions: [{ kind: 'whole', id: gpu.id, gpu: gpu.id }] }
  const board = boardOf(gpu)
  const names = Object.entries(geometry).flatMap(([name, count]) => Array.from({ length: count }, () => name))
  const arrangement = board === undefined ? undefined : arrange(board, names)
  const layout = arrangement?.kind === 'feasible' ? arrangement.layout : []
  const partitions = layout.map(({ profile, placement }, order): Partition => {
    const instance = String(order + 1)
    const id = migPartitionId(gpu.id, instance)
    return { kind: 'mig', id, gpu: gpu.id, profile, instance, placement, placementSource: 'inferred' }
  })
  return { ...gpu, migEnabled, partitions }
}

function share(state: Fleet, { node: name, from, to }: Extract<Action, { readonly kind: 'share' }>): Verdict {
  const node = state.nodes.get(name)
  if (node === undefined) return unknownObject('node', name)
  if (!sameSharing(node.sharing, from))
    return refuse('changed', `${name} no longer shares its GPUs as the plan assumed.`)
  if (to.kind !== 'none' && (!Number.isInteger(to.replicas) || to.replicas < 2)) {
    return refuse('not-a-count', `A GPU is shared by a whole number of replicas from 2, not by ${to.replicas}.`)
  }
  if (node.gpus.some(({ migEnabled }) => migEnabled)) {
    const limit = 'MPS serves whole GPUs only, and replicas of MIG devices are not planned'
    return refuse('does-not-fit', `${name} has GPUs in MIG mode: ${limit}. End MIG there first.`)
  }
  if (node.schedulable) return notCordoned(name)
  const [pod] = podsOn(state, name)
  if (pod !== undefined) {
    return refuse(
      'in-use',
      `${pod.id} runs on ${name}, and restarting its device plugin with other replicas is not safe beside it. Evict it first.`,
    )
  }
  const gpus = node.gpus.map((gpu) => replicate(gpu, to))
  put(state, state.nodes, [name, offering({ ...node, sharing: to, gpus })])
  return ALLOW
}

function replicate(gpu: Gpu, to: SharingMode): Gpu {
  if (to.kind === 'none') return { ...gpu, partitions: [{ kind: 'whole', id: gpu.id, gpu: gpu.id }] }
  const { replicas } = to
  const partitions = Array.from({ length: replicas }, (_, replica): Partition => {
    return { kind: 'shared', id: `${gpu.id}/replica-${replica}`, gpu: gpu.id, replica, replicas }
  })
  return { ...gpu, partitions }
}

type GpuOutcome = { readonly kind: 'gpu'; readonly gpu: Gpu } | Verdict

function changeInstances(state: Fleet, id: string, change: (gpu: Gpu) => GpuOutcome): Verdict {
  const gpu = gpuOf(state, id)
  const node = state.nodes.get(gpu?.node ?? '')
  if (gpu === undefined || node === undefined) return unknownObject('GPU', id)
  const [whole] = gpu.partitions.filter(({ kind }) => kind !== 'mig').flatMap((p) => state.holders.get(p.id) ?? [])
  if (whole !== undefined) return inUse(id, whole)
  const outcome = change(gpu)
  if (outcome.kind !== 'gpu') return outcome
  const gpus = node.gpus.map((candidate) => (candidate.id === id ? outcome.gpu : candidate))
  put(state, state.nodes, [node.name, { ...node, gpus }])
  return ALLOW
}

/** Whether it fits was asked of the board before. Under DRA only GPUs that are in MIG mode are cut. */
function createInstance(gpu: Gpu, { profile, placement }: PlacedInstance): GpuOutcome {
  if (!gpu.migEnabled) {
    return refuse('mig-mode', `GPU ${gpu.id} is not in MIG mode, and this plan does not switch modes under DRA.`)
  }
  const taken = new Set(gpu.partitions.map((partition) => (partition.kind === 'mig' ? partition.instance : '')))
  let number = 1
  while (taken.has(String(number))) number += 1
  const instance = String(number)
  const id = migPartitionId(gpu.id, instance)
  const made: Partition = { kind: 'mig', id, gpu: gpu.id, profile, instance, placement, placementSource: 'reported' }
  return { kind: 'gpu', gpu: { ...gpu, partitions: [...gpu.partitions.filter(({ kind }) => kind === 'mig'), made] } }
}

function deleteInstance(state: Fleet, gpu: Gpu, { profile, placement }: PlacedInstance): GpuOutcome {
  const found = gpu.partitions.find(
    (partition) =>
      partition.kind === 'mig' && partition.profile === profile && partition.placement?.start === placement.start,
  )
  if (found === undefined) {
    return refuse('changed', `GPU ${gpu.id} no longer has ${profile} at memory slice ${placement.start}.`)
  }
  const [holder] = state.holders.get(found.id) ?? []
  if (holder !== undefined) return inUse(gpu.id, holder)
  return { kind: 'gpu', gpu: { ...gpu, partitions: gpu.partitions.filter(({ id }) => id !== found.id) } }
}
