import { cssColor } from '../../ui/css-color.ts'
import { HOLDING_KINDS } from './fleet-picture.ts'

/** The theme's colors and textures as a canvas takes them, for one theme and one density of pixels. */
export type MapPalette = {
  readonly busy: string
  readonly busySoft: string
  /** From hardly busy to fully busy, for bars too small to show a height. */
  readonly busyness: readonly string[]
  readonly free: string
  readonly unknown: string
  readonly fault: string
  readonly surface: string
  readonly ink: string
  readonly inkSoft: string
  readonly inkQuiet: string
  readonly accent: string
  readonly onBusy: string
  readonly faultInk: string
  /** By code of a block's kind: its color where it is small, its fill and edge where it is large. */
  readonly small: readonly string[]
  readonly large: readonly Fill[]
  readonly edges: readonly string[]
  /** By code of a block's kind: the color of its label, and the ground below it where there is a texture. */
  readonly inks: readonly string[]
  readonly grounds: readonly (string | undefined)[]
}
export type Fill = string | CanvasPattern

const STEPS = 8

/** Reads the theme in force. `density`: device pixels for one of the page's. */
export function mapPalette(density: number): MapPalette {
  const [busy, busySoft, idle, idleSoft] = [
    cssColor('--busy'),
    cssColor('--busy-soft'),
    cssColor('--idle'),
    cssColor('--idle-soft'),
  ]
  const [stranded, unknown, unknownSoft] = [cssColor('--stranded'), cssColor('--unknown'), cssColor('--unknown-soft')]
  const [free, line, surface] = [cssColor('--free'), cssColor('--line'), cssColor('--surface')]
  const [ink, inkSoft, inkQuiet] = [cssColor('--ink'), cssColor('--ink-soft'), cssColor('--ink-quiet')]
  const textures = {
    idle: texture({ size: 8, density, ground: idleSoft }, (paint) => hatch(paint, idle)),
    stranded: texture({ size: 5, density, ground: cssColor('--stranded-soft') }, (paint) => dots(paint, stranded)),
    unknown: texture({ size: 4, density, ground: unknownSoft }, (paint) => lines(paint, unknown)),
  }
  return {
    busy,
    busySoft,
    free,
    unknown,
    surface,
    ink,
    inkSoft,
    inkQuiet,
    busyness: Array.from({ length: STEPS + 1 }, (_, step) => mixed('--busy', '--busy-soft', step / STEPS)),
    fault: cssColor('--fault'),
    accent: cssColor('--accent'),
    onBusy: cssColor('--on-busy'),
    faultInk: cssColor('--fault-ink'),
    // Free is what stands back: an outline where there is room for one, else a faint one of its colors.
    small: byCode({
      busy,
      idle,
      unknown,
      free: mixed('--free', '--surface', 0.38),
      uncut: mixed('--free', '--surface', 0.16),
      stranded,
      others: line,
    }),
    large: byCode({ busy, free: surface, uncut: surface, others: line, ...textures }),
    edges: byCode({ busy, idle, unknown, free, uncut: free, stranded, others: unknown }),
    inks: byCode({
      busy: ink,
      idle: cssColor('--idle-ink'),
      unknown: inkSoft,
      free: inkQuiet,
      uncut: inkQuiet,
      stranded: cssColor('--stranded-ink'),
      others: inkSoft,
    }),
    grounds: byCode({
      busy: undefined,
      idle: idleSoft,
      unknown: unknownSoft,
      free: undefined,
      uncut: undefined,
      stranded: undefined,
      others: undefined,
    }),
  }
}

const byCode = <Value>(values: Record<(typeof HOLDING_KINDS)[number], Value>): readonly Value[] =>
  HOLDING_KINDS.map((kind) => values[kind])

/** A share of one color in another. */
function mixed(color: string, other: string, share: number): string {
  const probe = document.createElement('span')
  probe.style.color = `color-mix(in oklab, var(${color}) ${Math.round(share * 100)}%, var(${other}))`
  document.body.append(probe)
  const mix = getComputedStyle(probe).color
  probe.remove()
  return mix
}

type Texture = { readonly size: number; readonly density: number; readonly ground: string }

/** A pattern that repeats in both directions, in whole device pixels, so that it is drawn without being resampled. */
function texture({ size, density, ground }: Texture, draw: (paint: CanvasRenderingContext2D) => void): Fill {
  const tile = document.createElement('canvas')
  tile.width = tile.height = Math.max(size, Math.round(size * density))
  const paint = tile.getContext('2d')
  if (paint === null) return ground
  paint.scale(tile.width / size, tile.width / size)
  paint.fillStyle = ground
  paint.fillRect(0, 0, size, size)
  draw(paint)
  const pattern = paint.createPattern(tile, 'repeat')
  // What it is drawn on is scaled by the density as well; undone, one pixel of the tile is one of the device.
  pattern?.setTransform(new DOMMatrix([1 / density, 0, 0, 1 / density, 0, 0]))
  return pattern ?? ground
}

/** Stripes at 45°, as the slice bar has them. */
function hatch(paint: CanvasRenderingContext2D, color: string): void {
  paint.strokeStyle = color
  paint.lineWidth = 2.1
  paint.beginPath()
  for (const from of [-8, 0, 8]) {
    paint.moveTo(from - 2, 10)
    paint.lineTo(from + 10, -2)
  }
  paint.stroke()
}

function dots(paint: CanvasRenderingContext2D, color: string): void {
  paint.fillStyle = color
  paint.beginPath()
  paint.arc(2.5, 2.5, 1.05, 0, 2 * Math.PI)
  paint.fill()
}

function lines(paint: CanvasRenderingContext2D, color: string): void {
  paint.globalAlpha = 0.75
  paint.fillStyle = color
  paint.fillRect(0, 1.5, 4, 1)
}
