import type { Drawing, Paint, DrawnSpot } from './drawing.ts'
import { CODE, FAULT_BIT, SHARED } from './fleet-picture.ts'
import type { Fill, MapPalette } from './map-palette.ts'
import { numberAt } from './number-at.ts'
import { shortHolder } from '../../ui/slice-words.ts'

const LABEL_FONT = '500 11px "Geist Mono", ui-monospace, monospace'
const CHARACTER = 6.65
const PADDING = 12

/** Profile and workload of a block, or the workload, or the profile, or nothing: whole words only. */
function drawLabel({ paint, picture, palette }: Drawing, block: number, at: DrawnSpot): void {
  const code = numberAt(picture.kind, block)
  const text = code === CODE.stranded ? undefined : labelThatFits(picture, block, at.width)
  if (text === undefined) return
  const share = code === CODE.busy ? Math.min(1, Math.max(0, numberAt(picture.busy, block)) / 1000) : 0
  // In the larger part of the block, the solid or the empty one, so that no edge runs through it.
  const onFill = share >= 0.5
  const middle = at.y + (onFill ? at.height - (share * at.height) / 2 : ((1 - share) * at.height) / 2)
  const left = at.x + PADDING / 2
  const ground = palette.grounds[code]
  if (ground !== undefined) {
    paint.fillStyle = ground
    paint.fillRect(left - 4, middle - 8, text.length * CHARACTER + 8, 16)
  }
  paint.font = LABEL_FONT
  paint.textBaseline = 'middle'
  paint.textAlign = 'left'
  paint.fillStyle = onFill ? palette.onBusy : (palette.inks[code] ?? palette.ink)
  paint.fillText(text, left, middle + 0.5)
}

function labelThatFits({ frame, now }: Drawing['picture'], block: number, width: number): string | undefined {
  const full = now.holders[now.blocks.holder[block] ?? -1]
  const holder = full === undefined ? undefined : shortHolder(full)
  const profile = frame.profiles[frame.blocks.profile[block] ?? -1]
  const both = profile !== undefined && holder !== undefined ? `${profile} ${holder}` : undefined
  return [both, holder, profile].find((text) => text && text.length * CHARACTER + PADDING <= width)
}

/** Below this height a bar has no room for textures and gaps. */
const TOO_SMALL = 6
/** From this height on blocks have round corners, as in the slice bar. */
const ROUND_FROM = 10
/** From this height on a block carries the name of who holds it. */
const NAMED_FROM = 20
const GAP = 1.5

/** One GPU as a slice bar, with as much of it as there is room for. */
export function drawGpu(drawing: Drawing, gpu: number, at: DrawnSpot): void {
  const { paint, picture, palette } = drawing
  const small = at.height < TOO_SMALL
  const begin = numberAt(picture.first, gpu)
  const end = numberAt(picture.first, gpu + 1)
  if (begin === end) outline(paint, at, palette.free)
  const layers = numberAt(picture.mode, gpu) === SHARED ? end - begin : 1
  const slot = at.width / Math.max(1, numberAt(picture.slots, gpu))
  for (let block = begin; block < end; block += 1) {
    part.x = at.x + numberAt(picture.start, block) * slot
    part.width = numberAt(picture.size, block) * slot
    part.y = at.y + (layers > 1 ? ((block - begin) * at.height) / layers : 0)
    part.height = layers > 1 && !small ? Math.max(1.5, at.height / layers - 1) : at.height / layers
    if (small) drawSmall(drawing, block, part)
    else drawLarge(drawing, block, part)
  }
  drawMarks(drawing, gpu, at)
}
const part: DrawnSpot = { x: 0, y: 0, width: 0, height: 0 }

/** That placements were not reported, and that the GPU has a fault. */
function drawMarks({ paint, picture, palette }: Drawing, gpu: number, at: DrawnSpot): void {
  if (numberAt(picture.guessed, gpu) === 1) dashes(paint, palette, at)
  if ((numberAt(picture.has, gpu) & FAULT_BIT) !== 0) drawFault(paint, palette, at)
}

/** A block as a plain run of color: as wide as it is, and as strong as it was busy. */
function drawSmall({ paint, picture, palette }: Drawing, block: number, { x, y, width, height }: DrawnSpot): void {
  const code = numberAt(picture.kind, block)
  paint.fillStyle =
    code === CODE.busy ? busyColor(palette, numberAt(picture.busy, block)) : (palette.small[code] ?? palette.free)
  paint.fillRect(x, y, Math.max(1, width > 2 ? width - 0.5 : width), height)
}

const busyColor = ({ busyness, busy }: MapPalette, thousandths: number): string =>
  busyness[Math.round((Math.max(0, thousandths) / 1000) * (busyness.length - 1))] ?? busy

function drawLarge(drawing: Drawing, block: number, at: DrawnSpot): void {
  at.x += GAP / 2
  at.width = Math.max(1, at.width - GAP)
  drawBlock(drawing, block, at)
  if (at.height >= NAMED_FROM) drawLabel(drawing, block, at)
}

/** A block in its meaning: busy solid as high as it was busy, idle hatched, free an outline, not cut a broken one, stranded dotted. */
function drawBlock({ paint, picture, palette }: Drawing, block: number, at: DrawnSpot): void {
  const code = numberAt(picture.kind, block)
  if (code === CODE.busy) {
    box(paint, at, palette.busySoft)
    const share = Math.max(0, numberAt(picture.busy, block)) / 1000
    if (share === 0) return
    filled.x = at.x
    filled.width = at.width
    filled.height = Math.max(1.5, Math.min(1, share) * at.height)
    filled.y = at.y + at.height - filled.height
    box(paint, filled, palette.busy)
    return
  }
  box(paint, at, palette.large[code] ?? palette.surface)
  if (code === CODE.stranded) return
  paint.setLineDash(code === CODE.uncut ? UNCUT : WHOLE)
  outline(paint, at, palette.edges[code] ?? palette.unknown)
  paint.setLineDash(WHOLE)
}
/** As in the slice bar: what is not cut has a broken outline. */
const UNCUT = [3, 2]
const WHOLE: number[] = []
const filled: DrawnSpot = { x: 0, y: 0, width: 0, height: 0 }

function box(paint: Paint, { x, y, width, height }: DrawnSpot, fill: Fill): void {
  paint.fillStyle = fill
  if (height < ROUND_FROM) {
    paint.fillRect(x, y, width, height)
    return
  }
  paint.beginPath()
  paint.roundRect(x, y, width, height, 2.5)
  paint.fill()
}

function outline(paint: Paint, { x, y, width, height }: DrawnSpot, color: string): void {
  paint.strokeStyle = color
  paint.lineWidth = 1
  if (height < ROUND_FROM) {
    paint.strokeRect(x + 0.5, y + 0.5, Math.max(0, width - 1), Math.max(0, height - 1))
    return
  }
  paint.beginPath()
  paint.roundRect(x + 0.5, y + 0.5, Math.max(0, width - 1), Math.max(0, height - 1), 2)
  paint.stroke()
}

/** Under a bar whose placements no node reported. */
function dashes(paint: Paint, palette: MapPalette, { x, y, width, height }: DrawnSpot): void {
  if (height < ROUND_FROM) return
  paint.strokeStyle = palette.free
  paint.lineWidth = 1
  paint.setLineDash([2, 3])
  paint.beginPath()
  paint.moveTo(x, y + height + 2.5)
  paint.lineTo(x + width, y + height + 2.5)
  paint.stroke()
  paint.setLineDash([])
}

/** A red frame and a warning sign on its corner: a fault is seen without its color too, and from afar. */
function drawFault(paint: Paint, palette: MapPalette, { x, y, width, height }: DrawnSpot): void {
  const small = height < TOO_SMALL
  paint.strokeStyle = palette.fault
  paint.lineWidth = small ? 1 : 1.5
  paint.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1)
  const sign = Math.max(7, Math.min(14, height))
  const left = x + width - sign - (small ? 0 : 4)
  const top = y + (height - sign) / 2
  paint.beginPath()
  paint.moveTo(left + sign / 2, top)
  paint.lineTo(left + sign, top + sign)
  paint.lineTo(left, top + sign)
  paint.closePath()
  paint.strokeStyle = palette.surface
  paint.lineWidth = 1.5
  paint.stroke()
  paint.fillStyle = palette.fault
  paint.fill()
  if (sign < 10) return
  paint.fillStyle = palette.surface
  paint.fillRect(left + sign / 2 - 0.75, top + sign * 0.36, 1.5, sign * 0.3)
  paint.fillRect(left + sign / 2 - 0.75, top + sign * 0.76, 1.5, 1.5)
}
