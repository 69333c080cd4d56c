import {
  type Board,
  boardFor,
  chanceOfOverrun,
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

import type { Benchmark, Figure } from './benchmark.ts'
import {
  brierFigure,
  calibrationTable,
  type Forecast,
  frequency,
  intervalOverPods,
  meanChance,
} from './calibration-table.ts'
import { fewestGpus } from './fewest-gpus.ts'
import { highestIn, readGentd26, type TracePod, traceHistory } from './gentd26.ts'

const SEED = 5
const SPLITS = [0.5, 0.6, 0.67, 0.75, 0.8]
/** Capacities asked about for calibration, as multiples of a pod's median use. */
const MULTIPLES = [1.1, 1.25, 1.5, 1.75, 2, 2.5]

/** Sizes from the first part of a day, judged on the rest of it. */
export const benchmark: Benchmark = {
  name: 'e5',
  description:
    'GenTD26: MIG sizes on A100-80GB for inference pods from the first 75 % of a day of use, judged on the rest; memory alone unless it says otherwise.',
  async run({ input }) {
    const { split, board, model, chosen, rules, reference, ours } = judgeDay(input)
    const { all: pods, minutes } = split
    return [
      ...rules.flatMap(({ name, score }) => scoreFigures(`baseline ${name}`, score, undefined)),
      ...scoreFigures(`Septet, ${percent(chosen.accepted.memory)} accepted as chosen in the past`, ours, reference),
      ...OURS.flatMap(({ name, options }) =>
        scoreFigures(name, judgeOurs(split, board, { options, model }), reference),
      ),
      ...frontier(split, board, model),
      ...stability({ pods, minutes, board }),
      ...calibration({ pods, minutes, board }),
    ]
  },
}

/** The day judged at 75 %: the baselines, and ours with the accepted chance chosen in the past. */
export function judgeDay(input: string | undefined) {
  const { pods, minutes } = readGentd26(input)
  const board = boardFor('A100-SXM4-80GB')
  if (board === undefined) throw new Error('the catalog has no A100-SXM4-80GB')
  const split = splitAt({ pods, minutes, share: 0.75 })
  const model = learnFrom(split)
  const chosen = withAccepted(chooseAccepted(split, board))
  const rules = RULES.map((rule) => ({ name: rule.name, score: judgeRule(split, board, rule) }))
  const reference = judgeRule(split, board, REFERENCE)
  return { split, board, model, chosen, rules, reference, ours: judgeOurs(split, board, { options: chosen, model }) }
}

const percent = (chance: number): string => `${Math.round(chance * 100)} %`

type Split = {
  readonly cut: number
  readonly judged: readonly TracePod[]
  readonly all: readonly TracePod[]
  readonly minutes: number
}

/** Pods with samples both before and after are judged. The minute of the cut is judged. */
function splitAt({ pods, minutes, share }: { pods: readonly TracePod[]; minutes: number; share: number }): Split {
  const cut = Math.floor(share * (minutes - 1))
  const judged = pods.filter(
    ({ memory }) =>
      memory.some(({ minute }) => minute < cut) && memory.some(({ minute }) => minute >= cut && minute < minutes),
  )
  return { cut, judged, all: pods, minutes }
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

function withAccepted(accepted: number): RightSizeOptions {
  const base = survivable(forTrace(development))
  return { ...base, accepted: { ...base.accepted, memory: ratio(accepted) } }
}

type Rule = { readonly name: string; readonly quantile: number; readonly margin: number }
const REFERENCE: Rule = { name: 'p99 + 10 %', quantile: 0.99, margin: 0.1 }
const RULES: readonly Rule[] = [
  { name: 'peak + 10 %', quantile: 1, margin: 0.1 },
  { name: 'peak', quantile: 1, margin: 0 },
  REFERENCE,
  { name: 'p95 + 15 %', quantile: 0.95, margin: 0.15 },
  { name: 'p95', quantile: 0.95, margin: 0 },
]

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
const { production, development } = rightSizeOptions
const OURS: ReadonlyArray<{ readonly name: string; readonly options: RightSizeOptions }> = [
  { name: 'Septet, memory overrun fatal, production (5 %)', options: forTrace(production) },
  { name: 'Septet, memory overrun fatal, development (20 %)', options: forTrace(development) },
  { name: 'Septet, survivable, production (5 %)', options: survivable(forTrace(production)) },
  { name: 'Septet, survivable, development (20 %)', options: survivable(forTrace(development)) },
  {
    name: 'Septet, survivable, development (20 %), compute counted',
    options: { ...survivable(forTrace(development)), compute: 'counted' },
  },
]

function learnFrom({ all, cut, minutes }: Split): OverrunModel {
  const histories = all.map((pod) => traceHistory(pod, cut)).filter(({ buckets }) => buckets.length > 0)
  return learnOverrun(histories, seconds((minutes - cut) * 60))
}

type Way = { readonly options: RightSizeOptions; readonly model: OverrunModel }

function judgeOurs(split: Split, board: Board, { options, model }: Way): Score {
  return judgeSizes(split, board, (pod) => {
    const advice = rightSizeFor({ history: traceHistory(pod, split.cut), board, held: '', model }, options)
    return advice.kind === 'fits-smaller' ? advice.profile.name : wholeOf(board)
  })
}

const beside = (figure: number | undefined) =>
  figure === undefined ? {} : { baseline: { name: REFERENCE.name, figure } }

type PodScore = {
  readonly pod: string
  readonly profile: string
  readonly samples: number
  readonly over: number
  readonly computeOver: number
}
type Score = { readonly pods: readonly PodScore[]; readonly gpus: number; readonly board: Board }

const judgeRule = (split: Split, board: Board, rule: Rule): Score =>
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

const gpusOf = (board: Board, pods: readonly PodScore[]): number =>
  fewestGpus(
    board,
    pods.map(({ profile }) => profile),
  )
/** Pods with at least one later sample above their size. */
export const podsOver = (pods: readonly PodScore[]): number => pods.filter(({ over }) => over > 0).length

function scoreFigures(name: string, score: Score | undefined, reference: Score | undefined): Figure[] {
  if (score === undefined) return []
  const { pods, gpus, board } = score
  const between = (statistic: (items: readonly PodScore[]) => number): string =>
    `95 % over pods: ${intervalOverPods(pods, { seed: SEED, statistic }).join(' to ')}`
  const samples = pods.reduce((sum, pod) => sum + pod.samples, 0)
  const over = pods.reduce((sum, pod) => sum + pod.over, 0)
  const slow = pods.filter(({ computeOver }) => computeOver > 0)
  const aims = reference === undefined ? [{}, {}] : [{ aim: 'beat 46, aim ≤ 44' }, { aim: 'beat 5, aim ≤ 3' }]
  return [
    {
      name: `${name}: GPUs`,
      figure: gpus,
      unit: 'GPUs',
      note: between((items) => gpusOf(board, items)),
      ...beside(reference?.gpus),
      ...aims[0],
    },
    {
      name: `${name}: pods overrun`,
      figure: podsOver(pods),
      unit: `of ${pods.length} pods`,
      note: `${over} of ${samples} samples; ${between(podsOver)}; compute over in ${slow.length} pods, ${slow.reduce((sum, pod) => sum + pod.computeOver, 0)} samples`,
      ...beside(reference === undefined ? undefined : podsOver(reference.pods)),
      ...aims[1],
    },
  ]
}

/** What every accepted chance costs and risks, so that nobody has to take ours. */
const frontier = (split: Split, board: Board, model: OverrunModel): Figure[] =>
  ACCEPTED.map((accepted) => {
    const { gpus, pods } = judgeOurs(split, board, { options: withAccepted(accepted), model })
    return {
      name: `frontier: ${percent(accepted)} accepted`,
      figure: gpus,
      unit: 'GPUs',
      note: `${podsOver(pods)} of ${pods.length} pods overrun`,
    }
  })

type Trace = { readonly pods: readonly TracePod[]; readonly minutes: number; readonly board: Board }

/** The same at other split points, and with one half of the pods to learn and choose from and the other to be judged. */
function stability({ pods, minutes, board }: Trace): Figure[] {
  const splits = SPLITS.map((share) => {
    const split = splitAt({ pods, minutes, share })
    return compare(`split ${percent(share)}`, { split, learned: split, board })
  })
  const halves = [0, 1].map((half) => {
    const [learned, judged] = [half, 1 - half].map((wanted) =>
      splitAt({ pods: pods.filter((_, index) => index % 2 === wanted), minutes, share: 0.75 }),
    )
    if (learned === undefined || judged === undefined) throw new Error('a trace has two halves')
    return compare(`learned on half ${half + 1} of the pods, judged on the other`, { split: judged, learned, board })
  })
  return [...splits, ...halves]
}

function compare(
  name: string,
  { split, learned, board }: { readonly split: Split; readonly learned: Split; readonly board: Board },
): Figure {
  const accepted = chooseAccepted(learned, board)
  const ours = judgeOurs(split, board, { options: withAccepted(accepted), model: learnFrom(learned) })
  const base = judgeRule(split, board, REFERENCE)
  return {
    name,
    figure: ours.gpus,
    unit: 'GPUs',
    ...beside(base.gpus),
    note: `pods overrun: ${podsOver(ours.pods)} of ${ours.pods.length}, baseline ${podsOver(base.pods)}; ${percent(accepted)} accepted`,
  }
}

/** Forecast chances beside observed frequencies over all splits; the model never sees what comes after its split. */
function calibration({ pods, minutes, board }: Trace): Figure[] {
  const bySplit = SPLITS.map((share) => ({ share, judged: forecastsAt(splitAt({ pods, minutes, share }), board) }))
  const judged = bySplit.flatMap((split) => split.judged)
  const bins = calibrationTable(judged, SEED).map((bin) => ({
    name: `calibration: forecast ${bin.from * 100} to ${bin.to * 100} %`,
    figure: bin.observed,
    unit: 'observed',
    baseline: { name: 'forecast', figure: bin.forecast },
    note: `${bin.count} forecasts of ${bin.pods} pods; observed 95 % over pods ${bin.low.toFixed(3)} to ${bin.high.toFixed(3)}`,
  }))
  const unlikely = bySplit.map(({ share, judged: all }) => {
    const inside = all.filter(({ chance }) => chance < 0.3)
    return {
      name: `calibration: split ${percent(share)}, forecasts under 30 %`,
      figure: frequency(inside),
      unit: 'observed',
      baseline: { name: 'forecast', figure: meanChance(inside) },
      note: `${inside.length} forecasts`,
    }
  })
  return [...bins, ...unlikely, brierFigure(judged)]
}

function forecastsAt(split: Split, board: Board): Forecast[] {
  const { cut, minutes } = split
  const model = learnFrom(split)
  // Near-idle and short histories get no forecast, so none is judged.
  const options = withAccepted(1)
  const forecast = split.judged.flatMap((pod) => {
    const history = traceHistory(pod, cut)
    const kind = rightSizeFor({ history, board, held: '', model }, options).kind
    return kind === 'fits-smaller' ? [{ pod, history, median: medianBefore(pod, cut) }] : []
  })
  return MULTIPLES.flatMap((multiple) => {
    const last = forecast.map(({ pod, median }) => highestIn(pod, 2 * cut - minutes, cut) > multiple * median)
    const pastRate = last.filter(Boolean).length / last.length
    return forecast.map(({ pod, history, median }) => ({
      pod: pod.id,
      pastRate,
      chance: chanceOfOverrun(history, multiple * median, { model, resource: 'memory' }).chance,
      happened: highestIn(pod, cut, minutes) > multiple * median,
    }))
  })
}

const medianBefore = ({ memory }: TracePod, cut: number): number =>
  quantileOf(
    memory.filter(({ minute }) => minute < cut).map(({ value }) => value),
    0.5,
  ) ?? 0
