import type { BlockView, GpuView } from '@septet/contract'

import { drawLook, fill } from './looks.ts'
import { INK, type Paper } from './paper.ts'
import type { Box } from './tags.ts'

/** One GPU as a slice bar to scale: blocks at their placements, filled as high as they are busy. */
export function drawSliceBar(paper: Paper, gpu: Pick<GpuView, 'slots' | 'blocks' | 'mode' | 'fault'>, box: Box): void {
  const step = box.width / Math.max(1, gpu.slots)
  const layers = gpu.mode === 'shared' ? gpu.blocks.length : 1
  for (const [index, block] of gpu.blocks.entries()) {
    // Replicas that share a GPU in time lie over the whole of it, as thin layers.
    const height = box.height / layers
    const y = layers === 1 ? box.y : box.y + index * height
    drawBlock(paper, block, { x: box.x + block.start * step, y, width: block.size * step, height })
  }
  if (gpu.fault !== null) {
    const { document } = paper
    document
      .rect(box.x - 1, box.y - 1, box.width + 2, box.height + 2)
      .lineWidth(1.2)
      .strokeColor(INK.fault)
      .stroke()
  }
}

/** The space between two blocks, points. */
const GAP = 1

function drawBlock(paper: Paper, { kind, busy }: BlockView, outer: Box): void {
  const box = {
    ...outer,
    width: Math.max(1, outer.width - GAP),
    height: Math.max(0.8, outer.height - (outer.height < 4 ? 0.4 : 0)),
  }
  if (kind !== 'busy') {
    drawLook(paper, kind, box)
    return
  }
  fill(paper, box, INK.busySoft)
  const high = box.height * Math.min(1, Math.max(0, busy ?? 0))
  fill(paper, { ...box, y: box.y + box.height - high, height: high }, INK.busy)
}
