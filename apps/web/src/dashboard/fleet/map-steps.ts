import { leftOf, type MapLayout, shelfBelow, tileLeftOf } from './map-layout.ts'
import { numberAt } from './number-at.ts'

export type Direction = 'left' | 'right' | 'up' | 'down' | 'first' | 'last'

/** The bar that an arrow key leads to from another one; the same one at the edge of the map. */
export function stepFrom(layout: MapLayout, position: number, direction: Direction): number {
  const last = layout.order.length - 1
  if (direction === 'first') return 0
  if (direction === 'last') return last
  if (position < 0 || position > last) return 0
  const found = direction === 'left' || direction === 'right' ? beside : above
  return found(layout, position, direction === 'left' || direction === 'up' ? -1 : 1)
}

type Spot = { readonly tile: number; readonly columns: number; readonly row: number; readonly column: number }

function spotOf({ tiles, tileOf }: MapLayout, position: number): Spot {
  const tile = numberAt(tileOf, position)
  const columns = numberAt(tiles.columns, tile)
  const within = position - numberAt(tiles.first, tile)
  return { tile, columns, row: Math.floor(within / columns), column: within % columns }
}

/** The position of a row and column of a tile, or of the nearest one that it has. */
function positionIn({ tiles }: MapLayout, tile: number, { row, column }: { row: number; column: number }): number {
  const first = numberAt(tiles.first, tile)
  const count = numberAt(tiles.first, tile + 1) - first
  const columns = numberAt(tiles.columns, tile)
  const lastRow = Math.ceil(count / columns) - 1
  const at = Math.max(0, Math.min(row, lastRow)) * columns + Math.max(0, Math.min(column, columns - 1))
  return first + Math.min(at, count - 1)
}

function beside(layout: MapLayout, position: number, by: 1 | -1): number {
  const { tiles } = layout
  const { tile, columns, row, column } = spotOf(layout, position)
  const isInTile = column + by >= 0 && column + by < columns && position + by < numberAt(tiles.first, tile + 1)
  if (isInTile) return position + by
  const next = tile + by
  if (next < 0 || next >= tiles.count) return position
  const isOnShelf = tiles.y[next] === tiles.y[tile]
  if (isOnShelf) return positionIn(layout, next, { row, column: by > 0 ? 0 : Infinity })
  // The end of a shelf leads to the beginning of the next one, as lines of a text do.
  return positionIn(layout, next, by > 0 ? { row: 0, column: 0 } : { row: Infinity, column: Infinity })
}

function above(layout: MapLayout, position: number, by: 1 | -1): number {
  const { tile, columns, row, column } = spotOf(layout, position)
  const count = numberAt(layout.tiles.first, tile + 1) - numberAt(layout.tiles.first, tile)
  const rows = Math.ceil(count / columns)
  if (row + by >= 0 && row + by < rows) return positionIn(layout, tile, { row: row + by, column })
  const y = numberAt(layout.tiles.y, tile)
  const here = shelfBelow(layout, y)
  const shelf = layout.shelves[here + by]
  if (shelf === undefined) return position
  const x = leftOf(layout, position) + layout.bar / 2
  const next = tileLeftOf(layout, shelf, x)
  const inNext = Math.floor((x - numberAt(layout.tiles.x, next)) / layout.bar)
  return positionIn(layout, next, { row: by > 0 ? 0 : Infinity, column: inNext })
}
