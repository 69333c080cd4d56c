import { plural, wholePercent } from '@septet/domain/words'
import type { BlockView, GpuView } from '@septet/contract'

export type Meaning = BlockView['kind']

/** The words for each meaning, the same wherever it is drawn. */
export const MEANINGS = {
  busy: 'busy',
  idle: 'idle-held',
  free: 'free',
  uncut: 'unpartitioned',
  stranded: 'stranded memory',
  unknown: 'not measured',
  others: 'held by others, not shown',
} satisfies Record<Meaning, string>

/** A whole GPU in a sentence: what a slice bar shows, for those who do not see it. */
export function gpuWords(gpu: GpuView): string {
  const fault = gpu.fault === null ? [] : [`fault: ${gpu.fault.message}`]
  const blocks = gpu.blocks.length === 0 ? ['no partition reported'] : gpu.blocks.map((block) => blockWords(block, gpu))
  const placement = placementWords(gpu)
  return [`GPU ${gpu.index}, ${gpu.model}`, ...fault, ...blocks, ...(placement === undefined ? [] : [placement])].join(
    '; ',
  )
}

/** One block in words: "4g.40gb held by ml/vllm-7, 81% busy". */
export function blockWords(block: BlockView, { mode }: Pick<GpuView, 'mode'>): string {
  const what = block.profile ?? UNNAMED[mode](block.size)
  if (block.kind === 'free' || block.kind === 'stranded') return `${what} ${block.kind}`
  if (block.kind === 'uncut') return `${what} ${MEANINGS.uncut}`
  if (block.kind === 'others') return `${what} ${MEANINGS.others}`
  const held = block.holder === null ? `${what} held` : `${what} held by ${block.holder}`
  return `${held}, ${busyWords(block)}`
}

const UNNAMED = {
  whole: () => 'whole GPU',
  mig: (size) => plural(size, 'memory slice'),
  shared: () => 'shared replica',
} satisfies Record<GpuView['mode'], (size: number) => string>

/** How busy a held block is: a share, or that it was not measured. */
function busyWords(block: BlockView): string {
  if (block.kind === 'unknown' || block.busy === null) return 'not measured'
  const share = `${wholePercent(block.busy)} busy`
  return block.kind === 'idle' ? `idle, ${share}` : share
}

/** What to know about where the blocks are drawn; undefined when the node reported it. */
export function placementWords({ blocks }: GpuView): string | undefined {
  if (blocks.some(({ placement }) => placement === 'unknown')) return 'placement unknown, drawn in order'
  return blocks.some(({ placement }) => placement === 'inferred') ? 'placement inferred from the geometry' : undefined
}

/** The workload without its namespace, for where space is short. */
export const shortHolder = (holder: string): string => holder.slice(holder.lastIndexOf('/') + 1)
