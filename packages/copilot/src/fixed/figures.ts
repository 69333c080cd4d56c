import type { FigureView, OPERATIONS, OutputOf } from '@septet/contract'
import type { CopilotQuestion } from '@septet/contract/copilot-questions'
import { percent } from '@septet/domain/words'

import { figure, instantWords, now, over, path, type PhraseRange } from './phrases.ts'
import type { ReplyOf } from './reply.ts'

type Summary = OutputOf<typeof OPERATIONS.summaryGet>

/** One number of the summary. */
type Row = {
  readonly about: string
  readonly range: PhraseRange
  readonly of: (summary: Summary) => FigureView
  readonly says: (value: string) => string
  readonly further: readonly CopilotQuestion[]
}

const costFigure =
  ({ about, range, of, says, further }: Row): ReplyOf =>
  async (reading) => {
    const at = path('/cost', { range })
    const { is, cite } = await reading.from('summaryGet', { range }, at)
    const shown = of(is)
    return {
      said: [
        [
          `${over(range, is.asOf)}, ${shown.value === null ? `${about}: ${figure(shown)}` : says(figure(shown))}.`,
          cite,
        ],
        [`Formula: ${shown.explain.formula.replace(/\.$/u, '')}.`, cite],
      ],
      pages: [['See the figures', at]],
      further,
    }
  }

export const costThisMonth = costFigure({
  about: 'what the GPUs cost',
  range: 'month',
  of: ({ cost }) => cost.capacity,
  says: (value) => `the GPUs cost ${value}`,
  further: ['costliest-namespace', 'month-forecast'],
})

export const idleCost = costFigure({
  about: 'what idle GPU time cost',
  range: '24h',
  of: ({ cost }) => cost.idleHeld,
  says: (value) => `GPU time that was held but idle cost ${value}`,
  further: ['most-waste', 'idle-gpus'],
})

/** How busy the GPUs were, against the target. */
export const busyOver =
  (range: PhraseRange): ReplyOf =>
  async (reading) => {
    const { is, cite } = await reading.from('summaryGet', { range }, path('', { range }))
    const { busy, allocated, busyOfAllocated, target } = is.utilization
    const verdict =
      busy.value === null
        ? ''
        : ` ${busy.value >= target ? 'That meets' : 'That is below'} the target of ${percent(target, 0)}.`
    return {
      said: [
        [
          busy.value === null
            ? `${over(range, is.asOf)}, how busy GPUs were: ${figure(busy)}.`
            : `${over(range, is.asOf)}, GPUs were busy ${figure(busy)} of the time.${verdict}`,
          cite,
        ],
        [
          `Allocated: ${figure(allocated)}${allocated.value === null ? '' : ' of GPU time'}. Busy while allocated: ${figure(busyOfAllocated)}.`,
          cite,
        ],
      ],
      pages: [['See utilization', path('', { range })]],
      further: ['trend-this-week', 'most-waste'],
    }
  }

/** Sample data has weekdays and no dates. */
const whenWords = (at: string): string => (Number.isNaN(Date.parse(at)) ? `on ${at}` : `at ${instantWords(at)}`)
/** Points that a line of an answer has room for. */
const MOST_POINTS = 120

export const trendThisWeek: ReplyOf = async (reading) => {
  const range = 'week'
  const { is, cite } = await reading.from('utilizationTrend', { range }, path('', { range }))
  const known = is.points.filter(({ busy }) => busy !== null)
  const highest = known.toSorted((a, b) => (b.busy ?? 0) - (a.busy ?? 0))[0]
  const each = Math.max(1, Math.ceil(is.points.length / MOST_POINTS))
  const points = is.points.filter((_, order) => order % each === 0).map(({ at, busy }) => ({ at, value: busy }))
  return {
    said: [
      highest === undefined
        ? [`${over(range, is.asOf)}, utilization was not measured.`, cite]
        : [
            `${over(range, is.asOf)}, utilization peaked at ${percent(highest.busy ?? 0)} ${whenWords(highest.at)}${known.length === is.points.length ? '' : `; ${is.points.length - known.length} of ${is.points.length} readings are missing`}.`,
            cite,
          ],
    ],
    blocks: [{ kind: 'chart', title: 'Busy share of GPU time', unit: 'ratio', points }],
    pages: [['See utilization', path('', { range })]],
    further: ['busy-enough', 'most-waste'],
  }
}

/** How all is. */
export const wrongNow: ReplyOf = async (reading) => {
  const { is, cite } = await reading.from('summaryGet', { range: '24h' }, '')
  const { headline, problems } = is.status
  return {
    said: [
      [`${now(is.asOf)}: ${headline}`, cite],
      ...problems.slice(0, 3).map(({ message }) => [message, cite] as const),
    ],
    pages: [['See the summary', '']],
    further: ['faulty-gpus', 'waits-and-why'],
  }
}
