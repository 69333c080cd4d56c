import {
  type Board,
  boardFor,
  learnOverrun,
  type OverrunModel,
  plainProfiles,
  profileOf,
  quantileOf,
  ratio,
  type RightSizeOptions,
  rightSizeFor,
  rightSizeOptions,
  seconds,
} from '@septet/domain'

import { fewestGpus } from './fewest-gpus.ts'
import { readGentd26, type TracePod, traceHistory } from './gentd26.ts'

/** The day judged at 75 %: the baselines, and ours with the accepted chance chosen in the past. */
export function judgeDay(input: string | undefined) {
  const { pods, minutes } = readGentd26(input)
  const board = boardFor('A100-SXM4-80GB')
  if (board === undefined) throw new Error('the catalog has no A100-SXM4-80GB')
  const split = splitAt({ pods, minutes, share: 0.75 })
  const model = learnFrom(split)
  const chosen = withAccepted(chooseAccepted(split, board))
  const reference = judgeRule(split, board, REFERENCE)
  return { chosen, reference, ours: judgeOurs(split, board, { options: chosen, model }) }
}

export type Split = {
  readonly cut: number
  readonly judged: readonly TracePod[]
  readonly all: readonly TracePod[]
  readonly minutes: number
}

export function splitAt({
  pods,
  minutes,
  share,
}: {
  pods: readonly TracePod[]
  minutes: number
  share: number
}): Split {
  return cutAt(pods, { cut: Math.floor(share * (minutes - 1)), end: minutes })
}

/** Pods with samples both before and after are judged, until a minute that is not. The minute of the cut is judged. */
export function cutAt(pods: readonly TracePod[], { cut, end }: { readonly cut: number; readonly end: number }): Split {
  const judged = pods.filter(
    ({ memory }) =>
      memory.some(({ minute }) => minute < cut) && memory.some(({ minute }) => minute >= cut && minute < end),
  )
  return { cut, judged, all: pods, minutes: end }
}

/** The last third of a split's past, to be judged by what was known before it; nothing after the cut is in it. */
function pastOf({ cut, all }: Split): Split {
  const before = (samples: TracePod['memory']) => samples.filter(({ minute }) => minute < cut)
  const pods = all.map((pod) => ({ ...pod, memory: before(pod.memory), busy: before(pod.busy) }))
  return splitAt({ pods, minutes: cut, share: 2 / 3 })
}

/**
 * The accepted chance, chosen inside the past alone: the fewest GPUs among those under which no more pods overran in the
 * last third of the past than under the baseline.
 */
function chooseAccepted(split: Split, board: Board): number {
  const past = pastOf(split)
  const most = podsOver(judgeRule(past, board, REFERENCE).pods)
  const model = learnFrom(past)
  const tried = ACCEPTED.map((accepted) => {
    const { gpus, pods } = judgeOurs(past, board, { options: withAccepted(accepted), model })
    return { accepted, gpus, over: podsOver(pods) }
  })
  const allowed = tried
    .filter(({ over }) => over <= most)
    .toSorted((a, b) => a.gpus - b.gpus || a.accepted - b.accepted)
  return allowed[0]?.accepted ?? 0
}

const ACCEPTED = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5]

export function withAccepted(accepted: number): RightSizeOptions {
  const base = survivable(forTrace(development))
  return { ...base, accepted: { ...base.accepted, memory: ratio(accepted) } }
}

type Rule = { readonly name: string; readonly quantile: number; readonly margin: number }
export const REFERENCE: Rule = { name: 'p99 + 10 %', quantile: 0.99, margin: 0.1 }
function sizeByRule(
  { memory }: TracePod,
  cut: number,
  { board, rule }: { readonly board: Board; readonly rule: Rule },
): string {
  const past = memory.filter(({ minute }) => minute < cut).map(({ value }) => value)
  const need = (quantileOf(past, rule.quantile) ?? Infinity) * (1 + rule.margin)
  const fitting = plainProfiles(board)
    .filter((profile) => profile.memory !== undefined && profile.memory >= need)
    .toSorted((a, b) => a.size - b.size || a.computeSlices - b.computeSlices)[0]
  return fitting?.name ?? wholeOf(board)
}

const wholeOf = (board: Board): string => board.profiles.find(({ size }) => size === board.memorySlices)?.name ?? ''

/** The product's levels, told that there is less than a day to learn from and that sizes follow memory. */
const forTrace = (options: RightSizeOptions): RightSizeOptions => ({
  ...options,
  minimumHistory: seconds(3 * 3600),
  compute: 'ignored',
})
const survivable = (options: RightSizeOptions): RightSizeOptions => ({ ...options, memoryOverrun: 'survivable' })
const { development } = rightSizeOptions

export function learnFrom({ all, cut, minutes }: Split): OverrunModel {
  const histories = all.map((pod) => traceHistory(pod, cut)).filter(({ buckets }) => buckets.length > 0)
  return learnOverrun(histories, seconds((minutes - cut) * 60))
}

type Way = { readonly options: RightSizeOptions; readonly model: OverrunModel }

export function judgeOurs(split: Split, board: Board, { options, model }: Way): Score {
  return judgeSizes(split, board, (pod) => {
    const advice = rightSizeFor({ history: traceHistory(pod, split.cut), board, held: '', model }, options)
    return advice.kind === 'fits-smaller' ? advice.profile.name : wholeOf(board)
  })
}

export type PodScore = {
  readonly pod: string
  readonly profile: string
  readonly samples: number
  readonly over: number
  readonly computeOver: number
}
export type Score = { readonly pods: readonly PodScore[]; readonly gpus: number; readonly board: Board }

export const judgeRule = (split: Split, board: Board, rule: Rule): Score =>
  judgeSizes(split, board, (pod) => sizeByRule(pod, split.cut, { board, rule }))

function judgeSizes({ judged, cut }: Split, board: Board, sizeOf: (pod: TracePod) => string): Score {
  const pods = judged.map((pod) => {
    const profile = sizeOf(pod)
    const row = profileOf(board, profile)
    const later = pod.memory.filter(({ minute }) => minute >= cut)
    const share = (row?.computeSlices ?? board.computeSlices) / board.computeSlices
    return {
      pod: pod.id,
      profile,
      samples: later.length,
      over: later.filter(({ value }) => value > (row?.memory ?? Infinity)).length,
      computeOver: pod.busy.filter(({ minute, value }) => minute >= cut && value > share).length,
    }
  })
  return { pods, gpus: gpusOf(board, pods), board }
}

export const gpusOf = (board: Board, pods: readonly PodScore[]): number =>
  fewestGpus(
    board,
    pods.map(({ profile }) => profile),
  )
/** Pods with at least one later sample above their size. */
export const podsOver = (pods: readonly PodScore[]): number => pods.filter(({ over }) => over > 0).length
