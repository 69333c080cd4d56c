import type { GpuView } from '@septet/contract'

import { blockWords, placementWords } from './slice-words.ts'
import { Swatch } from './Swatch.tsx'

/** What a slice bar shows, block by block, in words. */
export function GpuCard({ gpu }: { readonly gpu: GpuView }) {
  const placement = placementWords(gpu)
  return (
    <div className="grid gap-1.5">
      <p className="font-medium text-ink">
        GPU {gpu.index} <span className="font-normal text-ink-quiet">{gpu.model}</span>
      </p>
      {gpu.fault !== null && <p className="text-fault-ink">{gpu.fault.message}</p>}
      <ul className="grid gap-1">
        {gpu.blocks.map((block, index) => (
          // Layers of a shared GPU have the same start; their order is what tells them apart.
          // oxlint-disable-next-line react/no-array-index-key -- blocks are replaced as a whole
          <li key={index} className="flex items-start gap-2">
            <span className="mt-1">
              <Swatch meaning={block.kind} />
            </span>
            <span>
              {blockWords(block, gpu)}
              {block.because !== null && <span className="block text-ink-quiet">{block.because}</span>}
            </span>
          </li>
        ))}
      </ul>
      {placement !== undefined && <p className="text-ink-quiet">Dashed line: {placement}.</p>}
    </div>
  )
}
