import type { UsageRow } from '../../analyze/usage.ts'
import type { WorkloadClass, WorkloadId } from '../../cluster/workload.ts'
import type { WorkloadUsage } from '../../cost/workload-usage.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { profileOf } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { resourceOfProfile } from '../../gpu/profile-name.ts'
import type { OverrunModel } from '../../plan/right-size/overrun-model.ts'
import type { SizeAdvice } from '../../plan/right-size/right-size-for.ts'
import type { RecommendPolicy } from '../../plan/recommend/recommend-context.ts'
import { historyOf, sizeAdvice, sizeLevel, sizeOptionsFor } from '../../plan/recommend/size-study.ts'
import { compareText, type Mib, type Ratio, type Window } from '../../units.ts'

/** The size that right-sizing gives work that asks for a whole GPU, and what that is concluded from. */
export type KnownSize = {
  readonly workload: WorkloadId
  readonly model: string
  readonly profile: ProfileName
  /** By which pods ask for it. */
  readonly resource: string
  readonly memory: Mib
  /** What it used at most over the window, MiB. */
  readonly memoryPeak: number
  readonly window: Window
  readonly confidence: Ratio
}

export type SizeSource = {
  /** Held rows of these workloads. */
  readonly rows: readonly UsageRow[]
  readonly usage: ReadonlyArray<Pick<WorkloadUsage, 'id' | 'class'>>
  readonly overrun: OverrunModel
  readonly policy?: RecommendPolicy
}

/** Sizes by workload, of those that run and of those that ran; work that needs what it has, or is not measured, has none. */
export function knownSizes({ rows, usage, overrun, policy }: SizeSource): ReadonlyMap<WorkloadId, KnownSize> {
  const classes = new Map(usage.map((each) => [each.id, each.class]))
  const held = Map.groupBy(
    rows.filter(({ kind, workload }) => kind === 'held' && workload !== ''),
    ({ workload }) => workload,
  )
  const sizes = new Map<WorkloadId, KnownSize>()
  for (const [workload, own] of held) {
    const size = sizeOf(own, { workload, class: classes.get(workload) ?? 'unknown', overrun, policy })
    if (size !== undefined) sizes.set(workload, size)
  }
  return sizes
}

type Whose = {
  readonly workload: WorkloadId
  readonly class: WorkloadClass
  readonly overrun: OverrunModel
  readonly policy: RecommendPolicy | undefined
}

function sizeOf(rows: readonly UsageRow[], whose: Whose): KnownSize | undefined {
  const last = rows.reduce((a, b) => ((b.at - a.at || compareText(b.partition, a.partition)) > 0 ? b : a))
  const board = boardFor(last.model)
  if (board === undefined) return undefined
  const { workload, overrun } = whose
  const options = sizeOptionsFor(sizeLevel(whose.class), whose)
  const whole = { model: last.model, profile: '' }
  const advice = sizeAdvice(whole, { history: historyOf(whole, workload, rows), rows, overrun, options })
  if (advice.kind !== 'fits-smaller' || advice.evidence.memoryPeak === undefined) return undefined
  const { profile } = advice
  const given = profileOf(board, last.profile)?.memory
  if (profile.memory === undefined || isAtLimit(advice, given)) return undefined
  return {
    workload,
    model: last.model,
    profile: profile.name,
    resource: resourceOfProfile(profile.name),
    memory: profile.memory,
    memoryPeak: advice.evidence.memoryPeak,
    window: advice.evidence.window,
    confidence: advice.confidence,
  }
}

/** What filled the instance that it had last may have been cut off there: what it would need is not visible. */
const isAtLimit = (advice: Extract<SizeAdvice, { kind: 'fits-smaller' }>, given: Mib | undefined): boolean =>
  given !== undefined && (advice.evidence.memoryPeak ?? 0) > FILLED * given
const FILLED = 0.95

/** The sizes also by the names of what stands between a workload and its pods, as new pods name only that. */
export function byEveryOwner(
  sizes: ReadonlyMap<WorkloadId, KnownSize>,
  ownersOf: (workload: WorkloadId) => readonly WorkloadId[],
): ReadonlyMap<WorkloadId, KnownSize> {
  const all = new Map<WorkloadId, KnownSize>()
  for (const [workload, size] of sizes) {
    // Its own name is its own, whoever else is called so.
    for (const owner of ownersOf(workload)) if (!sizes.has(owner)) all.set(owner, size)
  }
  for (const [workload, size] of sizes) all.set(workload, size)
  return all
}
