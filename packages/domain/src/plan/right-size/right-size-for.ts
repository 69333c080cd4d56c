import { percent } from '../../words.ts'
import { quantileOf } from '../../analyze/distribution.ts'
import { type Board, type MigProfile, plainProfiles, profileOf, sliceShare } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { type Mib, type Ratio, ratio } from '../../units.ts'
import { blockSeconds, peakOf, levelAt } from './block-maxima.ts'
import { growthPerBlock, objectionTo } from './history-guards.ts'
import { type Chance, chanceOfOverrun, type OverrunModel } from './overrun-model.ts'
import { type SizeEvidence, sizeEvidence } from './size-evidence.ts'
import type { RightSizeOptions } from './right-size-options.ts'
import type { UsageHistory } from './usage-history.ts'

/** Which size a workload needs, from its own history and what like histories did next. */
export type SizeAdvice =
  | {
      readonly kind: 'fits-smaller'
      readonly profile: MigProfile
      /** The profile's part of a GPU. */
      readonly share: Ratio
      /** Chance of at least one overrun within the model's horizon; compute undefined where it is not counted. */
      readonly overrun: { readonly memory: Ratio; readonly compute: Ratio | undefined }
      /** How sure the chance is: share of history that was measured × (1 − two standard errors of the chance). */
      readonly confidence: Ratio
      readonly evidence: SizeEvidence
    }
  /** Known, and better left as it is. The sentence is shown. */
  | { readonly kind: 'keep'; readonly because: string; readonly evidence: SizeEvidence }
  /** Not enough is known to say. The sentence is shown: "not enough history: 3 h of 24 h". */
  | { readonly kind: 'unknown'; readonly because: string }

/** A workload, where it runs, and what its fleet's past taught. */
export type SizeCase = {
  readonly history: UsageHistory
  readonly board: Board
  /** The profile that it holds now; empty for a whole GPU. */
  readonly held: ProfileName
  readonly model: OverrunModel
}

/**
 * The smallest plain profile, smaller than the held one, that holds the workload within the accepted chance of overrun:
 * memory with margin, sustained compute with headroom. Profiles whose memory is not known are not considered.
 */
export function rightSizeFor(size: SizeCase, options: RightSizeOptions): SizeAdvice {
  const { history, board, held } = size
  const objection = objectionTo(history, options)
  if (objection?.kind === 'unknown') return { kind: 'unknown', because: objection.because }
  const evidence = sizeEvidence(history)
  if (objection !== undefined) return { kind: 'keep', because: objection.because, evidence }
  const holding = holdingOf(board, held)
  if (holding === undefined) return { kind: 'unknown', because: `this board has no profile ${held}` }
  const needs = needsOf(size, options)
  if (needs === undefined) return { kind: 'unknown', because: 'its memory was not measured' }
  if (needs.memoryPeak > CENSORED * holding.memory) return { kind: 'keep', because: AT_ITS_LIMIT, evidence }
  const trials = smallerProfiles(board, holding).map((profile) => tryProfile(profile, { size, needs, options }))
  const fitting = trials.find(({ objection: against }) => against === undefined)
  return fitting === undefined
    ? { kind: 'keep', because: whyNone(trials), evidence }
    : adviceOf(fitting, { size, evidence })
}

function adviceOf(
  { profile, memory, compute }: Trial,
  { size, evidence }: { readonly size: SizeCase; readonly evidence: SizeEvidence },
): SizeAdvice {
  const error = Math.max(memory.error, compute?.error ?? 0)
  return {
    kind: 'fits-smaller',
    profile,
    share: sliceShare(size.board, profile),
    overrun: {
      memory: ratio(memory.chance),
      compute: compute === undefined ? undefined : ratio(compute.chance),
    },
    confidence: ratio(evidence.coverage * Math.max(0, 1 - 2 * error)),
    evidence,
  }
}

type Needs = {
  readonly memoryPeak: number
  /** MiB that the profile must have, whatever chance is accepted. */
  readonly memoryFloor: number
  /** GPUs of compute that the profile must have, whatever chance is accepted. */
  readonly computeFloor: number
}

function needsOf({ history, model }: SizeCase, options: RightSizeOptions): Needs | undefined {
  const memoryPeak = peakOf(history, 'memory')
  if (memoryPeak === undefined) return undefined
  const blocks = model.horizon / blockSeconds(history)
  const growth = growthPerBlock(history) * blocks
  const margin = 1 + options.memoryMargin
  const sustained = quantileOf(
    history.buckets.map((bucket) => levelAt(bucket, 'compute')).filter((value) => value !== undefined),
    0.95,
  )
  return {
    memoryPeak,
    // Growth goes on however rare overruns are meant to be, so the size must hold it in either case.
    memoryFloor: options.memoryOverrun === 'fatal' || growth > 0 ? (memoryPeak + growth) * margin : 0,
    computeFloor: options.compute === 'ignored' ? 0 : (sustained ?? Infinity) / options.targetUtilization,
  }
}

type Trial = {
  readonly profile: MigProfile
  readonly memory: Chance
  readonly compute: Chance | undefined
  readonly objection: string | undefined
}

function tryProfile(
  profile: MigProfile & { readonly memory: Mib },
  { size, needs, options }: { readonly size: SizeCase; readonly needs: Needs; readonly options: RightSizeOptions },
): Trial {
  const { history, board, model } = size
  const share = sliceShare(board, profile)
  const memory = chanceOfOverrun(history, profile.memory, { model, resource: 'memory' })
  const compute =
    options.compute === 'ignored' ? undefined : chanceOfOverrun(history, share, { model, resource: 'compute' })
  const trial = { profile, memory, compute }
  if (profile.memory < needs.memoryFloor) {
    return { ...trial, objection: `its memory peak and margin need ${Math.ceil(needs.memoryFloor)} MiB` }
  }
  if (share < needs.computeFloor) {
    return { ...trial, objection: `its sustained compute needs ${percent(needs.computeFloor, 0)} of a GPU` }
  }
  if (memory.chance > options.accepted.memory) {
    return { ...trial, objection: `the chance of running out of memory is ${chanceText(memory.chance)}` }
  }
  if (compute !== undefined && compute.chance > options.accepted.compute) {
    return { ...trial, objection: `the chance of too little compute is ${chanceText(compute.chance)}` }
  }
  return { ...trial, objection: undefined }
}

/** Why even the largest of the smaller profiles does not do. */
function whyNone(trials: readonly Trial[]): string {
  const last = trials.at(-1)
  return last === undefined
    ? 'there is no smaller profile'
    : `${last.profile.name} is too small: ${last.objection ?? ''}`
}

type Holding = { readonly share: number; readonly memory: number; readonly size: number }

function holdingOf(board: Board, held: ProfileName): Holding | undefined {
  if (held === '') {
    const most = Math.max(0, ...board.profiles.map(({ memory }) => memory ?? 0))
    return { share: 1, memory: most > 0 ? most : Infinity, size: board.memorySlices + 1 }
  }
  const profile = profileOf(board, held)
  return profile === undefined
    ? undefined
    : { share: sliceShare(board, profile), memory: profile.memory ?? Infinity, size: profile.size }
}

/** Plain profiles with known memory that take less of the GPU, least compute first, then least memory. */
function smallerProfiles(board: Board, holding: Holding): ReadonlyArray<MigProfile & { readonly memory: Mib }> {
  return plainProfiles(board)
    .flatMap((profile) => (profile.memory === undefined ? [] : { ...profile, memory: profile.memory }))
    .filter((profile) => {
      const share = sliceShare(board, profile)
      return (
        share <= holding.share && profile.size <= holding.size && (share < holding.share || profile.size < holding.size)
      )
    })
    .filter(({ size }) => size < board.memorySlices)
    .toSorted((a, b) => a.computeSlices - b.computeSlices || a.memory - b.memory)
}

/** Memory that is nearly all of what is held was cut off there, not needed up to there. */
const CENSORED = 0.98
const AT_ITS_LIMIT = 'its memory is at the limit of what it holds, so what it would need is not visible'

const chanceText = (chance: number): string => percent(chance, chance < 0.1 ? 1 : 0)
