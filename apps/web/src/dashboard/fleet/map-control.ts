import { barShare, type Scene } from './draw-region.ts'
import { boxAt, positionAt, type Box } from './map-layout.ts'
import { drawOverlay, type Marks } from './map-overlay.ts'
import { MapPainter } from './map-painter.ts'
import { type Direction, stepFrom } from './map-steps.ts'
import {
  clampView,
  leastZoom,
  panBy,
  reveal,
  toWorld,
  WHOLE,
  zoomAt,
  type Frame,
  type MapView,
  type Point,
  type MapSize,
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
