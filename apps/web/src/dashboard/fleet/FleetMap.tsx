import { grouped } from '@septet/domain/words'
import { useEffect, useMemo, useRef, useState } from 'react'

import { gpuWords } from '../../ui/slice-words.ts'
import { useThemeName } from '../../ui/use-theme-name.ts'
import type { FleetGroup } from './fleet-groups.ts'
import { gpuAt, nodeOf, type FleetPicture } from './fleet-picture.ts'
import { MapCard } from './MapCard.tsx'
import { MapControl } from './map-control.ts'
import { listenToMap } from './map-input.ts'
import { mapPalette } from './map-palette.ts'
import type { Size } from './map-view.ts'
import { MapTools } from './MapTools.tsx'
import { useElementSize } from './use-element-size.ts'
import { useLayout } from './use-layout.ts'

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

type Drawn = Pick<Props, 'picture' | 'groups' | 'mask'> & { readonly size: Size | undefined }

/** Hands what is to be drawn to the map, anew when the theme, the size or the density of the screen changes. */
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
