import type { GpuPart } from '../../analyze/gpu-parts.ts'
import type { StudiedSize, RightSize } from '../../analyze/right-size.ts'
import { SPAN_SECONDS, type UsageRow } from '../../analyze/usage.ts'
import { whyReserved } from '../../cluster/reserved-cache.ts'
import type { GpuRequest, Pod, Workload, WorkloadClass, WorkloadId } from '../../cluster/workload.ts'
import { onceFor } from '../../once-for.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { resourceOfProfile } from '../../gpu/profile-name.ts'
import { ratio, seconds, type Mib, type Ratio, type Seconds } from '../../units.ts'
import type { OverrunModel } from '../right-size/overrun-model.ts'
import { rightSizeFor, type SizeAdvice } from '../right-size/right-size-for.ts'
import { rightSizeOptions, type RightSizeLevel, type RightSizeOptions } from '../right-size/right-size-options.ts'
import { sizeEvidence, type SizeEvidence } from '../right-size/size-evidence.ts'
import { historyOfRows, type UsageHistory } from '../right-size/usage-history.ts'
import { memoryOfDevice } from './memory-of-device.ts'
import { SLACK, recommendContext, type RecommendContext, type RecommendSources } from './recommend-context.ts'
import { sum } from './recorded-work.ts'
import type { Recommendation } from './recommendation.ts'

/** Which size one running workload needs, with all that this is concluded from: whoever tells its size asks for this. */
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

/** Why a workload has no one size; of work on several devices other rules tell. */
type NoSize = { readonly kind: 'needs-size' | 'not-measured' | 'several-devices'; readonly because: string }

/** The same before its evidence is drawn. */
type SizeVerdict = Omit<SizeStudy, 'evidence'> & { readonly history: UsageHistory }

/** Studies one workload; in words why that cannot be done. */
function studySize(workload: Workload, context: RecommendContext): SizeVerdict | NoSize {
  const { id } = workload
  const part = seatOf(context.held.get(id) ?? [], context.podsOf.get(id) ?? [])
  if ('because' in part) return part
  const reserved = whyReserved(workload)
  if (reserved !== undefined) return { kind: 'not-measured', because: `${reserved}.` }
  const level = sizeLevel(workload.class)
  const options = sizeOptionsFor(level, context)
  const rows = context.rowsOf.get(id) ?? []
  const past = { history: historyOf(part, id, rows), rows, overrun: context.overrun, options }
  const found = steadyAdvice(part, past, sizeOf(context.before('right-size', `workload/${id}`)))
  const isStale = found.kind === 'fits-smaller' && !isFresh(rows, context)
  const advice: SizeAdvice = isStale ? { kind: 'unknown', because: 'its newest usage is hours old' } : found
  return {
    held: limitsOf(part.model, part.profile, part.share),
    level,
    options,
    advice,
    proposed: advice.kind === 'fits-smaller' ? limitsOf(part.model, advice.profile.name, advice.share) : undefined,
    horizon: context.overrun.horizon,
    history: past.history,
  }
}

/** The size of each workload that holds something, studied once. */
export const sizesIn = onceFor(
  (context: RecommendContext): ReadonlyMap<WorkloadId, SizeVerdict | NoSize> =>
    new Map(
      [...context.held.keys()].flatMap((id) => {
        const workload = context.workloads.get(id)
        return workload === undefined ? [] : [[id, studySize(workload, context)] as const]
      }),
    ),
)

type SizeSources = Pick<RecommendSources, 'snapshot' | 'rows' | 'overrun' | 'policy' | 'previous'>

/** The size of one workload, from its rows; in words why it has none. */
export function studySizeIn(id: WorkloadId, sources: SizeSources): SizeStudy | string {
  const window = { from: sources.snapshot.takenAt, to: sources.snapshot.takenAt }
  const analysis = { observedSeconds: seconds(0), cost: { byNode: [] }, workloads: [] }
  const study = sizesIn(recommendContext({ ...sources, window, prices: [], analysis })).get(id) ?? NOTHING_HELD
  if ('because' in study) return study.because
  const { history, ...verdict } = study
  return { ...verdict, evidence: history.buckets.length === 0 ? undefined : sizeEvidence(history) }
}

/** What a study comes to, as an analysis tells it. */
export function studiedSize([workload, study]: readonly [WorkloadId, SizeVerdict | NoSize]): StudiedSize | [] {
  if ('because' in study) return []
  const { advice, held, proposed } = study
  const size: RightSize =
    advice.kind === 'unknown'
      ? { kind: 'unknown', because: advice.because }
      : proposed === undefined
        ? { kind: 'fits' }
        : { kind: 'oversized', profile: proposed.profile, share: proposed.share }
  return { workload, model: held.model, size }
}

const limitsOf = (model: string, profile: string, share: Ratio): SizeLimits => ({
  model,
  profile,
  share,
  memory: memoryOfDevice({ model, profile }),
})

const NOTHING_HELD: NoSize = {
  kind: 'several-devices',
  because: 'It holds no GPU now, so there is no size to compare with.',
}

/**
 * What each pod of the workload holds, where all hold the same one device and ask for nothing else. MIG devices cannot
 * reach one another, so work on several GPUs has no one size.
 */
function seatOf(parts: readonly GpuPart[], pods: readonly Pod[]): GpuPart | NoSize {
  const [part] = parts
  if (part === undefined) return NOTHING_HELD
  if (!pods.every(({ requests }) => requests.length === 1 && requests[0]?.count === 1)) {
    return {
      kind: 'several-devices',
      because: 'Its pods hold several devices each, and MIG devices cannot reach one another.',
    }
  }
  if (boardFor(part.model) === undefined) return { kind: 'needs-size', because: `${part.model} does not support MIG.` }
  const unlike = whyUnlike(parts, pods)
  return unlike === undefined ? part : { kind: 'needs-size', because: unlike }
}

/** How much headroom work gets by what it is: people wait for inference, nobody for a notebook. */
const LEVEL_OF = {
  inference: 'high-availability',
  training: 'production',
  analytics: 'production',
  notebook: 'development',
  unknown: 'production',
} satisfies Record<WorkloadClass, RightSizeLevel>

/** The headroom that work of a class gets. */
export const sizeLevel = (kind: WorkloadClass): RightSizeLevel => LEVEL_OF[kind]

/** The level's own, with what a person has decided instead; the target is that of production work. */
export function sizeOptionsFor(level: RightSizeLevel, { policy }: Pick<RecommendContext, 'policy'>): RightSizeOptions {
  const options = rightSizeOptions[level]
  if (policy === undefined) return options
  const { idle, rightSize: sizes } = policy.analysis
  const { memoryMargin, minimumHistory, targetUtilization } = sizes
  return {
    ...options,
    memoryMargin,
    minimumHistory,
    idleThreshold: idle.threshold,
    ...(level === 'production' ? { targetUtilization } : {}),
  }
}

/** The same with every limit a tenth wider, but for memory: who has too little of that is ended. */
export const eased = (options: RightSizeOptions): RightSizeOptions => ({
  ...options,
  minimumHistory: seconds(options.minimumHistory * SLACK),
  idleThreshold: ratio(options.idleThreshold * SLACK),
  targetUtilization: ratio(Math.min(1, options.targetUtilization / SLACK)),
  accepted: { ...options.accepted, compute: ratio(options.accepted.compute / SLACK) },
})

type Past = {
  readonly history: UsageHistory
  readonly rows: readonly UsageRow[]
  readonly overrun: OverrunModel
  readonly options: RightSizeOptions
}
type Device = Pick<GpuPart, 'model' | 'profile'>

/** What was advised before, while it nearly fits; else what fits. */
function steadyAdvice(part: Device, past: Past, before: GpuRequest | undefined): SizeAdvice {
  const isBefore = (advice: SizeAdvice): boolean =>
    advice.kind === 'fits-smaller' && resourceOfProfile(advice.profile.name) === before?.resource
  const advice = sizeAdvice(part, past)
  if (before === undefined || isBefore(advice)) return advice
  const wider = sizeAdvice(part, { ...past, options: eased(past.options) })
  return isBefore(wider) ? wider : advice
}

/** What the pods were to ask for by the last recommendation. */
const sizeOf = (before: Recommendation | undefined): GpuRequest | undefined =>
  before?.plan.steps.flatMap(({ action }) => (action.kind === 'resize' ? action.to : []))[0]

/** How busy work kept another GPU model says nothing about this one. */
export const historyOf = ({ model }: Device, workload: WorkloadId, rows: readonly UsageRow[]): UsageHistory =>
  historyOfRows(
    workload,
    rows.filter((row) => row.model === model),
  )

/** The size for what was held of a device. Memory counts also where it was untrusted or on other models: a peak is a peak. */
export function sizeAdvice(part: Device, { history, rows, overrun, options }: Past): SizeAdvice {
  const board = boardFor(part.model)
  if (board === undefined) return { kind: 'unknown', because: `a ${part.model} cannot be cut into smaller sizes` }
  const advice = rightSizeFor({ history, board, held: part.profile, model: overrun }, options)
  if (advice.kind !== 'fits-smaller') return advice
  const peak = rows.reduce((most, { memoryPeak }) => Math.max(most, memoryPeak ?? 0), 0)
  if (peak * (1 + options.memoryMargin) <= (advice.profile.memory ?? 0)) return advice
  return {
    kind: 'keep',
    because: `a ${advice.profile.name} is smaller than a memory peak that it had on another model or while untrusted`,
    evidence: advice.evidence,
  }
}

/** Rows that end earlier than this before now do not show what it does now. */
const FRESH_MS = 6 * 3_600_000

/** Whether the newest measured row reaches to within some hours of now: what it did before that, it may not do now. */
export const isFresh = (rows: readonly UsageRow[], { window }: Pick<RecommendContext, 'window'>): boolean =>
  rows.some(({ at, span, measured }) => measured > 0 && at + SPAN_SECONDS[span] * 1000 >= window.to - FRESH_MS)

/** Why the pods do not all hold as many devices of one kind as they ask for: one may wait, or its node be down. */
export function whyUnlike(parts: readonly GpuPart[], pods: readonly Pod[]): string | undefined {
  const held = Map.groupBy(parts, ({ pod }) => pod)
  if (pods.some(({ id, requests }) => (held.get(id)?.length ?? 0) < sum(requests, ({ count }) => count)))
    return 'Not all of its pods hold a working GPU now.'
  const kinds = new Set(parts.map(({ model, profile, share }) => `${model} ${profile} ${share}`))
  const asks = new Set(pods.map(({ requests }) => JSON.stringify(requests)))
  const isOne = kinds.size === 1 && asks.size === 1 && pods[0]?.requests.length === 1
  return isOne ? undefined : 'Its pods hold different devices, so no one answer fits them all.'
}
