import type { ReactNode } from 'react'

import type { Answer } from '../../api.ts'
import { SliceBar } from '../../ui/SliceBar.tsx'
import { SliceLegend } from '../../ui/SliceLegend.tsx'
import { useWidth } from '../../ui/use-width.ts'

type PlannedGpu = Answer<'recommendationsGet'>['gpus'][number]

const SHOWN = 12
const LABELS = 54

/** The GPUs that change, as they are held now and as they would be after the last step. */
export function GpusBeforeAfter({ gpus }: { readonly gpus: readonly PlannedGpu[] }) {
  const [frame, width] = useWidth<HTMLDivElement>()
  if (gpus.length === 0) {
    return (
      <p className="text-13 text-ink-soft">
        No GPU is cut or given up by Septet's steps: what changes is what pods ask for, and where they go is up to the
        scheduler.
      </p>
    )
  }
  const blocks = gpus.flatMap(({ before, after }) => [...before.blocks, ...(after?.blocks ?? [])])
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
              <p className="text-12 text-ink-soft">The node is given back.</p>
            ) : (
              <SliceBar gpu={after} {...bar} />
            )}
          </Labeled>
        </figure>
      ))}
      {gpus.length > SHOWN && (
        <p className="text-12 text-ink-quiet">and {gpus.length - SHOWN} more GPUs; the steps name them all</p>
      )}
      <SliceLegend
        shown={MEANINGS.filter((meaning) => blocks.some(({ kind }) => kind === meaning))}
        inferred={blocks.some(({ placement }) => placement === 'inferred')}
      />
      <p className="text-12 text-ink-soft">
        After: pods are drawn where room is counted for them. It is not reserved, and how busy they would be there is
        not known. What waits and may start is drawn as free.
      </p>
    </div>
  )
}

const MEANINGS = ['busy', 'idle', 'unknown', 'others', 'free', 'uncut', 'stranded'] as const

const Labeled = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="grid grid-cols-[2.75rem_minmax(0,1fr)] items-center gap-2.5">
    <span className="text-12 text-ink-quiet">{label}</span>
    {children}
  </div>
)
