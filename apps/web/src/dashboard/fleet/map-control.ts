import { barShare, type Scene } from './draw-region.ts'
import type { Paint } from './drawing.ts'
import { groupWords } from './fleet-groups.ts'
import { type Box, boxAt, HEADING, positionAt } from './map-layout.ts'
import { MapPainter } from './map-painter.ts'
import { type Direction, stepFrom } from './map-steps.ts'
import {
  clampView,
  type Frame,
  leastZoom,
  type MapSize,
  type MapView,
  panBy,
  type Point,
  reveal,
  toWorld,
  WHOLE,
  zoomAt,
} from './map-view.ts'

/** A bar may become this wide, pixels of the page. */
const WIDEST_BAR = 720
const NOTHING: Marks = { hovered: -1, focused: -1, open: -1, keyboard: false }

/** What the map tells anyone who shows it. Positions are GPUs of the scene; undefined for none. */
type MapListener = {
  readonly pointed: (gpu: number | undefined, by: 'pointer' | 'keyboard') => void
  readonly opened: (gpu: number) => void
  /** What is in view, and whether there is more of the map than that. */
  readonly viewed: (view: MapView, isPart: boolean) => void
}

/** The map's state between frames: what is seen of it, and what is marked. It knows no events; see `map-input.ts`. */
export class MapControl {
  readonly #painter: MapPainter
  readonly #listener: MapListener
  #scene: Scene | undefined
  #view: MapView = WHOLE
  #window: MapSize = { width: 1, height: 1 }
  #marks: Marks = NOTHING

  constructor(canvas: HTMLCanvasElement, listener: MapListener) {
    this.#listener = listener
    this.#painter = new MapPainter(canvas, (paint, view) => {
      if (this.#scene !== undefined) drawOverlay(paint, this.#scene, { view, window: this.#window, marks: this.#marks })
    })
  }

  show(scene: Scene): void {
    const before = this.#scene
    this.#scene = scene
    if (before?.layout.order !== scene.layout.order) {
      const again = (position: number): number => positionIn(scene, before?.layout.order[position])
      const { focused, open, keyboard } = this.#marks
      this.#marks = { hovered: -1, focused: again(focused), open: again(open), keyboard }
      this.#look(this.#view)
    }
    this.#painter.show(scene)
  }

  resize(window: MapSize, density: number): void {
    this.#window = window
    this.#painter.resize(window, density)
    this.#look(this.#view)
  }

  close = (): void => this.#painter.close()
  redraw = (): void => this.#painter.redraw()

  /** Moves by pixels of the window. False where the edge of the map is reached, so that the page may scroll instead. */
  pan(by: Point): boolean {
    const before = this.#view
    this.#look(panBy(before, by, this.#frame()))
    return before.x !== this.#view.x || before.y !== this.#view.y
  }

  zoom(factor: number, at: Point = { x: this.#window.width / 2, y: this.#window.height / 2 }): void {
    this.#look(zoomAt(this.#view, { factor, at }, this.#frame()))
  }

  fit = (): void => this.#look({ ...WHOLE, zoom: leastZoom(this.#frame()) })

  /** What the pointer is over. */
  point(at: Point | undefined): void {
    const position = at === undefined ? -1 : this.#positionAt(at)
    if (position === this.#marks.hovered && !this.#marks.keyboard) return
    this.#marks = { ...this.#marks, hovered: position, keyboard: false }
    this.#painter.redraw()
    this.#listener.pointed(this.#gpuAt(position), 'pointer')
  }

  /** The GPU under a point is opened; nothing happens where there is none. */
  open(at: Point): void {
    const position = this.#positionAt(at)
    const gpu = this.#gpuAt(position)
    if (gpu === undefined) return
    this.#marks = { ...this.#marks, focused: position }
    this.#listener.opened(gpu)
  }

  openFocused(): void {
    const gpu = this.#gpuAt(this.#marks.focused)
    if (gpu !== undefined) this.#listener.opened(gpu)
  }

  /** Moves the keyboard's mark; the map follows it. */
  step(direction: Direction | 'here'): void {
    const scene = this.#scene
    if (scene === undefined || scene.layout.order.length === 0) return
    const from = this.#marks.focused
    const focused = direction === 'here' ? Math.max(0, from) : from < 0 ? 0 : stepFrom(scene.layout, from, direction)
    this.#marks = { ...this.#marks, hovered: -1, focused, keyboard: true }
    this.#look(reveal(this.#view, boxAt(scene.layout, focused), this.#frame()))
    this.#listener.pointed(this.#gpuAt(focused), 'keyboard')
  }

  /** The keyboard has gone elsewhere. */
  leave(): void {
    this.#marks = { ...this.#marks, hovered: -1, keyboard: false }
    this.#painter.redraw()
    this.#listener.pointed(undefined, 'keyboard')
  }

  /** Marks the GPU whose card is open. */
  mark(gpu: number | undefined): void {
    const open = this.#scene === undefined ? -1 : positionIn(this.#scene, gpu)
    this.#marks = { ...this.#marks, open, focused: open < 0 ? this.#marks.focused : open }
    this.#painter.redraw()
  }

  /** Where a GPU is drawn now, in pixels of the window. */
  boxOf(gpu: number): Box | undefined {
    const position = this.#scene === undefined ? -1 : positionIn(this.#scene, gpu)
    if (this.#scene === undefined || position < 0) return undefined
    const { zoom, x, y } = this.#view
    const box = boxAt(this.#scene.layout, position)
    const width = box.width * barShare(this.#scene.picture, gpu)
    return { x: (box.x - x) * zoom, y: (box.y - y) * zoom, width: width * zoom, height: box.height * zoom }
  }

  #frame(): Frame {
    const { width = 1, height = 1, bar = 1 } = this.#scene?.layout ?? {}
    return { world: { width, height }, window: this.#window, most: Math.max(1, WIDEST_BAR / bar) }
  }

  #look(view: MapView): void {
    const next = clampView(view, this.#frame())
    this.#view = next
    this.#painter.look(next)
    this.#listener.viewed(next, next.zoom > leastZoom(this.#frame()) + 1e-6)
  }

  #positionAt(at: Point): number {
    const world = toWorld(this.#view, at)
    return this.#scene === undefined ? -1 : positionAt(this.#scene.layout, world.x, world.y)
  }

  #gpuAt = (position: number): number | undefined => this.#scene?.layout.order[position]
}

const positionIn = ({ layout }: Scene, gpu: number | undefined): number =>
  gpu === undefined ? -1 : (layout.place[gpu] ?? -1)

/** What is marked on the map: places in the order of the layout, -1 for none. */
type Marks = {
  readonly hovered: number
  readonly focused: number
  readonly open: number
  readonly keyboard: boolean
}

const NAME_FONT = '600 13px Geist, ui-sans-serif, system-ui, sans-serif'
const WORDS_FONT = '400 12px Geist, ui-sans-serif, system-ui, sans-serif'

/** Headings of groups, which stay in sight while the map is moved sideways, and frames around what is marked. */
function drawOverlay(paint: Paint, scene: Scene, { view, window, marks }: Overlaid): void {
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
