import { drawRegion, type Scene } from './draw-region.ts'
import type { Paint } from './drawing.ts'
import type { MapView, MapSize } from './map-view.ts'

/** Device pixels of a tile's side: a multiple of every texture's period at the usual densities. */
const TILE = 480
/** Milliseconds of a frame that may go into drawing tiles; the rest of the frame is for putting them together. */
const BUDGET_MS = 6
/** Tiles kept beside those in view. */
const MOST_TILES = 72

type Tile = { readonly bitmap: ImageBitmap; revision: number }
/** Tiles of one zoom, by row and column. */
type Layer = { readonly zoom: number; readonly tiles: Map<number, Tile> }
const keyOf = (row: number, column: number): number => row * 8192 + column

const within = (place: number, count: number): number => Math.min(count - 1, Math.max(0, place))

/** What is drawn over the map in each frame. */
type Overlay = (paint: Paint, view: MapView) => void

/**
 * Draws the map tile by tile beside the page and puts the tiles together in each frame. Moving the map only moves tiles;
 * while one zooms, the tiles of the last zoom stand in until sharp ones are there.
 */
export class MapPainter {
  readonly #paint: CanvasRenderingContext2D
  readonly #canvas: HTMLCanvasElement
  readonly #stage = new OffscreenCanvas(TILE, TILE)
  readonly #overlay: Overlay
  #scene: Scene | undefined
  #revision = 0
  #layer: Layer = { zoom: 1, tiles: new Map() }
  #before: Layer | undefined
  #view: MapView = { x: 0, y: 0, zoom: 1 }
  #density = 1
  #frame = 0

  constructor(canvas: HTMLCanvasElement, overlay: Overlay) {
    const paint = canvas.getContext('2d')
    if (paint === null) throw new Error('This browser gives no canvas to draw on.')
    this.#canvas = canvas
    this.#paint = paint
    this.#overlay = overlay
  }

  /** What is drawn from now on. The old picture stays until the new one is drawn, unless things stand elsewhere in it. */
  show(scene: Scene): void {
    if (scene.layout.order !== this.#scene?.layout.order) this.#drop()
    this.#scene = scene
    this.#revision += 1
    this.redraw()
  }

  resize({ width, height }: MapSize, density: number): void {
    this.#canvas.width = Math.round(width * density)
    this.#canvas.height = Math.round(height * density)
    if (density !== this.#density) this.#drop()
    this.#density = density
    this.redraw()
  }

  look(view: MapView): void {
    if (view.zoom !== this.#view.zoom) {
      // Half-drawn layers of a zoom that is passed through are no better than the last whole one.
      if (this.#layer.tiles.size > 0 && this.#isComplete) {
        dropTiles(this.#before)
        this.#before = this.#layer
      } else dropTiles(this.#layer)
      this.#layer = { zoom: view.zoom, tiles: new Map() }
      this.#isComplete = false
    }
    this.#view = view
    this.redraw()
  }
  #isComplete = false

  redraw(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#draw)
  }

  close(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = -1
    this.#drop()
  }

  #drop(): void {
    dropTiles(this.#layer)
    dropTiles(this.#before)
    this.#before = undefined
  }

  readonly #draw = (): void => {
    this.#frame = 0
    const scene = this.#scene
    if (scene === undefined) return
    const paint = this.#paint
    paint.setTransform(1, 0, 0, 1, 0, 0)
    paint.clearRect(0, 0, this.#canvas.width, this.#canvas.height)
    if (!this.#isComplete && this.#before !== undefined) this.#drawBefore(this.#before)
    const isWhole = this.#drawTiles(scene)
    this.#isComplete ||= isWhole
    paint.setTransform(this.#density, 0, 0, this.#density, 0, 0)
    this.#overlay(paint, this.#view)
    if (!isWhole) this.redraw()
  }

  /** The last zoom's tiles, stretched to this one. */
  #drawBefore({ zoom, tiles }: Layer): void {
    const { x, y, zoom: now } = this.#view
    const scale = now / zoom
    for (const [key, { bitmap }] of tiles) {
      const left = (key % 8192) * TILE * scale - x * now * this.#density
      const top = Math.floor(key / 8192) * TILE * scale - y * now * this.#density
      if (left > this.#canvas.width || top > this.#canvas.height || left + TILE * scale < 0 || top + TILE * scale < 0)
        continue
      this.#paint.drawImage(bitmap, left, top, TILE * scale, TILE * scale)
    }
  }

  /** Draws what is missing in view, as far as the frame allows, then a ring around it. True when nothing is left to draw. */
  #drawTiles(scene: Scene): boolean {
    const until = performance.now() + BUDGET_MS
    const seen = this.#range(scene)
    let isWhole = true
    for (let row = seen.top; row <= seen.bottom; row += 1) {
      for (let column = seen.left; column <= seen.right; column += 1) {
        const tile = this.#tile(scene, { row, column, until })
        if (tile === undefined || tile.revision !== this.#revision) isWhole = false
        if (tile !== undefined) this.#paint.drawImage(tile.bitmap, column * TILE - seen.x, row * TILE - seen.y)
      }
    }
    if (isWhole) isWhole = this.#drawRing(scene, seen, until)
    this.#forget(seen)
    return isWhole
  }

  #drawRing(scene: Scene, { left, top, right, bottom, columns, rows }: Range, until: number): boolean {
    for (let row = Math.max(0, top - 1); row <= Math.min(rows - 1, bottom + 1); row += 1) {
      for (let column = Math.max(0, left - 1); column <= Math.min(columns - 1, right + 1); column += 1) {
        if (this.#layer.tiles.get(keyOf(row, column))?.revision === this.#revision) continue
        if (performance.now() > until) return false
        this.#tile(scene, { row, column, until })
      }
    }
    return true
  }

  /** A tile as fresh as the budget allows; undefined when there was none and there is no time to draw it. */
  #tile(scene: Scene, { row, column, until }: Place): Tile | undefined {
    const key = keyOf(row, column)
    const known = this.#layer.tiles.get(key)
    if (known?.revision === this.#revision || performance.now() > until) return known
    const paint = this.#stage.getContext('2d')
    if (paint === null) return known
    const scale = this.#layer.zoom * this.#density
    paint.setTransform(this.#density, 0, 0, this.#density, 0, 0)
    const box = { x: (column * TILE) / scale, y: (row * TILE) / scale, width: TILE / scale, height: TILE / scale }
    drawRegion({ ...scene, paint }, { box, zoom: this.#layer.zoom })
    const tile = { bitmap: this.#stage.transferToImageBitmap(), revision: this.#revision }
    known?.bitmap.close()
    this.#layer.tiles.set(key, tile)
    return tile
  }

  /** Rows and columns of the tiles in view. */
  #range({ layout }: Scene): Range {
    const scale = this.#view.zoom * this.#density
    const x = Math.round(this.#view.x * scale)
    const y = Math.round(this.#view.y * scale)
    const columns = Math.max(1, Math.ceil((layout.width * scale) / TILE))
    const rows = Math.max(1, Math.ceil((layout.height * scale) / TILE))
    return {
      x,
      y,
      columns,
      rows,
      left: within(Math.floor(x / TILE), columns),
      right: within(Math.floor((x + this.#canvas.width - 1) / TILE), columns),
      top: within(Math.floor(y / TILE), rows),
      bottom: within(Math.floor((y + this.#canvas.height - 1) / TILE), rows),
    }
  }

  /** Tiles far from what is in view go when there are too many. */
  #forget({ left, right, top, bottom }: Range): void {
    const { tiles } = this.#layer
    if (tiles.size <= MOST_TILES) return
    for (const [key, { bitmap }] of tiles) {
      const column = key % 8192
      const row = Math.floor(key / 8192)
      if (column >= left - 1 && column <= right + 1 && row >= top - 1 && row <= bottom + 1) continue
      bitmap.close()
      tiles.delete(key)
    }
  }
}

type Place = { readonly row: number; readonly column: number; readonly until: number }
type Range = {
  readonly x: number
  readonly y: number
  readonly columns: number
  readonly rows: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

function dropTiles(layer: Layer | undefined): void {
  if (layer === undefined) return
  for (const { bitmap } of layer.tiles.values()) bitmap.close()
  layer.tiles.clear()
}
