import { WHOLE_GPU_RESOURCE } from '../gpu/whole-gpu.ts'
import { compareText } from '../units.ts'
import type { Gpu, GpuNode, Partition, Sharing } from '../cluster/node.ts'
import { NO_MIG_MANAGER } from '../cluster/node-problems.ts'
import { findModel } from '../gpu/catalog.ts'
import { profileOf, type Board } from '../gpu/board.ts'
import type { ProfileName } from '../gpu/geometry.ts'
import { boardAsSpelled, boardFor } from '../gpu/known-boards.ts'
import { inferPlacements } from '../gpu/infer-placements.ts'
import { geometryOf, type Geometry, type Layout } from '../gpu/layout.ts'
import { resourceOfProfile } from '../gpu/profile-name.ts'

/** How a GPU is cut: `from` of a change. */
export type MigCut = { readonly migEnabled: boolean; readonly layout: Layout }

/** The board of a GPU, as its driver names profiles; undefined where MIG cannot cut it or its placements are not known. */
export function boardOf({ model, olderNames = false }: Pick<Gpu, 'model' | 'olderNames'>): Board | undefined {
  const board = model === undefined ? undefined : boardFor(model)
  return board && boardAsSpelled(board, olderNames)
}

/**
 * How the GPU is cut now. Placements that nobody reported are inferred. Undefined when its instances do not fit its board
 * together, so that what it is cut into is not known.
 */
export function cutOf(gpu: Gpu): MigCut | undefined {
  const instances = gpu.partitions.flatMap((partition) => (partition.kind === 'mig' ? [partition] : []))
  if (instances.length === 0) return { migEnabled: gpu.migEnabled, layout: [] }
  const placed = instances.flatMap(({ profile, placement }) => (placement === undefined ? [] : { profile, placement }))
  if (placed.length === instances.length) return { migEnabled: true, layout: placed }
  const board = boardOf(gpu)
  const names = instances.map(({ profile }) => profile)
  const layout = board === undefined ? undefined : inferPlacements(board, names)
  return layout === undefined ? undefined : { migEnabled: true, layout }
}

/** A profile by the board's own name, so that `7g.79gb` of an older driver is `7g.80gb`; others stay as they are. */
export const ownNameOn = (board: Board | undefined, name: ProfileName): ProfileName =>
  (board === undefined ? undefined : profileOf(board, name)?.name) ?? name

/** The geometry under a model's own names for profiles, so that cuts by the names of two drivers compare. */
export function canonicalGeometry(model: string | undefined, geometry: Geometry): Geometry {
  const board = model === undefined ? undefined : boardFor(model)
  const canonical: Record<ProfileName, number> = {}
  for (const [name, count] of Object.entries(geometry).toSorted(([a], [b]) => compareText(a, b))) {
    if (count === 0) continue
    const known = ownNameOn(board, name)
    canonical[known] = (canonical[known] ?? 0) + count
  }
  return Object.fromEntries(Object.entries(canonical).toSorted(([a], [b]) => compareText(a, b)))
}

/** Whether two cuts of one GPU are the same to mig-manager, which compares MIG mode and counts, never placements. */
export function isSameCut(
  gpu: Gpu,
  from: { readonly migEnabled: boolean; readonly geometry: Geometry },
  to: { readonly migEnabled: boolean; readonly geometry: Geometry },
): boolean {
  const text = (geometry: Geometry): string => JSON.stringify(canonicalGeometry(gpu.model, geometry))
  return from.migEnabled === to.migEnabled && text(from.geometry) === text(to.geometry)
}

/** The geometry of the GPU now; undefined when it is not known. */
export function geometryNow(gpu: Gpu): Geometry | undefined {
  const cut = cutOf(gpu)
  return cut === undefined ? undefined : geometryOf(cut.layout)
}

/** The extended resource by which a pod asks for the partition. Under the single strategy MIG devices are plain GPUs. */
export function resourceOf(node: GpuNode, partition: Partition): string {
  if (partition.kind !== 'mig' || node.mig.strategy === 'single') return WHOLE_GPU_RESOURCE
  return resourceOfProfile(partition.profile)
}

/** The node, offering what its GPUs are cut into; of a GPU with a fault it offers nothing. */
export function offering(node: GpuNode): GpuNode {
  const devices = node.gpus.flatMap(({ fault, partitions }) => (fault === undefined ? partitions : []))
  const byName = Map.groupBy(devices, (each) => resourceOf(node, each))
  return { ...node, allocatable: Object.fromEntries([...byName].map(([name, all]) => [name, all.length])) }
}

/** Whether a DRA driver serves the node's GPUs: by what it publishes, or by what only it can have told. */
export const isServedByDra = ({ servedByDra, gpus }: GpuNode): boolean =>
  servedByDra === true ||
  gpus.some(
    ({ identified, partitions }) =>
      identified === 'resource-slice' ||
      partitions.some((partition) => partition.kind === 'mig' && partition.placementSource === 'reported'),
  )

/** Why no GPU of the node is cut again, whoever holds it; undefined where they may be. */
export function whyNoCuts(node: GpuNode): string | undefined {
  if (isServedByDra(node)) return undefined
  if (node.problems.some(({ code }) => code === NO_MIG_MANAGER)) return 'no mig-manager runs on its node'
  return node.gpus.some(({ fault }) => fault !== undefined)
    ? 'mig-manager changes a node as one, and another GPU of it has a fault'
    : undefined
}

/** Ampere boards change their MIG mode by a reset of the GPU, later ones without. NVIDIA MIG User Guide. */
export const needsResetForMode = (gpu: Gpu): boolean =>
  gpu.model !== undefined && findModel(gpu.model)?.architecture === 'Ampere'

export const sameSharing = (a: Sharing, b: Sharing): boolean =>
  a.kind === b.kind && (a.kind === 'none' || b.kind === 'none' || a.replicas === b.replicas)
