import type { GpuView } from '@septet/contract'
import {
  boardFor,
  geometryOf,
  isFeasible,
  placeAt,
  placementMask,
  profileOf,
  type Board,
  type Layout,
  type MigProfile,
  type PlacedInstance,
} from '@septet/domain'

/** What one GPU is or shall be: cut into instances, or whole. */
export type DraftCut = { readonly mig: boolean; readonly layout: Layout }

/** A GPU of the node that is being laid out. */
export type DraftGpu = {
  readonly view: GpuView
  /** Undefined where MIG cannot cut it, or nobody published how. */
  readonly board: Board | undefined
  /** Undefined where it is not known how the GPU is cut. */
  readonly now: DraftCut | undefined
  /** Instances that somebody holds, and a GPU that is held whole. */
  readonly held: readonly HeldPart[]
}

export type HeldPart = {
  /** Undefined: the whole GPU, or a share of it. */
  readonly instance: PlacedInstance | undefined
  /** Null where the reader may not see who it is. */
  readonly holder: string | null
}

/** How the GPUs of a node shall be cut, by GPU; those that are not named stay as they are. */
export type Targets = Readonly<Record<string, DraftCut>>

const HELD: ReadonlySet<string> = new Set<GpuView['blocks'][number]['kind']>(['busy', 'idle', 'unknown', 'others'])

/** A GPU as the server tells it, ready to be laid out. */
export function draftGpu(view: GpuView): DraftGpu {
  const board = boardFor(view.model)
  const instances = view.blocks.filter(({ profile }) => profile !== null)
  const layout = instances.flatMap(({ profile, start, size }) => ({
    profile: (board && profileOf(board, profile ?? '')?.name) ?? profile ?? '',
    placement: { start, size },
  }))
  const known = view.mode !== 'shared' && view.blocks.every(({ placement }) => placement !== 'unknown')
  const isReal = known && (board === undefined || isFeasible(board, layout).kind === 'feasible')
  return {
    view,
    board,
    now: isReal ? { mig: view.mode === 'mig', layout: inOrder(layout) } : undefined,
    held: view.blocks
      .filter(({ kind }) => HELD.has(kind))
      .map(({ profile, start, size, holder }) => ({
        instance:
          profile === null
            ? undefined
            : { profile: (board && profileOf(board, profile)?.name) ?? profile, placement: { start, size } },
        holder,
      })),
  }
}

/** The layout that is wished for the GPU, else the one that it has. */
export const targetOf = ({ view, now }: DraftGpu, targets: Targets): DraftCut => targets[view.id] ?? now ?? NOTHING
const NOTHING: DraftCut = { mig: false, layout: [] }

/** Instances of a layout that stand where one more would go. */
export const inTheWayOf = (layout: Layout, wanted: PlacedInstance): Layout =>
  layout.filter(({ placement }) => (placementMask(placement) & placementMask(wanted.placement)) !== 0)

/** What placing a profile at a start would do. */
export type Placing =
  | { readonly kind: 'fits' | 'replaces'; readonly layout: Layout; readonly replaced: Layout }
  | { readonly kind: 'refused'; readonly because: string }

/** The layout with one more instance; what stands in its way goes. Refused by what the board allows, in its words. */
export function placing(board: Board, layout: Layout, at: { profile: MigProfile; start: number }): Placing {
  const wanted = placeAt(at.profile, at.start)
  const replaced = inTheWayOf(layout, wanted)
  const grown = inOrder([...layout.filter((one) => !replaced.includes(one)), wanted])
  const verdict = isFeasible(board, grown)
  if (verdict.kind === 'infeasible') return { kind: 'refused', because: verdict.because }
  return { kind: replaced.length === 0 ? 'fits' : 'replaces', layout: grown, replaced }
}

/** Whether the two are the same to anyone who cuts: mig-manager compares counts, DRA placements. */
export function isSameDraft(a: DraftCut, b: DraftCut, actuator: 'mig-manager' | 'dra'): boolean {
  if (a.mig !== b.mig) return false
  return actuator === 'dra'
    ? JSON.stringify(inOrder(a.layout)) === JSON.stringify(inOrder(b.layout))
    : JSON.stringify(geometryOf(a.layout)) === JSON.stringify(geometryOf(b.layout))
}

/** Who would have to leave a GPU for its target: under mig-manager all that are on it, under DRA those whose instance goes. */
export function mustMove(gpu: DraftGpu, target: DraftCut, actuator: 'mig-manager' | 'dra'): readonly HeldPart[] {
  if (gpu.now !== undefined && isSameDraft(gpu.now, target, actuator)) return []
  if (actuator === 'mig-manager') return gpu.held
  const kept = new Set(target.layout.map(keyOf))
  return gpu.held.filter(({ instance }) => instance === undefined || !target.mig || !kept.has(keyOf(instance)))
}

/** The GPUs whose target differs from what they are. */
export const draftedGpus = (
  gpus: readonly DraftGpu[],
  targets: Targets,
  actuator: 'mig-manager' | 'dra',
): readonly DraftGpu[] =>
  gpus.filter((gpu) => {
    const target = targets[gpu.view.id]
    return target !== undefined && (gpu.now === undefined || !isSameDraft(gpu.now, target, actuator))
  })

/** One layout for all GPUs of the node whose board can hold it. */
export function forAll(gpus: readonly DraftGpu[], cut: DraftCut, targets: Targets): Targets {
  const fitting = gpus.filter(
    ({ board, view }) =>
      view.fault === null && board !== undefined && (!cut.mig || isFeasible(board, cut.layout).kind === 'feasible'),
  )
  return { ...targets, ...Object.fromEntries(fitting.map(({ view }) => [view.id, cut])) }
}

const keyOf = ({ profile, placement }: PlacedInstance): string => `${profile}@${placement.start}`

const inOrder = (layout: Layout): Layout => layout.toSorted((a, b) => a.placement.start - b.placement.start)
