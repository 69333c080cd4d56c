import { plural } from '@septet/domain/words'
import type { GpuView } from '@septet/contract'
import type { ReactNode } from 'react'

import { legendOf } from './legend-of.ts'
import { SliceBar } from './SliceBar.tsx'
import { SliceLegend } from './SliceLegend.tsx'
import { useWidth } from './use-width.ts'

/** `after` is null where the node goes. */
export type ShownGpu = { readonly node: string; readonly before: GpuView; readonly after: GpuView | null }

const SHOWN = 12
const LABELS = 54

/** The GPUs that change, as they are held now and as they would be after the last step. */
export function GpusBeforeAfter({ gpus }: { readonly gpus: readonly ShownGpu[] }) {
  const [frame, width] = useWidth<HTMLDivElement>()
  if (gpus.length === 0) {
    return (
      <p className="text-13 text-ink-soft">
        No GPU is repartitioned or removed: only pod requests change, and the scheduler decides placement.
      </p>
    )
  }
  const bar = width === undefined ? {} : { width: Math.max(0, width - LABELS) }
  return (
    <div ref={frame} className="grid gap-4">
      {gpus.slice(0, SHOWN).map(({ node, before, after }) => (
        <figure key={before.id} className="grid gap-1">
          <figcaption className="text-12 text-ink-soft wrap-anywhere">
            {node}, GPU {before.index} <span className="text-ink-quiet">{before.model}</span>
          </figcaption>
          <Labeled label="now">
            <SliceBar gpu={before} {...bar} />
          </Labeled>
          <Labeled label="after">
            {after === null ? (
              <p className="text-12 text-ink-soft">The node is removed.</p>
            ) : (
              <SliceBar gpu={after} {...bar} />
            )}
          </Labeled>
        </figure>
      ))}
      {gpus.length > SHOWN && (
        <p className="text-12 text-ink-quiet">and {plural(gpus.length - SHOWN, 'more GPU')}; the steps name them all</p>
      )}
      <SliceLegend {...legendOf(gpus.flatMap(({ before, after }) => [before, ...(after === null ? [] : [after])]))} />
      <p className="text-12 text-ink-soft">
        After: pods are drawn where capacity is available for them. Nothing is reserved. Waiting work that could start
        shows as free.
      </p>
    </div>
  )
}

const Labeled = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="grid grid-cols-[2.75rem_minmax(0,1fr)] items-center gap-2.5">
    <span className="text-12 text-ink-quiet">{label}</span>
    {children}
  </div>
)
