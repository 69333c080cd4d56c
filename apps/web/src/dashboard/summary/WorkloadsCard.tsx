import { agree, grouped } from '@septet/domain/words'
import type { Answer } from '../../api.ts'
import { useWidth } from '../../ui/use-width.ts'
import { StatCard } from './StatCard.tsx'

type Workloads = Answer<'summaryGet'>['workloads']

/** How many workloads hold or want GPUs, each a tick: solid runs, outlined waits. */
export function WorkloadsCard({ workloads }: { readonly workloads: Workloads }) {
  const { active, running, queued, unmetGpuRequests } = workloads
  return (
    <StatCard
      title="Active Workloads"
      headline={<span className="figure text-28 font-semibold tracking-[-0.03em]">{grouped(active)}</span>}
      note={
        <>
          {grouped(running)} running · {grouped(queued)} queued
        </>
      }
    >
      <Ticks running={running} queued={queued} />
      <p className="mt-2 min-h-5 text-12 text-ink-soft">
        {unmetGpuRequests > 0
          ? `${grouped(unmetGpuRequests, 1)} ${agree(unmetGpuRequests, 'GPU or slice', 'GPUs or slices')} requested`
          : ''}
      </p>
    </StatCard>
  )
}

const NARROWEST = 3
const WIDEST = 6

/** One tick per workload, on whole pixels; when there is no room for all, in the same proportion. */
function Ticks({ running, queued }: Pick<Workloads, 'running' | 'queued'>) {
  const [box, width = 0] = useWidth<HTMLDivElement>()
  const all = running + queued
  const pitch = Math.min(WIDEST, Math.max(NARROWEST, Math.floor(width / Math.max(1, all))))
  const ticks = Math.min(all, Math.floor(width / pitch))
  const solid = all === 0 ? 0 : Math.round((running / all) * ticks)
  return (
    <div ref={box} className="h-4">
      <svg aria-hidden width="100%" height="16" shapeRendering="crispEdges" className="block">
        {Array.from({ length: ticks }, (_, tick) => (
          <rect
            key={tick}
            x={tick * pitch}
            y={tick < solid ? 0 : 7}
            width={pitch - 1}
            height={tick < solid ? 16 : 9}
            fill={tick < solid ? 'var(--busy)' : 'var(--free)'}
          />
        ))}
      </svg>
    </div>
  )
}
