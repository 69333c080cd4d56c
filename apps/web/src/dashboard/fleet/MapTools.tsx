import { Button } from '../../ui/Button.tsx'
import type { MapControl } from './map-control.ts'

type Props = { readonly isPart: boolean; readonly control: MapControl }

/** Zooming for those who have neither a wheel nor the keys in mind. */
export const MapTools = ({ isPart, control }: Props) => (
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
