import { listed, plural } from '../../words.ts'
import { plainProfiles, profileOf, type Board, type MigProfile } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { computeSlicesOf, occupancy, placementMask, type Layout, type PlacedInstance } from '../../gpu/layout.ts'
import { bestCompletion, freeMemorySlices, placeable, placeableTogether } from '../../gpu/occupancy.ts'
import type { IndexedGpu, InstanceView } from '../place/place-index-view.ts'

/** What one GPU holds, what still fits, and what keeps the rest out. */
export type GpuExplanation = {
  readonly id: string
  readonly instances: readonly InstanceView[]
  readonly fits: ReadonlyArray<{
    readonly profile: ProfileName
    readonly starts: readonly number[]
    readonly together: number
  }>
  readonly blocked: ReadonlyArray<{ readonly profile: ProfileName; readonly because: string }>
  /** The same for people, one fact each. */
  readonly sentences: readonly string[]
}

/** Explains a GPU of an index; `board` undefined: it cannot be cut. */
export function explainGpu(board: Board | undefined, gpu: IndexedGpu): GpuExplanation {
  const none = { id: gpu.id, instances: [], fits: [], blocked: [] }
  if (gpu.kind === 'held') return { ...none, sentences: ['One pod holds the whole GPU.'] }
  if (gpu.kind === 'shared') return { ...none, sentences: [sharedSentence(gpu)] }
  if (board === undefined)
    return { ...none, sentences: ['Its GPU model is unknown, so what fits cannot be calculated.'] }
  const open = plainProfiles(board).map((profile) => ({ profile, verdict: whyNot(board, gpu, profile) }))
  const fits = open
    .filter(({ verdict }) => verdict === undefined)
    .map(({ profile }) => ({ profile: profile.name, ...roomOf(board, gpu, profile) }))
  const blocked = open.flatMap(({ profile, verdict }) =>
    verdict === undefined ? [] : [{ profile: profile.name, because: verdict }],
  )
  const sentences = [
    layoutSentence(board, gpu),
    ...strandedSentence(board, gpu),
    fits.length === 0 ? 'Nothing more fits.' : `Still fits: ${fits.map(fitText).join('; ')}.`,
    ...blocked.map(({ profile, because }) => `${profile} does not fit: ${because}.`),
  ]
  return { id: gpu.id, instances: gpu.instances, fits, blocked, sentences }
}

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

export type CutGpu = Extract<IndexedGpu, { readonly kind: 'cut' | 'dynamic' }>

function whyNotCut(board: Board, instances: readonly InstanceView[], profile: MigProfile): string | undefined {
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

function roomOf(board: Board, gpu: CutGpu, profile: MigProfile) {
  if (gpu.kind === 'dynamic') {
    const layout = layoutOf(gpu)
    return { starts: placeable(board, layout, profile), together: placeableTogether(board, layout, profile) }
  }
  const free = gpu.instances.filter(({ instance, held }) => !held && isOf(board, instance, profile))
  return { starts: free.map(({ instance }) => instance.placement.start), together: free.length }
}

function layoutSentence(board: Board, gpu: CutGpu): string {
  const held = gpu.instances.filter((one) => one.held).length
  if (gpu.instances.length === 0) return `${board.key}: empty, ${board.memorySlices} memory slices.`
  const parts = gpu.instances
    .toSorted((a, b) => a.instance.placement.start - b.instance.placement.start)
    .map((one) => `${instanceText(one.instance)}${one.held ? '' : ' (free)'}`)
  return `${board.key}: ${parts.join(', ')}; ${held} of ${plural(parts.length, 'instance')} in use.`
}

// 3g + 3g covers all eight memory slices and leaves the seventh compute slice to nobody.
function strandedSentence(board: Board, gpu: CutGpu): readonly string[] {
  const layout = layoutOf(gpu)
  const stranded = board.computeSlices - computeSlicesOf(board, layout) - bestCompletion(board, occupancy(layout))
  if (stranded <= 0) return []
  return [
    `${plural(stranded, 'compute slice')} of ${board.computeSlices} stranded: no profile can reach it while this layout stays.`,
  ]
}

function sharedSentence({ freeMilli, holder }: Extract<IndexedGpu, { readonly kind: 'shared' }>): string {
  if (holder === undefined) return 'Not in MIG mode and wholly free.'
  const who = holder.tenant === '' ? 'pods that name no tenant' : `tenant ${holder.tenant}`
  return `Shared by software inside ${who}: ${freeMilli} of 1000 thousandths free, for the same tenant only.`
}

// Older drivers gave some shapes another name: 7g.79gb is 7g.80gb.
const isOf = (board: Board, { profile }: PlacedInstance, { name }: MigProfile): boolean =>
  profileOf(board, profile)?.name === name

const layoutOf = ({ instances }: CutGpu): Layout => instances.map(({ instance }) => instance)
const instanceText = ({ profile, placement }: PlacedInstance): string => `${profile} at ${placement.start}`
const fitText = ({ profile, together }: GpuExplanation['fits'][number]): string => `${together} × ${profile}`
