import type { Answer } from '../../api.ts'
import { StatCard } from './StatCard.tsx'

type Workloads = Answer<'summaryGet'>['workloads']

/** How many workloads hold or want GPUs, each a tick: solid runs, outlined waits. */
export function WorkloadsCard({ workloads }: { readonly workloads: Workloads }) {
  const { active, running, queued, unmetGpuRequests } = workloads
  return (
    <StatCard
      title="Active Workloads"
      headline={
        <span className="figure text-28 font-semibold tracking-[-0.03em]">{active.toLocaleString('en-US')}</span>
      }
      note={
        <>
          {running.toLocaleString('en-US')} running · {queued.toLocaleString('en-US')} queued
        </>
      }
    >
      <Ticks running={running} queued={queued} />
      <p className="mt-2 min-h-5 text-12 text-ink-soft">
        {unmetGpuRequests > 0
          ? `${unmetGpuRequests.toLocaleString('en-US', { maximumFractionDigits: 1 })} GPUs asked for and not there`
          : ''}
      </p>
    </StatCard>
  )
}

const MOST_TICKS = 160

/** One tick per workload; above 160 a tick stands for several, in the same proportion. */
function Ticks({ running, queued }: Pick<Workloads, 'running' | 'queued'>) {
  const all = running + queued
  const ticks = Math.min(all, MOST_TICKS)
  const solid = all === 0 ? 0 : Math.round((running / all) * ticks)
  return (
    <svg
      aria-hidden
      width="100%"
      height="16"
      viewBox={`0 0 ${Math.max(ticks, 40)} 16`}
      preserveAspectRatio="none"
      className="block"
    >
      {Array.from({ length: ticks }, (_, tick) =>
        tick < solid ? (
          <rect key={tick} x={tick} width="0.58" height="16" fill="var(--busy)" />
        ) : (
          <rect key={tick} x={tick} y="7" width="0.58" height="9" fill="var(--free)" />
        ),
      )}
    </svg>
  )
}
