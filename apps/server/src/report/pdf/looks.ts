import { INK, type Paper } from './paper.ts'
import type { TagBox } from './tags.ts'

/** What a part of GPU time is, by color and texture as on the screen. */
export type LookName = 'busy' | 'unknown' | 'oversized' | 'idle' | 'free' | 'uncut' | 'stranded' | 'broken' | 'others'

/** Fills a box with the color and the texture of a meaning. */
export function drawLook(paper: Paper, name: LookName, box: TagBox): void {
  if (box.width <= 0 || box.height <= 0) return
  LOOKS[name](paper, box)
}

const LOOKS = {
  busy: (paper, box) => fill(paper, box, INK.busy),
  oversized: (paper, box) => {
    fill(paper, box, INK.busySoft)
    outline(paper, box, { color: INK.busy })
  },
  idle: (paper, box) => {
    fill(paper, box, INK.idleSoft)
    inside(paper, box, () => hatch(paper, box))
    outline(paper, box, { color: INK.idle })
  },
  unknown: (paper, box) => {
    fill(paper, box, INK.unknownSoft)
    inside(paper, box, () => lines(paper, box))
    outline(paper, box, { color: INK.unknown })
  },
  others: (paper, box) => {
    fill(paper, box, INK.line)
    outline(paper, box, { color: INK.unknown })
  },
  free: (paper, box) => {
    fill(paper, box, INK.paper)
    outline(paper, box, { color: INK.free })
  },
  uncut: (paper, box) => outline(paper, box, { color: INK.free, dash: 2 }),
  stranded: (paper, box) => {
    fill(paper, box, INK.strandedSoft)
    inside(paper, box, () => dots(paper, box))
    // Too narrow for its dots.
    if (box.width < 2 * DOTS) outline(paper, box, { color: INK.stranded })
  },
  broken: (paper, box) => fill(paper, box, INK.fault),
} satisfies Record<LookName, (paper: Paper, box: TagBox) => void>

/** A plain area. */
export const fill = ({ document }: Paper, { x, y, width, height }: TagBox, color: string): void =>
  void document.rect(x, y, width, height).fill(color)

type Stroke = { readonly color: string; readonly dash?: number }

function outline({ document }: Paper, { x, y, width, height }: TagBox, { color, dash }: Stroke): void {
  document.save().rect(x + 0.35, y + 0.35, Math.max(0.1, width - 0.7), Math.max(0.1, height - 0.7))
  if (dash !== undefined) document.dash(dash, { space: 1.5 })
  document.lineWidth(0.7).strokeColor(color).stroke().undash().restore()
}

/** Draws what is cut off at the edges of a box. */
function inside({ document }: Paper, { x, y, width, height }: TagBox, draw: () => void): void {
  document.save().rect(x, y, width, height).clip()
  draw()
  document.restore()
}

const HATCH = 4.2

function hatch({ document }: Paper, { x, y, width, height }: TagBox): void {
  for (let at = x - height; at < x + width; at += HATCH) document.moveTo(at, y + height).lineTo(at + height, y)
  document.lineWidth(1.25).strokeColor(INK.idle).stroke()
}

const LINES = 3.2

function lines({ document }: Paper, { x, y, width, height }: TagBox): void {
  for (let at = y + LINES / 2; at < y + height; at += LINES) document.moveTo(x, at).lineTo(x + width, at)
  document.lineWidth(0.6).strokeColor(INK.unknown).strokeOpacity(0.75).stroke().strokeOpacity(1)
}

const DOTS = 3.4

function dots({ document }: Paper, { x, y, width, height }: TagBox): void {
  for (let row = y + DOTS / 2; row < y + height; row += DOTS)
    for (let column = x + DOTS / 2; column < x + width; column += DOTS) document.circle(column, row, 0.75)
  document.fill(INK.stranded)
}
