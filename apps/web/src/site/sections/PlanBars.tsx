import type { BlockView, GpuView } from '@septet/contract'

import { SliceBar } from '../../ui/SliceBar.tsx'
import type { PlanBar } from '../content/agentic.ts'

/** GPUs before and after a plan, drawn to scale. */
export function PlanBars({ bars }: { readonly bars: readonly PlanBar[] }) {
  return (
    <ul className="grid grid-cols-3 gap-x-3 border-t border-line p-4 sm:gap-x-8 sm:px-5">
      {bars.map((bar) => (
        <li key={bar.label}>
          <p className="mb-1.5 text-12 text-ink-quiet sm:text-13">{bar.label}</p>
          <SliceBar gpu={drawn(bar)} height={26} />
          <p aria-hidden className="mt-1 font-mono text-12 max-sm:hidden text-ink-quiet">
            {bar.instances
              .map(({ profile, holder }) => (holder === undefined ? profile : `${profile} ${holder}`))
              .join(' + ')}
          </p>
        </li>
      ))}
    </ul>
  )
}

const drawn = ({ label, instances }: PlanBar): GpuView => ({
  id: label,
  index: 0,
  model: 'A100-40GB',
  mode: 'mig',
  slots: 8,
  fault: null,
  blocks: instances.map(({ profile, start, size, holder }): BlockView => ({
    kind: holder === undefined ? 'free' : 'unknown',
    start,
    size,
    profile,
    placement: 'reported',
    busy: null,
    holder: holder ?? null,
    because: holder === undefined ? null : 'a drawing, not a measurement',
  })),
})
