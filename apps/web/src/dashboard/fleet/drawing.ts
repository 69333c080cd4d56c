import type { FleetPicture } from './fleet-picture.ts'
import type { MapPalette } from './map-palette.ts'

/** Any canvas: the one on the page, or a tile beside it. */
export type Paint = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

/** What is drawn, in which colors, and on what. */
export type Drawing = { readonly paint: Paint; readonly picture: FleetPicture; readonly palette: MapPalette }

/** Where one bar or block goes, in pixels of the page. A few of them are changed in place while many are drawn. */
export type DrawnSpot = { x: number; y: number; width: number; height: number }
