import type { BlockView, GpuView } from '@septet/contract'

import { INK, type Paper } from './paper.ts'

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

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

function drawBlock(paper: Paper, block: BlockView, outer: Box): void {
  const box = {
    ...outer,
    width: Math.max(1, outer.width - GAP),
    height: Math.max(0.8, outer.height - (outer.height < 4 ? 0.4 : 0)),
  }
  LOOKS[block.kind](paper, box, block)
}

const LOOKS = {
  busy: (paper, box, { busy }) => {
    fill(paper, box, INK.busySoft)
    const high = box.height * Math.min(1, Math.max(0, busy ?? 0))
    fill(paper, { ...box, y: box.y + box.height - high, height: high }, INK.busy)
  },
  idle: (paper, box) => {
    fill(paper, box, INK.idleSoft)
    inside(paper, box, () => hatch(paper, box, INK.idle))
  },
  unknown: (paper, box) => {
    fill(paper, box, INK.unknownSoft)
    outline(paper, box, { color: INK.unknown, dash: 2 })
  },
  others: (paper, box) => fill(paper, box, INK.lineStrong),
  free: (paper, box) => outline(paper, box, { color: INK.free }),
  uncut: (paper, box) => outline(paper, box, { color: INK.free, dash: 1 }),
  stranded: (paper, box) => {
    fill(paper, box, INK.strandedSoft)
    inside(paper, box, () => dots(paper, box, INK.stranded))
  },
} satisfies Record<BlockView['kind'], (paper: Paper, box: Box, block: BlockView) => void>

const fill = ({ document }: Paper, { x, y, width, height }: Box, color: string): void =>
  void document.rect(x, y, width, height).fill(color)

type Stroke = { readonly color: string; readonly dash?: number }

function outline({ document }: Paper, { x, y, width, height }: Box, { color, dash }: Stroke): void {
  document.save().rect(x + 0.35, y + 0.35, Math.max(0.1, width - 0.7), Math.max(0.1, height - 0.7))
  if (dash !== undefined) document.dash(dash, { space: 1.5 })
  document.lineWidth(0.7).strokeColor(color).stroke().undash().restore()
}

/** Draws what is cut off at the edges of a box. */
function inside({ document }: Paper, { x, y, width, height }: Box, draw: () => void): void {
  document.save().rect(x, y, width, height).clip()
  draw()
  document.restore()
}

const HATCH = 3.2

function hatch({ document }: Paper, { x, y, width, height }: Box, color: string): void {
  for (let at = x - height; at < x + width; at += HATCH) document.moveTo(at, y + height).lineTo(at + height, y)
  document.lineWidth(0.9).strokeColor(color).stroke()
}

const DOTS = 3

function dots({ document }: Paper, { x, y, width, height }: Box, color: string): void {
  for (let row = y + DOTS / 2; row < y + height; row += DOTS)
    for (let column = x + DOTS / 2; column < x + width; column += DOTS) document.circle(column, row, 0.5)
  document.fill(color)
}
