import { type Board, chanceOfOverrun, learnOverrun, quantileOf, rightSizeFor, seconds } from '@septet/domain'

import type { Forecast } from './calibration-table.ts'
import { highestIn, type TracePod, traceHistory } from './gentd26.ts'
import { cutAt, withAccepted } from './right-sizing-day.ts'

/** The day of GenTD26, and the board whose sizes count. */
export type Trace = { readonly pods: readonly TracePod[]; readonly minutes: number; readonly board: Board }

/** Minutes: what is before the cut is known, what is from there to the end is forecast. */
export type Stretch = { readonly cut: number; readonly end: number }

/** Capacities asked about, as multiples of a pod's median use. */
const MULTIPLES = [1.1, 1.25, 1.5, 1.75, 2, 2.5]
const FOLDS = 5

/**
 * Forecasts for pods that nothing was learned from, about hours of which nothing was seen: the pods are in five folds, the
 * product's own learning sees the past of four, and the fifth is forecast from its past. Each fold is forecast once.
 */
export function forecastsOf({ pods, board }: Trace, { cut, end }: Stretch): Forecast[] {
  const { judged } = cutAt(pods, { cut, end })
  const known = pods.map((pod) => traceHistory(pod, cut)).filter(({ buckets }) => buckets.length > 0)
  const foldOf = new Map(pods.map(({ id }, index) => [id, index % FOLDS]))
  const asked = Array.from({ length: FOLDS }, (_, fold) => {
    const others = known.filter(({ id }) => foldOf.get(id) !== fold)
    const model = learnOverrun(others, seconds((end - cut) * 60))
    return judged
      .filter(({ id }) => foldOf.get(id) === fold)
      .flatMap((pod) => {
        const history = traceHistory(pod, cut)
        // Near-idle and short histories get no forecast from the product, so none is judged.
        const { kind } = rightSizeFor({ history, board, held: '', model }, withAccepted(1))
        return kind === 'fits-smaller' ? [{ pod, history, model, median: medianBefore(pod, cut) }] : []
      })
  }).flat()
  return MULTIPLES.flatMap((multiple) => {
    const before = asked.filter(({ pod, median }) => highestIn(pod, 2 * cut - end, cut) > multiple * median)
    return asked.map(({ pod, history, model, median }) => ({
      pod: pod.id,
      chance: chanceOfOverrun(history, multiple * median, { model, resource: 'memory' }).chance,
      happened: highestIn(pod, cut, end) > multiple * median,
      baseRate: before.length / asked.length,
    }))
  })
}

const medianBefore = ({ memory }: TracePod, cut: number): number =>
  quantileOf(
    memory.filter(({ minute }) => minute < cut).map(({ value }) => value),
    0.5,
  ) ?? 0

/** A split of the day: what is after it is forecast to its end. */
export const restOfDay = ({ minutes }: Trace, share: number): Stretch => ({
  cut: Math.floor(share * (minutes - 1)),
  end: minutes,
})

/** Two hours after two hours, from the fourth hour to the last: once around, with the livelier hours and the quieter. */
export const aroundTheDay = ({ minutes }: Trace): Stretch[] =>
  Array.from({ length: Math.floor((minutes - 240) / 120) }, (_, index) => ({
    cut: 240 + 120 * index,
    end: 360 + 120 * index,
  }))
