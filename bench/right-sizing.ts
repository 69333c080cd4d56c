import type { Benchmark, Figure } from './benchmark.ts'
import { randomFrom } from './random-from.ts'
import { gpusOf, judgeDay, type PodScore, podsOver, REFERENCE, type Score } from './right-sizing-day.ts'

const SEED = 5
const RESAMPLES = 1000

/** Sizes from the first part of a day, judged on the rest of it. */
export const benchmark: Benchmark = {
  name: 'right-sizing',
  description:
    'GenTD26: MIG sizes on A100-80GB for inference pods, chosen from the first 75% of a day of use and judged on the rest; memory alone unless stated otherwise.',
  async run({ input }) {
    const { chosen, reference, ours } = judgeDay(input)
    return [
      ...scoreFigures(`baseline ${REFERENCE.name}`, reference, undefined),
      ...scoreFigures(`Septet, ${percent(chosen.accepted.memory)} accepted as chosen in the past`, ours, reference),
    ]
  },
}
const percent = (chance: number): string => `${Math.round(chance * 100)} %`

const beside = (figure: number | undefined) =>
  figure === undefined ? {} : { baseline: { name: REFERENCE.name, figure } }

function scoreFigures(name: string, score: Score | undefined, reference: Score | undefined): Figure[] {
  if (score === undefined) return []
  const { pods, gpus, board } = score
  const between = (statistic: (items: readonly PodScore[]) => number): string =>
    `95 % over pods: ${intervalOverPods(pods, statistic).join(' to ')}`
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

/** Middle 95 % of a statistic over 1,000 resamples of whole pods. */
function intervalOverPods(
  items: readonly PodScore[],
  statistic: (items: readonly PodScore[]) => number,
): readonly [number, number] {
  const byPod = [...Map.groupBy(items, ({ pod }) => pod).values()]
  const random = randomFrom(SEED)
  const values = Array.from({ length: RESAMPLES }, () =>
    statistic(byPod.flatMap(() => byPod[Math.floor(random() * byPod.length)] ?? [])),
  ).toSorted((a, b) => a - b)
  return [values[Math.floor(0.025 * RESAMPLES)] ?? Number.NaN, values[Math.ceil(0.975 * RESAMPLES) - 1] ?? Number.NaN]
}
