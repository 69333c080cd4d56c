import type { WorkloadId } from '../cluster/workload.ts'
import { type Instant, type Ratio, seconds } from '../units.ts'
import type { RightSize } from './right-size.ts'
import { kindOf } from './usage-sum.ts'
import type { UsageRow, UsageTotal } from './usage.ts'

/** The smallest size that a workload fits on a model, as it was judged over the days before. */
export type SizeInForce = {
  readonly workload: WorkloadId
  readonly model: string
  readonly profile: string
  /** Which part of a GPU that is. */
  readonly share: Ratio
}

/** What was in force from some moment on until the next one's. */
export type SizesInForce = { readonly from: Instant; readonly sizes: readonly SizeInForce[] }

/** Sizes to be in force: of work that is larger than it need be, where all it holds is of one model. */
export const sizesToForce = (
  workloads: Iterable<{ readonly id: string; readonly models: readonly string[]; readonly rightSize: RightSize }>,
): SizeInForce[] =>
  [...workloads].flatMap(({ id, models: [model, ...others], rightSize: size }) =>
    size.kind === 'oversized' && model !== undefined && others.length === 0
      ? { workload: id, model, profile: size.profile, share: size.share }
      : [],
  )

/**
 * Fills in how many seconds of each held row went beyond the size that was in force when its bucket began: of what was
 * measured and not idle, (share held − share that fits) / share held. Give it rows that `markIdle` has seen. The rows come
 * back in the order given; one that is right already is the same object.
 */
export function markOversized(rows: readonly UsageRow[], judged: readonly SizesInForce[]): UsageRow[] {
  const newestFirst = judged
    .toSorted((a, b) => b.from - a.from)
    .map(({ from, sizes }) => ({ from, sizes: new Map(sizes.map((size) => [size.workload, size])) }))
  return rows.map((row) => {
    if (row.kind !== 'held') return row
    const size = newestFirst.find(({ from }) => from <= row.at)?.sizes.get(row.workload)
    const oversized = size?.model === row.model ? beyond(row, size) : 0
    return row.oversized === oversized ? row : { ...row, oversized: seconds(oversized) }
  })
}

/** The same of totals that are grouped by kind, workload and model, all of whose time goes by the same sizes. */
export function oversizedTotals(totals: readonly UsageTotal[], sizes: readonly SizeInForce[]): UsageTotal[] {
  const byWorkload = new Map(sizes.map((size) => [size.workload, size]))
  return totals.map((total) => {
    const size = kindOf(total) === 'held' ? byWorkload.get(total.key.workload ?? '') : undefined
    if (size === undefined || size.model !== total.key.model || total.seconds <= 0) return total
    const working = Math.max(0, total.measuredGpuSeconds - total.idleGpuSeconds)
    const share = total.gpuSeconds / total.seconds
    return { ...total, oversizedGpuSeconds: share > size.share ? working * (1 - size.share / share) : 0 }
  })
}

const beyond = ({ share, measured, idle }: UsageRow, size: SizeInForce): number =>
  share > size.share ? Math.max(0, measured - idle) * (1 - size.share / share) : 0
