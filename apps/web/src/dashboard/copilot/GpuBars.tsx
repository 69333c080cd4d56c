import { SliceBar } from '../../ui/SliceBar.tsx'
import { SliceLegend } from '../../ui/SliceLegend.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { legendOf } from '../../ui/legend-of.ts'
import type { CopilotAnswer } from './copilot-context.ts'

type SlicesBlock = Extract<CopilotAnswer['blocks'][number], { kind: 'slices' }>

/** The GPUs that an answer is about. */
export function GpuBars({ block: { title, gpus } }: { readonly block: SlicesBlock }) {
  const [first, width] = useWidth<HTMLDivElement>()
  return (
    <figure className="grid min-w-0 gap-2">
      <figcaption className="text-13 font-medium">{title}</figcaption>
      <div ref={first} className="grid gap-2.5">
        {gpus.map(({ node, gpu }) => (
          <div key={`${node} ${gpu.id}`} className="grid gap-1">
            <p className="flex flex-wrap justify-between gap-x-3 text-12 text-ink-quiet">
              <span className="font-mono wrap-anywhere">
                {node} · GPU {gpu.index}
              </span>
              {gpu.model}
            </p>
            <SliceBar gpu={gpu} height={24} {...(width === undefined ? {} : { width })} />
          </div>
        ))}
      </div>
      <SliceLegend {...legendOf(gpus.map(({ gpu }) => gpu))} />
    </figure>
  )
}
