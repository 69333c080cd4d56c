import { WHOLE_GPU_RESOURCE } from '../gpu/whole-gpu.ts'
import type { Gpu, GpuNode, PartitionId } from '../cluster/node.ts'
import { unsoundGpu } from '../cluster/soundness.ts'
import type { Allocation } from '../cluster/inventory.ts'
import type { Pod, PodId } from '../cluster/workload.ts'
import type { ProfileName } from '../gpu/geometry.ts'
import { resourceOfProfile } from '../gpu/profile-name.ts'
import { shareOfResource } from '../gpu/resource-share.ts'
import { boardOf, isServedByDra, ownNameOn, resourceOf } from './gpu-state.ts'

/** What is asked for: whole GPUs, or instances of one MIG profile; of one model where that is named. */
export type GpuAsk = { readonly model?: string; readonly profile?: ProfileName }

/** What a node has of it: sound partitions that a pod can ask for by one resource. */
export type Askable = {
  readonly resource: string
  readonly partitions: ReadonlySet<PartitionId>
  readonly count: number
}

/** `h100` means every model whose name holds it; no name means every model. */
export const isModel = (wanted: string | undefined, model: string | undefined): boolean =>
  wanted === undefined || (model ?? '').toLowerCase().includes(wanted.toLowerCase())

/** GPUs of a model that are neither cut nor shared, or the instances of a profile. A DRA driver's come and go with claims. */
export function askableOn(node: GpuNode, { model, profile }: GpuAsk): Askable {
  const sound = node.gpus.filter((gpu) => isModel(model, gpu.model) && unsoundGpu(gpu) === undefined)
  if (profile === undefined) {
    const whole = sound.filter(({ migEnabled, partitions }) => !migEnabled && partitions.every(isWhole))
    const partitions = new Set(whole.flatMap((gpu) => gpu.partitions.map(({ id }) => id)))
    return { resource: WHOLE_GPU_RESOURCE, partitions, count: whole.length }
  }
  const instances = isServedByDra(node) ? [] : sound.flatMap((gpu) => instancesOf(gpu, profile))
  const [first] = instances
  return {
    resource: first === undefined ? resourceOfProfile(profile) : resourceOf(node, first),
    partitions: new Set(instances.map(({ id }) => id)),
    count: instances.length,
  }
}

const isWhole = ({ kind }: Gpu['partitions'][number]): boolean => kind === 'whole'

/** Instances of a profile on a GPU, by whatever name its driver calls that. */
export function instancesOf(gpu: Gpu, profile: ProfileName): Gpu['partitions'] {
  const board = boardOf(gpu)
  const wanted = ownNameOn(board, profile)
  return gpu.partitions.filter((each) => each.kind === 'mig' && ownNameOn(board, each.profile) === wanted)
}

/** How much of a GPU one of them is, by its compute slices. */
export const shareOfEach = ({ model }: Pick<GpuNode, 'model'>, profile: ProfileName | undefined): number =>
  profile === undefined ? 1 : (shareOfResource(resourceOfProfile(profile), model ?? '') ?? 1)

/** How many of these a pod holds; those of which nobody says where they are may be any. */
export function heldOf(
  { id, requests }: Pod,
  { allocations }: { readonly allocations: ReadonlyMap<PodId, readonly Allocation[]> },
  { partitions, resource }: Pick<Askable, 'partitions' | 'resource'>,
): number {
  const held = allocations.get(id) ?? []
  const asked = requests.find((request) => request.resource === resource)?.count ?? 0
  return held.filter(({ partition }) => partitions.has(partition)).length + Math.max(0, asked - held.length)
}
