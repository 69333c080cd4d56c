import { grouped } from '@septet/domain/words'
import { useEffect, useMemo, useRef, useState, useLayoutEffect, type RefObject } from 'react'
import { gpuWords } from '../../ui/slice-words.ts'
import { useThemeName } from '../../ui/use-theme-name.ts'
import type { FleetGroup } from './fleet-groups.ts'
import { gpuAt, nodeOf, type FleetPicture } from './fleet-picture.ts'
import { MapControl } from './map-control.ts'
import { listenToMap } from './map-input.ts'
import { mapPalette } from './map-palette.ts'
import type { MapSize } from './map-view.ts'
import { GpuCard } from '../../ui/GpuCard.tsx'
import { type Box, mapLayout, withHeadings, type MapLayout } from './map-layout.ts'
import { Button } from '../../ui/Button.tsx'

type MapCardProps = {
  readonly picture: FleetPicture
  readonly gpu: number
  readonly box: Box | undefined
  readonly window: MapSize
}

const WIDTH = 288

/** What the GPU under the pointer or the keyboard's mark is; the same card for both. */
function MapCard({ picture, gpu, box, window }: MapCardProps) {
  const view = gpuAt(picture, gpu)
  if (view === undefined || box === undefined) return undefined
  const node = nodeOf(picture, gpu)
  const left = Math.max(0, Math.min(window.width - WIDTH, box.x))
  const below = box.y + box.height + 8
  const isBelow = below < window.height * 0.55
  const place = isBelow ? { top: below } : { bottom: window.height - box.y + 8 }
  return (
    <div
      aria-hidden
      data-testid="map-card"
      className="floats pointer-events-none absolute z-20 max-h-80 overflow-hidden rounded-control border border-line bg-raised px-3 py-2.5 text-12 text-ink-soft"
      style={{ left, width: Math.min(WIDTH, window.width), ...place }}
    >
      <p className="mb-1 truncate text-ink-quiet">
        <bdi>{node}</bdi>
        {picture.notReady.has(picture.node[gpu] ?? -1) && <span className="text-fault-ink"> · node not ready</span>}
      </p>
      <GpuCard gpu={view} />
    </div>
  )
}

type Props = {
  readonly picture: FleetPicture
  readonly groups: readonly FleetGroup[]
  /** 1 for the GPUs that stay, the others are dimmed; undefined: all stay. */
  readonly mask: Uint8Array | undefined
  /** The GPU whose card is open. */
  readonly open: number | undefined
  readonly onOpen: (gpu: number) => void
}

/** The keyboard's mark in words; the pointer's card is read where it is. */
function spoken(picture: FleetPicture, pointed: Pointed | undefined): string {
  const gpu = pointed?.by === 'keyboard' ? gpuAt(picture, pointed.gpu) : undefined
  return gpu === undefined || pointed === undefined ? '' : `${nodeOf(picture, pointed.gpu)}, ${gpuWords(gpu)}`
}

type Pointed = { readonly gpu: number; readonly by: 'pointer' | 'keyboard' }

/** Every GPU as a slice bar on a canvas, by pointer, finger or keyboard. The table beside it says the same in words. */
export function FleetMap({ picture, groups, mask, open, onOpen }: Props) {
  const [ground, size] = useElementSize<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [control, setControl] = useState<MapControl>()
  const [pointed, setPointed] = useState<Pointed>()
  const [isPart, setIsPart] = useState(false)
  const opens = useRef(onOpen)
  useEffect(() => {
    opens.current = onOpen
  }, [onOpen])

  useEffect(() => {
    if (canvas.current === null || ground.current === null) return undefined
    const made = new MapControl(canvas.current, {
      pointed: (gpu, by) => setPointed(gpu === undefined ? undefined : { gpu, by }),
      opened: (gpu) => opens.current(gpu),
      viewed: (_view, part) => setIsPart(part),
    })
    const stop = listenToMap(ground.current, made)
    setControl(made)
    return () => {
      stop()
      made.close()
    }
  }, [ground])

  useDrawing(control, { picture, groups, mask, size })
  useEffect(() => control?.mark(open), [control, open])

  return (
    <div className="relative h-[max(22rem,calc(100dvh-17.75rem))] max-sm:h-[70dvh]">
      <div
        ref={ground}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the map takes arrow keys; role application says so
        tabIndex={0}
        role="application"
        aria-roledescription="map of GPUs"
        aria-label={`${grouped(picture.gpus)} GPUs on ${grouped(picture.frame.nodes.name.length)} nodes. Arrow keys go from GPU to GPU, Enter opens its card, plus and minus zoom, 0 shows all, T shows the same as a table.`}
        className="absolute inset-0 cursor-default overflow-hidden rounded-[4px] select-none"
        style={{ touchAction: isPart ? 'none' : 'pan-y' }}
        data-testid="fleet-map"
      >
        <canvas ref={canvas} aria-hidden className="absolute inset-0 size-full" />
      </div>
      <output className="sr-only">{spoken(picture, pointed)}</output>
      {control !== undefined && <MapTools isPart={isPart} control={control} />}
      {control !== undefined && pointed !== undefined && size !== undefined && (
        <MapCard picture={picture} gpu={pointed.gpu} box={control.boxOf(pointed.gpu)} window={size} />
      )}
    </div>
  )
}

type Drawn = Pick<Props, 'picture' | 'groups' | 'mask'> & { readonly size: MapSize | undefined }

/** Hands what is to be drawn to the map, again when the theme, the size or the density of the screen changes. */
function useDrawing(control: MapControl | undefined, { picture, groups, mask, size }: Drawn): void {
  const theme = useThemeName()
  const layout = useLayout(picture, groups, size)
  const density = window.devicePixelRatio
  const palette = useMemo(() => ({ theme, ...mapPalette(density) }), [theme, density])
  useEffect(() => {
    if (control === undefined || size === undefined || layout === undefined) return
    control.resize(size, density)
  }, [control, size, layout, density])
  useEffect(() => {
    if (control === undefined || layout === undefined) return
    control.show({ picture, palette, layout, mask })
    // Names are measured by their font: what was drawn before it came is drawn again.
    void document.fonts.ready.then(() => control.redraw())
  }, [control, picture, palette, layout, mask])
}

type MapToolsProps = { readonly isPart: boolean; readonly control: MapControl }

/** Zooming for those who have neither a wheel nor the keys in mind. */
const MapTools = ({ isPart, control }: MapToolsProps) => (
  <div className="absolute right-2 bottom-2 flex items-center gap-0.5 rounded-control border border-line bg-raised p-0.5">
    <Button look="quiet" aria-label="Zoom out" className="size-8 px-0 text-16" onClick={() => control.zoom(1 / 1.6)}>
      −
    </Button>
    <Button look="quiet" aria-label="Zoom in" className="size-8 px-0 text-16" onClick={() => control.zoom(1.6)}>
      +
    </Button>
    <Button look="quiet" aria-disabled={!isPart} className="min-h-8" onClick={control.fit}>
      Fit
    </Button>
  </div>
)

/** The size of an element in pixels, kept up to date; undefined before it is known. */
function useElementSize<E extends Element>(): readonly [RefObject<E | null>, MapSize | undefined] {
  const element = useRef<E>(null)
  const [size, setSize] = useState<MapSize>()
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const width = Math.floor(entry.contentRect.width)
      const height = Math.floor(entry.contentRect.height)
      setSize((before) => (before?.width === width && before.height === height ? before : { width, height }))
    })
    observer.observe(target)
    return () => observer.disconnect()
  }, [])
  return [element, size]
}

type Laid = { readonly groups: readonly FleetGroup[]; readonly size: MapSize; readonly layout: MapLayout }

/**
 * Where everything stands. It stays as it is while the same GPUs are in the same groups, however busy they are, so that
 * nothing moves under the reader's eyes with each reading; only the sums in the headings are new.
 */
function useLayout(
  { node, gpus, frame }: FleetPicture,
  groups: readonly FleetGroup[],
  size: MapSize | undefined,
): MapLayout | undefined {
  const [laid, setLaid] = useState<Laid & { readonly frame: unknown }>()
  const isSame = laid !== undefined && laid.frame === frame && laid.size === size && sameMembers(laid.groups, groups)
  const fresh = useMemo(
    () =>
      isSame || size === undefined
        ? undefined
        : { groups, size, frame, layout: mapLayout({ groups, node, gpus }, size) },
    [isSame, groups, size, frame, node, gpus],
  )
  if (fresh !== undefined) setLaid(fresh)
  const { layout } = fresh ?? laid ?? {}
  return useMemo(() => (layout === undefined ? undefined : withHeadings(layout, groups)), [layout, groups])
}

const sameMembers = (before: readonly FleetGroup[], after: readonly FleetGroup[]): boolean =>
  before.length === after.length &&
  before.every(({ name, gpus }, place) => {
    const other = after[place]
    return other?.name === name && other.gpus.length === gpus.length && gpus.every((gpu, at) => other.gpus[at] === gpu)
  })
