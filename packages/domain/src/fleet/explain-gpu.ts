import type { Gpu, GpuNode } from '../cluster/node.ts'
import { plainProfiles, type Board } from '../gpu/board.ts'
import { bestCompletion } from '../gpu/occupancy.ts'
import { computeSlicesOf, occupancy } from '../gpu/layout.ts'
import { plural } from '../words.ts'
import { boardOf } from './gpu-state.ts'
import { cutGpu, roomOnGpu, type RoomAsked } from './gpu-room.ts'
import { instanceText, layoutOf, type CutGpu } from './why-not.ts'

/** What one GPU holds, what still fits, and what keeps the rest out: for people, one fact each. */
export function explainGpu(gpu: Gpu, node: GpuNode, holders: RoomAsked['holders']): readonly string[] {
  const uncut = uncutSentence(gpu, holders)
  const board = boardOf(gpu)
  const cut = cutGpu(gpu, node, holders)
  if (uncut !== undefined || board === undefined || cut === undefined)
    return [uncut ?? 'Its GPU model is unknown, so what fits cannot be calculated.']
  const said = plainProfiles(board).map(({ name }) => ({
    name,
    room: roomOnGpu(gpu, node, { profile: name, holders }),
  }))
  const fits = said.flatMap(({ name, room }) => (room.kind === 'room' && room.now > 0 ? `${room.now} × ${name}` : []))
  const blocked = said.flatMap(({ name, room }) => {
    if (room.kind !== 'room') return `${name} does not fit: ${room.because}.`
    return room.now > 0 ? [] : `${name} fits after repartitioning: no workload holds what changes.`
  })
  return [
    layoutSentence(board, cut),
    ...strandedSentence(board, cut),
    fits.length === 0 ? 'Nothing more fits.' : `Still fits: ${fits.join('; ')}.`,
    ...blocked,
  ]
}

/** What there is to say of a GPU that is not in MIG mode. */
function uncutSentence({ migEnabled, partitions }: Gpu, holders: RoomAsked['holders']): string | undefined {
  const held = partitions.filter(({ id }) => holders.has(id)).length
  if (partitions.some(({ kind }) => kind === 'shared'))
    return `Shared by ${plural(partitions.length, 'replica')}, ${held} in use: not isolated from one another.`
  if (partitions.some(({ kind, id }) => kind === 'whole' && holders.has(id))) return 'One pod holds the whole GPU.'
  return migEnabled ? undefined : 'Not in MIG mode and wholly free.'
}

function layoutSentence(board: Board, { instances }: CutGpu): string {
  const held = instances.filter((one) => one.held).length
  if (instances.length === 0) return `${board.key}: empty, ${board.memorySlices} memory slices.`
  const parts = instances
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
