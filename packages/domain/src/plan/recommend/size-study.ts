import { partsOfSnapshot, type GpuPart } from '../../analyze/gpu-parts.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { whyReserved } from '../../cluster/reserved-cache.ts'
import type { Workload } from '../../cluster/workload.ts'
import type { Board } from '../../gpu/board.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import type { Mib, Ratio, Seconds } from '../../units.ts'
import { learnFleetOverrun } from '../right-size/learn-overrun.ts'
import type { OverrunModel } from '../right-size/overrun-model.ts'
import { rightSizeFor, type SizeAdvice } from '../right-size/right-size-for.ts'
import type { RightSizeLevel, RightSizeOptions } from '../right-size/right-size-options.ts'
import { sizeEvidence, type SizeEvidence } from '../right-size/size-evidence.ts'
import { historyOfRows } from '../right-size/usage-history.ts'
import { memoryOfDevice } from './memory-of-device.ts'
import type { RecommendPolicy } from './recommend-context.ts'
import { sizeLevel, sizeOptionsFor, withinAllPeaks } from './right-size.ts'

/** Which size one running workload needs, with all that this is concluded from. */
export type SizeStudy = {
  readonly held: SizeLimits
  readonly level: RightSizeLevel
  readonly options: RightSizeOptions
  readonly advice: SizeAdvice
  /** What the smaller profile would bring; undefined where none is advised. */
  readonly proposed: SizeLimits | undefined
  /** Undefined where nothing was measured. */
  readonly evidence: SizeEvidence | undefined
  /** How far ahead the chance of overrun looks. */
  readonly horizon: Seconds
}

/** What one pod may use in a size. */
export type SizeLimits = {
  readonly model: string
  /** Empty for a whole GPU. */
  readonly profile: string
  readonly share: Ratio
  /** Undefined: not known. */
  readonly memory: Mib | undefined
}

export type SizeSources = {
  readonly snapshot: Pick<ClusterSnapshot, 'nodes' | 'allocations' | 'workloads' | 'pods'>
  readonly workload: Workload
  /** Usage rows of it. */
  readonly rows: readonly UsageRow[]
  /** What the fleet's past taught about later peaks; its own past alone where it is left out. */
  readonly overrun?: OverrunModel | undefined
  /** What people decided; the shipped rules where it is left out. */
  readonly policy?: RecommendPolicy
}

/** Studies one workload; in words why that cannot be done. */
export function studySize(sources: SizeSources): SizeStudy | string {
  const { workload, rows } = sources
  const seat = seatOf(sources)
  if (typeof seat === 'string') return seat
  const reserved = whyReserved(workload)
  if (reserved !== undefined) return `${reserved}.`
  const { part, board } = seat
  const level = sizeLevel(workload.class)
  const options = sizeOptionsFor(level, sources)
  // How busy it kept another GPU model says nothing about this one.
  const own = rows.filter((row) => row.model === part.model)
  const history = historyOfRows(workload.id, own)
  const model = sources.overrun ?? learnFleetOverrun(rows)
  const found = rightSizeFor({ history, board, held: part.profile, model }, options)
  const advice = withinAllPeaks(found, rows, options)
  return {
    held: { model: part.model, profile: part.profile, share: part.share, memory: memoryOfDevice(part) },
    level,
    options,
    advice,
    proposed: advice.kind === 'fits-smaller' ? limitsOf(part.model, advice) : undefined,
    evidence: history.buckets.length === 0 ? undefined : sizeEvidence(history),
    horizon: model.horizon,
  }
}

const limitsOf = (model: string, { profile, share }: Extract<SizeAdvice, { kind: 'fits-smaller' }>): SizeLimits => ({
  model,
  profile: profile.name,
  share,
  memory: profile.memory,
})

/** The one device that each pod holds; in words why there is no such thing. */
function seatOf({ snapshot, workload }: SizeSources): { readonly part: GpuPart; readonly board: Board } | string {
  const parts = partsOfSnapshot(snapshot).filter(({ kind, workload: id }) => kind === 'held' && id === workload.id)
  const [part] = parts
  if (part === undefined) return 'It holds no GPU now, so there is no size to compare with.'
  const board = boardFor(part.model)
  if (board === undefined) return `${part.model} does not support MIG, so it has no smaller size.`
  const pods = snapshot.pods.filter((pod) => pod.workload === workload.id && pod.node !== undefined)
  if (pods.some(({ requests }) => requests.reduce((sum, { count }) => sum + count, 0) > 1)) {
    return 'Its pods hold several devices each, and MIG devices cannot reach one another.'
  }
  return parts.every(({ model, profile }) => model === part.model && profile === part.profile)
    ? { part, board }
    : 'Its pods hold devices of several sizes, so no one size can be compared with them.'
}
