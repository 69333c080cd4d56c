import { profileOf, type Board, type MigProfile } from '../gpu/board.ts'
import { placementMask, type Layout, type PlacedInstance } from '../gpu/layout.ts'
import { freeMemorySlices, placeable } from '../gpu/occupancy.ts'
import { listed, plural } from '../words.ts'

/** A GPU in MIG mode. `dynamic`: a DRA driver makes instances at need; `cut`: they were made beforehand. */
export type CutGpu = { readonly kind: 'cut' | 'dynamic'; readonly instances: readonly HeldInstance[] }
type HeldInstance = { readonly instance: PlacedInstance; readonly held: boolean }

/** Why a GPU cannot give one more instance of a profile, in words; undefined: it can. */
export function whyNot(board: Board, gpu: CutGpu, profile: MigProfile): string | undefined {
  if (gpu.kind === 'cut') return whyNotCut(board, gpu.instances, profile)
  const layout = layoutOf(gpu)
  if (placeable(board, layout, profile).length > 0) return undefined
  const free = freeMemorySlices(board, layout)
  if (free < profile.size) return `${profile.name} needs ${plural(profile.size, 'memory slice')}, ${free} free`
  const used = layout.filter((one) => isOf(board, one, profile)).length
  if (used >= profile.max) return `a GPU takes at most ${profile.max} × ${profile.name}`
  return `${plural(free, 'free memory slice')} but no legal start for ${profile.name}: ${blockers(layout, profile)}`
}

function whyNotCut(board: Board, instances: readonly HeldInstance[], profile: MigProfile): string | undefined {
  const { name } = profile
  const cut = instances.filter(({ instance }) => isOf(board, instance, profile))
  if (cut.some(({ held }) => !held)) return undefined
  return cut.length === 0
    ? `not partitioned into ${name}; mig-manager must repartition this GPU first`
    : cut.length === 1
      ? `its only ${name} instance is in use`
      : `all ${cut.length} ${name} instances are in use`
}

/** One instance in every way is named alone; else each start with what is on it. */
function blockers(layout: Layout, { starts, size }: MigProfile): string {
  const on = (start: number): Layout =>
    layout.filter(({ placement }) => (placementMask(placement) & placementMask({ start, size })) !== 0)
  const all = layout.find((one) => starts.every((start) => on(start).includes(one)))
  if (all !== undefined)
    return `${instanceText(all)} blocks ${starts.length === 1 ? `start ${starts.join()}` : 'every start'}`
  return starts.map((start) => `start ${start} is blocked by ${listed(on(start).map(instanceText))}`).join(', ')
}

// Older drivers gave some shapes another name: 7g.79gb is 7g.80gb.
const isOf = (board: Board, { profile }: PlacedInstance, { name }: MigProfile): boolean =>
  profileOf(board, profile)?.name === name

export const layoutOf = ({ instances }: CutGpu): Layout => instances.map(({ instance }) => instance)
export const instanceText = ({ profile, placement }: PlacedInstance): string => `${profile} at ${placement.start}`
