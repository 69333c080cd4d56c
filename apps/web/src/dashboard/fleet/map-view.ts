/** What of the map is in the window: its world point at the upper left, and pixels per world unit. */
export type MapView = { readonly x: number; readonly y: number; readonly zoom: number }
export type MapSize = { readonly width: number; readonly height: number }
export type Point = { readonly x: number; readonly y: number }

export const WHOLE: MapView = { x: 0, y: 0, zoom: 1 }

/** What is looked at, and through what. */
export type Frame = {
  readonly world: MapSize
  readonly window: MapSize
  /** How far one can zoom in. */
  readonly most: number
}

/** The zoom at which the whole map is in the window, also where it is higher than that. */
export const leastZoom = ({ world, window }: Frame): number => Math.min(1, window.height / Math.max(1, world.height))

/** The nearest view that shows map and not the void around it; a map smaller than the window is centered. */
export function clampView({ x, y, zoom }: MapView, frame: Frame): MapView {
  const within = Math.min(frame.most, Math.max(leastZoom(frame), zoom))
  return {
    x: clampAxis(x, frame.world.width, frame.window.width / within),
    y:
      frame.world.height <= frame.window.height / within
        ? 0
        : clampAxis(y, frame.world.height, frame.window.height / within),
    zoom: within,
  }
}

const clampAxis = (from: number, length: number, seen: number): number =>
  seen >= length ? (length - seen) / 2 : Math.min(length - seen, Math.max(0, from))

/** Moves what is seen by pixels of the window. */
export const panBy = (view: MapView, by: Point, frame: Frame): MapView =>
  clampView({ ...view, x: view.x + by.x / view.zoom, y: view.y + by.y / view.zoom }, frame)

/** Zooms by a factor; what lies at a point of the window stays there, as far as the map's edges allow. */
export function zoomAt(view: MapView, { factor, at }: { factor: number; at: Point }, frame: Frame): MapView {
  const zoom = Math.min(frame.most, Math.max(leastZoom(frame), view.zoom * factor))
  return clampView(
    { x: view.x + at.x / view.zoom - at.x / zoom, y: view.y + at.y / view.zoom - at.y / zoom, zoom },
    frame,
  )
}

/** The nearest view in which a box of the world is in sight, with some room around it. */
export function reveal(view: MapView, box: Point & MapSize, frame: Frame): MapView {
  const room = 24 / view.zoom
  const axis = (from: number, length: number, [start, size]: readonly [number, number]): number => {
    if (start - room < from) return start - room
    return start + size + room > from + length ? start + size + room - length : from
  }
  return clampView(
    {
      x: axis(view.x, frame.window.width / view.zoom, [box.x, box.width]),
      y: axis(view.y, frame.window.height / view.zoom, [box.y, box.height]),
      zoom: view.zoom,
    },
    frame,
  )
}

export const toWorld = ({ x, y, zoom }: MapView, at: Point): Point => ({ x: x + at.x / zoom, y: y + at.y / zoom })
