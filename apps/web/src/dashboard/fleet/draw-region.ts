import { drawGpu } from './draw-bars.ts'
import type { Drawing, DrawnSpot } from './drawing.ts'
import { DOWN_BIT, type FleetPicture } from './fleet-picture.ts'
import {
  type Box,
  labelHeight,
  leftOf,
  type MapLayout,
  shelfBelow,
  tileLeftOf,
  tileWidth,
  topOf,
} from './map-layout.ts'
import { numberAt } from './number-at.ts'

/** A map as it is drawn: what, where, and which GPUs stay when others are dimmed. */
export type Scene = Omit<Drawing, 'paint'> & {
  readonly layout: MapLayout
  /** 1 for those that stay; undefined: all do. */
  readonly mask: Uint8Array | undefined
}
type Painted = Scene & Drawing

/** The part of the world that is drawn, and how many pixels a unit of it is. */
type Region = { readonly box: Box; readonly zoom: number }

/** How much is left of what does not match. */
const DIMMED = 0.14
const DOWN = 0.45
/** Pixels of the page: under this a node's name has no room. */
const NAME_FROM = 11

/** Draws the part of the map in a box of the world, so that the box's upper left corner is at the paint's origin. */
export function drawRegion(painted: Painted, region: Region): void {
  const { layout, paint } = painted
  const { box, zoom } = region
  // A fault's frame and sign reach over the bar a little.
  const room = 8 / zoom
  for (let shelf = shelfBelow(layout, box.y - room); shelf < layout.shelves.length; shelf += 1) {
    const on = layout.shelves[shelf]
    if (on === undefined || on.y > box.y + box.height + room) break
    for (let tile = tileLeftOf(layout, on, box.x - room); tile < on.end; tile += 1) {
      const left = numberAt(layout.tiles.x, tile)
      if (left > box.x + box.width + room) break
      if (left + tileWidth(layout, tile) >= box.x - room) drawTile(painted, tile, region)
    }
  }
  paint.globalAlpha = 1
}

function drawTile(painted: Painted, tile: number, region: Region): void {
  const { layout, picture, mask, paint } = painted
  const { box, zoom } = region
  let matches = false
  for (
    let position = numberAt(layout.tiles.first, tile);
    position < numberAt(layout.tiles.first, tile + 1);
    position += 1
  ) {
    const gpu = numberAt(layout.order, position)
    const stays = mask === undefined || mask[gpu] === 1
    matches ||= stays
    paint.globalAlpha = stays ? alphaOf(picture, gpu) : DIMMED
    spot.x = (leftOf(layout, position) - box.x) * zoom
    spot.y = (topOf(layout, position) - box.y) * zoom
    spot.width = layout.bar * barShare(picture, gpu) * zoom
    spot.height = layout.barHeight * zoom
    drawGpu(painted, gpu, spot)
  }
  paint.globalAlpha = matches ? 1 : DIMMED * 2
  drawName(painted, tile, region)
}
const spot: DrawnSpot = { x: 0, y: 0, width: 0, height: 0 }

const alphaOf = ({ has }: FleetPicture, gpu: number): number => ((numberAt(has, gpu) & DOWN_BIT) === 0 ? 1 : DOWN)

/** An A30 has half the memory slices of the other boards, so its bar is half as wide. */
export const barShare = ({ mode, slots }: FleetPicture, gpu: number): number =>
  mode[gpu] === 1 ? Math.min(1, numberAt(slots, gpu) / 8) : 1

const NAME_FONT = '500 11px Geist, ui-sans-serif, system-ui, sans-serif'
const NAME_CHARACTER = 6

/** The name of the node above its bars, as much of it as there is room for. */
function drawName({ layout, picture, palette, paint }: Painted, tile: number, { box, zoom }: Region): void {
  const height = labelHeight(layout) * zoom
  const room = Math.floor((tileWidth(layout, tile) * zoom) / NAME_CHARACTER)
  if (height < NAME_FROM || room < 4) return
  const node = numberAt(layout.tiles.node, tile)
  const down = picture.notReady.has(node)
  paint.font = NAME_FONT
  paint.textAlign = 'left'
  paint.textBaseline = 'alphabetic'
  paint.fillStyle = down ? palette.faultInk : palette.inkSoft
  const x = (numberAt(layout.tiles.x, tile) - box.x) * zoom
  const y = (numberAt(layout.tiles.y, tile) - box.y) * zoom + height - 6
  paint.fillText(nodeLabel(picture.frame.nodes.name[node] ?? '', { down, room }), x, y)
}

type Said = { readonly down: boolean; readonly room: number }

/**
 * A node's name in so many characters, and whether it is down: in words where all fits, else as a mark. The end of a name
 * tells it from its neighbours, so it is the beginning that is left out.
 */
export function nodeLabel(name: string, { down, room }: Said): string {
  const long = `${name}${NOT_READY}`
  if (!down) return shortened(name, room)
  return long.length <= room ? long : `${shortened(name, room - MARK.length)}${MARK}`
}

const NOT_READY = ' · not ready'
const MARK = ' ✕'

const shortened = (name: string, room: number): string =>
  name.length <= room ? name : `…${name.slice(name.length - room + 1)}`
