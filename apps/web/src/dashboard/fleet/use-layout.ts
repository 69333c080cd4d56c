import { useMemo, useState } from 'react'

import type { FleetGroup } from './fleet-groups.ts'
import type { FleetPicture } from './fleet-picture.ts'
import { mapLayout, withHeadings, type MapLayout } from './map-layout.ts'
import type { Size } from './map-view.ts'

type Laid = { readonly groups: readonly FleetGroup[]; readonly size: Size; readonly layout: MapLayout }

/**
 * Where everything stands. It stays as it is while the same GPUs are in the same groups, however busy they are, so that
 * nothing moves under the reader's eyes with each reading; only the sums in the headings are new.
 */
export function useLayout(
  { node, gpus, frame }: FleetPicture,
  groups: readonly FleetGroup[],
  size: Size | undefined,
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
