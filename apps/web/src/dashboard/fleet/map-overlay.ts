import type { Paint } from './drawing.ts'
import { barShare, type Scene } from './draw-region.ts'
import { groupWords } from './fleet-groups.ts'
import { boxAt, HEADING } from './map-layout.ts'
import type { MapView, MapSize } from './map-view.ts'

/** What is marked on the map: places in the order of the layout, -1 for none. */
export type Marks = {
  readonly hovered: number
  readonly focused: number
  readonly open: number
  readonly keyboard: boolean
}

const NAME_FONT = '600 13px Geist, ui-sans-serif, system-ui, sans-serif'
const WORDS_FONT = '400 12px Geist, ui-sans-serif, system-ui, sans-serif'

/** Headings of groups, which stay in sight while the map is moved sideways, and frames around what is marked. */
export function drawOverlay(paint: Paint, scene: Scene, { view, window, marks }: Overlaid): void {
  for (const { y, group } of scene.layout.headings) {
    const bottom = (y + HEADING - view.y) * view.zoom
    if (bottom < 0 || bottom - 40 > window.height) continue
    drawHeading(paint, scene, { name: group.name, words: groupWords(group), bottom, window })
  }
  if (marks.hovered >= 0) drawMark(paint, scene, { position: marks.hovered, view, strong: false })
  if (marks.open >= 0) drawMark(paint, scene, { position: marks.open, view, strong: true })
  if (marks.keyboard && marks.focused >= 0) drawMark(paint, scene, { position: marks.focused, view, strong: true })
}
type Overlaid = { readonly view: MapView; readonly window: MapSize; readonly marks: Marks }

type HeadingText = { readonly name: string; readonly words: string; readonly bottom: number; readonly window: MapSize }

function drawHeading(paint: Paint, { palette }: Scene, { name, words, bottom, window }: HeadingText): void {
  paint.textBaseline = 'alphabetic'
  paint.textAlign = 'left'
  paint.font = NAME_FONT
  paint.fillStyle = palette.ink
  const title = shortened(paint, name, window.width)
  paint.fillText(title, 0, bottom - 10)
  const left = paint.measureText(title).width + 10
  paint.font = WORDS_FONT
  paint.fillStyle = palette.inkQuiet
  const rest = shortened(paint, words, window.width - left)
  if (rest.length > 3) paint.fillText(rest, left, bottom - 10)
}

/** The text, or as much of its beginning as fits. */
function shortened(paint: Paint, text: string, width: number): string {
  const full = paint.measureText(text).width
  if (full <= width) return text
  const kept = Math.max(0, Math.floor((text.length * width) / full) - 2)
  return kept === 0 ? '' : `${text.slice(0, kept)}…`
}

type Mark = { readonly position: number; readonly view: MapView; readonly strong: boolean }

function drawMark(paint: Paint, { layout, picture, palette }: Scene, { position, view, strong }: Mark): void {
  const gpu = layout.order[position]
  if (gpu === undefined) return
  const box = boxAt(layout, position)
  const [x, y] = [(box.x - view.x) * view.zoom, (box.y - view.y) * view.zoom]
  const [width, height] = [box.width * barShare(picture, gpu) * view.zoom, box.height * view.zoom]
  const out = strong ? 3 : 2
  paint.strokeStyle = strong ? palette.accent : palette.ink
  paint.lineWidth = strong ? 2 : 1.25
  paint.beginPath()
  paint.roundRect(x - out, y - out, width + 2 * out, height + 2 * out, 4)
  paint.stroke()
}
