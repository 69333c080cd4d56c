import type { FleetGroup } from './fleet-groups.ts'
import { numberAt } from './number-at.ts'

/** What is laid out: groups of GPUs, each GPU on its node. */
type MapContent = { readonly groups: readonly FleetGroup[]; readonly node: Int32Array; readonly gpus: number }

/**
 * Where everything is, in world units: one of them is one pixel when the whole map is in view. GPUs stand in tiles, one
 * for each node (within a group), tiles on shelves, shelves below each other.
 */
export type MapLayout = {
  readonly width: number
  readonly height: number
  /** Width of a bar of 8 memory slices. */
  readonly bar: number
  readonly barHeight: number
  /** GPUs in the order in which they stand, and where in it each GPU is. */
  readonly order: Int32Array
  readonly place: Int32Array
  readonly tiles: Tiles
  readonly shelves: readonly Shelf[]
  readonly headings: readonly Heading[]
  /** The tile of each place in the order. */
  readonly tileOf: Int32Array
}
type Tiles = {
  readonly count: number
  readonly x: Float64Array
  readonly y: Float64Array
  readonly columns: Uint8Array
  readonly node: Int32Array
  /** First place in the order, and after the last tile the number of GPUs. */
  readonly first: Int32Array
}
type Shelf = { readonly y: number; readonly height: number; readonly first: number; readonly end: number }
type Heading = { readonly y: number; readonly group: FleetGroup }

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** Lengths in widths of a bar. */
const BAR = 0.18
const ROW = BAR + 0.06
const GAP = 0.07
const LABEL = 0.2
/** World units: what the name of a node needs to be read. Bars under the other length are too many to name. */
const NAME_HEIGHT = 16
const NAMED_BAR = 28
const PAD = 0.13
/** World units. */
export const HEADING = 34
const SMALLEST_BAR = 11
const LARGEST_BAR = 132
/** Wide enough to tell blocks and textures apart. */
const LEGIBLE_BAR = 88
/** Room that one of the 8 GPUs of a usual node takes, in squares of a bar's width. */
const AREA = 0.31
const STEP = 1.03

/** The largest bars with which the whole map fits a window; where they would be too small to read, the map is higher than it. */
export function mapLayout(content: MapContent, window: { readonly width: number; readonly height: number }): MapLayout {
  const tiles = tilesOf(content)
  const largest = Math.max(SMALLEST_BAR, Math.min(LARGEST_BAR, widest(tiles, window.width)))
  const smallest = Math.min(largest, legible(content.gpus, window))
  let bar = largest
  let shelved = shelve(tiles, bar, window.width)
  while (shelved.height > window.height && bar > smallest) {
    bar = Math.max(smallest, bar / STEP)
    shelved = shelve(tiles, bar, window.width)
  }
  justify(tiles, shelved, { bar, width: window.width })
  const order = Int32Array.from(content.groups.flatMap(({ gpus }) => [...gpus]))
  const place = new Int32Array(content.gpus).fill(-1)
  const tileOf = new Int32Array(order.length)
  for (const [position, gpu] of order.entries()) place[gpu] = position
  for (let tile = 0; tile < tiles.count; tile += 1) {
    tileOf.fill(tile, tiles.first[tile], tiles.first[tile + 1])
  }
  return {
    width: window.width,
    height: shelved.height,
    bar,
    barHeight: bar * BAR,
    order,
    place,
    tileOf,
    tiles: { count: tiles.count, columns: tiles.columns, node: tiles.node, first: tiles.first, ...shelved.at },
    shelves: shelved.shelves,
    headings: shelved.headings,
  }
}

type Unplaced = Omit<Tiles, 'x' | 'y'> & {
  readonly groups: readonly { readonly group: FleetGroup; readonly first: number; readonly end: number }[]
}

/** GPUs that follow each other and are on one node stand in one tile. */
function tilesOf({ groups, node }: MapContent): Unplaced {
  const nodes: number[] = []
  const first: number[] = []
  const ends: { group: FleetGroup; first: number; end: number }[] = []
  let position = 0
  for (const group of groups) {
    const begin = nodes.length
    let last = -1
    for (const gpu of group.gpus) {
      const on = numberAt(node, gpu)
      if (on !== last || nodes.length === begin) {
        nodes.push(on)
        first.push(position)
        last = on
      }
      position += 1
    }
    ends.push({ group, first: begin, end: nodes.length })
  }
  first.push(position)
  const columns = Uint8Array.from(nodes, (_node, tile) => columnsFor(numberAt(first, tile + 1) - numberAt(first, tile)))
  return { count: nodes.length, node: Int32Array.from(nodes), first: Int32Array.from(first), columns, groups: ends }
}

const columnsFor = (gpus: number): number => (gpus === 1 ? 1 : gpus <= 8 ? 2 : 4)

/**
 * The bar that is not made smaller for the sake of headings: where many groups take the height, the map is rather higher
 * than the window. It is that of bars which would fill most of the window without headings.
 */
function legible(gpus: number, { width, height }: Pick<Box, 'width' | 'height'>): number {
  const filling = Math.sqrt((width * height) / (AREA * Math.max(1, gpus)))
  return Math.max(SMALLEST_BAR, Math.min(LEGIBLE_BAR, 0.7 * filling))
}

/** The bar with which the widest tile still fits the window. */
function widest({ columns }: Unplaced, width: number): number {
  const most = columns.reduce((largest, each) => Math.max(largest, each), 1)
  return width / (most + (most - 1) * GAP + PAD)
}

type Shelved = {
  readonly at: Pick<Tiles, 'x' | 'y'>
  readonly shelves: Shelf[]
  readonly headings: Heading[]
  readonly height: number
}

/** Puts tiles side by side until a shelf is full; every group begins on a shelf of its own, below its heading. */
function shelve(tiles: Unplaced, bar: number, width: number): Shelved {
  const x = new Float64Array(tiles.count)
  const y = new Float64Array(tiles.count)
  const shelves: Shelf[] = []
  const headings: Heading[] = []
  let top = 0
  for (const { group, first, end } of tiles.groups) {
    if (group.name !== '') {
      headings.push({ y: top, group })
      top += HEADING
    }
    let begin = first
    while (begin < end) {
      const shelf = fillShelf(tiles, { begin, end, bar, width })
      for (let tile = begin; tile < shelf.end; tile += 1) {
        x[tile] = numberAt(shelf.x, tile - begin)
        y[tile] = top
      }
      shelves.push({ y: top, height: shelf.height, first: begin, end: shelf.end })
      top += shelf.height
      begin = shelf.end
    }
  }
  return { at: { x, y }, shelves, headings, height: top }
}

/**
 * Shares what full shelves leave at the right among the gaps between tiles, the same everywhere, so that columns stay
 * below each other and the map ends where its page does.
 */
function justify({ groups, columns }: Unplaced, { at, shelves }: Shelved, { bar, width }: Fitted): void {
  const ends = new Set(groups.map(({ end }) => end))
  if (shelves.every(({ end }) => ends.has(end))) return
  const gaps = shelves.flatMap(({ first, end }) => {
    if (end - first < 2) return []
    const left = width - numberAt(at.x, end - 1) - tileOfColumns(numberAt(columns, end - 1)) * bar
    return [Math.max(0, left) / (end - first - 1)]
  })
  const gap = Math.min(bar, ...gaps)
  for (const { first, end } of shelves) {
    for (let tile = first; tile < end; tile += 1) at.x[tile] = numberAt(at.x, tile) + (tile - first) * gap
  }
}
type Fitted = { readonly bar: number; readonly width: number }

type ShelfOf = { readonly begin: number; readonly end: number; readonly bar: number; readonly width: number }

function fillShelf(tiles: Unplaced, { begin, end, bar, width }: ShelfOf): { x: number[]; end: number; height: number } {
  const x: number[] = []
  let right = 0
  let height = 0
  let tile = begin
  while (tile < end) {
    const columns = numberAt(tiles.columns, tile)
    const needs = (tileOfColumns(columns) + PAD) * bar
    if (tile > begin && right + needs > width + 0.01) break
    x.push(right)
    right += needs
    const rows = Math.ceil((numberAt(tiles.first, tile + 1) - numberAt(tiles.first, tile)) / columns)
    height = Math.max(height, labelOf(bar) + (rows * ROW + PAD) * bar)
    tile += 1
  }
  return { x, end: tile, height }
}

/** Where the bar of a GPU stands, as wide as one of 8 memory slices. */
export function boxAt(layout: MapLayout, position: number): Box {
  return { x: leftOf(layout, position), y: topOf(layout, position), width: layout.bar, height: layout.barHeight }
}

/** The same, number by number, for drawing without making objects. */
export function leftOf({ tiles, tileOf, bar }: MapLayout, position: number): number {
  const tile = numberAt(tileOf, position)
  const column = (position - numberAt(tiles.first, tile)) % numberAt(tiles.columns, tile)
  return numberAt(tiles.x, tile) + column * (1 + GAP) * bar
}
export function topOf({ tiles, tileOf, bar }: MapLayout, position: number): number {
  const tile = numberAt(tileOf, position)
  const row = Math.floor((position - numberAt(tiles.first, tile)) / numberAt(tiles.columns, tile))
  return numberAt(tiles.y, tile) + labelOf(bar) + row * ROW * bar
}

/** How much room the name of a node has above its bars, world units. */
export const labelHeight = ({ bar }: MapLayout): number => labelOf(bar)
const labelOf = (bar: number): number => (bar < NAMED_BAR ? LABEL * bar : Math.max(NAME_HEIGHT, LABEL * bar))
export const tileWidth = ({ bar, tiles }: MapLayout, tile: number): number =>
  tileOfColumns(numberAt(tiles.columns, tile)) * bar
/** Its width in bars. */
const tileOfColumns = (columns: number): number => columns + (columns - 1) * GAP

/** The first shelf that ends below a height. */
export function shelfBelow({ shelves }: MapLayout, y: number): number {
  let low = 0
  let high = shelves.length
  while (low < high) {
    const middle = (low + high) >> 1
    const shelf = shelves[middle]
    if (shelf !== undefined && shelf.y + shelf.height <= y) low = middle + 1
    else high = middle
  }
  return low
}

/** The last tile of a shelf that begins at or left of `x`; its first one where none does. */
export function tileLeftOf({ tiles }: MapLayout, { first, end }: Shelf, x: number): number {
  let low = first
  let high = end
  while (low < high) {
    const middle = (low + high) >> 1
    if (numberAt(tiles.x, middle) <= x) low = middle + 1
    else high = middle
  }
  return Math.max(first, low - 1)
}

/** The place in the order of the bar at a point; -1 where there is none. A point between two bars belongs to the nearer row. */
export function positionAt(layout: MapLayout, x: number, y: number): number {
  const shelf = layout.shelves[shelfBelow(layout, y)]
  if (shelf === undefined || y < shelf.y || x < 0) return -1
  const tile = tileLeftOf(layout, shelf, x)
  const { tiles, bar } = layout
  const columns = numberAt(tiles.columns, tile)
  const column = Math.floor((x - numberAt(tiles.x, tile)) / ((1 + GAP) * bar))
  const row = Math.floor(((y - shelf.y - labelOf(bar)) / bar + (ROW - BAR) / 2) / ROW)
  if (column < 0 || column >= columns || row < 0) return -1
  const position = numberAt(tiles.first, tile) + row * columns + column
  return position < numberAt(tiles.first, tile + 1) ? position : -1
}

/** The same layout with the sums that its groups have now. */
export const withHeadings = (layout: MapLayout, groups: readonly FleetGroup[]): MapLayout => ({
  ...layout,
  headings: layout.headings.flatMap(({ y }, place) => {
    const group = groups[place]
    return group === undefined ? [] : [{ y, group }]
  }),
})
