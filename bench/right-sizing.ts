import { type Board, type OverrunModel, type RightSizeOptions, rightSizeOptions } from '@septet/domain'

import type { Benchmark, Figure } from './benchmark.ts'
import { intervalOverPods } from './interval-over-pods.ts'
import {
  ACCEPTED,
  chooseAccepted,
  forTrace,
  gpusOf,
  judgeDay,
  judgeGuarded,
  judgeOurs,
  judgeRule,
  learnFrom,
  type PodScore,
  podsOver,
  REFERENCE,
  RULES,
  type Score,
  type Split,
  splitAt,
  survivable,
  withAccepted,
} from './right-sizing-day.ts'
import type { TracePod } from './gentd26.ts'

const SEED = 5
const SPLITS = [0.5, 0.6, 0.67, 0.75, 0.8]

/** Sizes from the first part of a day, judged on the rest of it. */
export const benchmark: Benchmark = {
  name: 'right-sizing',
  description:
    'GenTD26: MIG sizes on A100-80GB for inference pods, chosen from the first 75% of a day of use and judged on the rest; memory alone unless stated otherwise.',
  async run({ input }) {
    const { split, board, model, chosen, rules, reference, ours } = judgeDay(input)
    const { all: pods, minutes } = split
    return [
      ...rules.flatMap(({ name, score }) => scoreFigures(`baseline ${name}`, score, undefined)),
      ...scoreFigures(`Septet, ${percent(chosen.accepted.memory)} accepted as chosen in the past`, ours, reference),
      ...RULES.slice(2).flatMap((rule) =>
        scoreFigures(`guards of Septet with ${rule.name}`, judgeGuarded(split, { board, model, rule }), reference),
      ),
      ...OURS.flatMap(({ name, options }) =>
        scoreFigures(name, judgeOurs(split, board, { options, model }), reference),
      ),
      ...frontier(split, board, model),
      ...stability({ pods, minutes, board }),
    ]
  },
}
const percent = (chance: number): string => `${Math.round(chance * 100)} %`

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

const beside = (figure: number | undefined) =>
  figure === undefined ? {} : { baseline: { name: REFERENCE.name, figure } }

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
