import { GpuCard } from '../../ui/GpuCard.tsx'
import { gpuAt, nodeOf, type FleetPicture } from './fleet-picture.ts'
import type { Box } from './map-layout.ts'
import type { Size } from './map-view.ts'

type Props = {
  readonly picture: FleetPicture
  readonly gpu: number
  readonly box: Box | undefined
  readonly window: Size
}

const WIDTH = 288

/** What the GPU under the pointer or the keyboard's mark is; the same card for both. */
export function MapCard({ picture, gpu, box, window }: Props) {
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
