import { percent } from '@septet/domain/words'

import type { Family } from '../family.ts'
import { figure, over, path } from '../phrases.ts'
import { instantWords } from '../times.ts'

/** Sample data has weekdays and no dates. */
const whenWords = (at: string): string => (Number.isNaN(Date.parse(at)) ? `on ${at}` : `at ${instantWords(at)}`)

/** Utilization over time, and what the time went to. */
export const TRENDS: readonly Family[] = [
  {
    id: 'trend',
    about: 'utilization over time',
    asks: [
      'How did utilization develop over time?',
      'How has utilization trended this week?',
      'Show the utilization trend of the past 7 days',
      'Utilization history',
      'Trend',
      'When is utilization at its peak?',
      'When are the GPUs least busy?',
      'When are GPUs busy?',
    ],
    takes: ['range'],
    answer: async (slots, reading) => {
      const range = slots.range ?? '7d'
      const { is, cite } = await reading.from('utilizationTrend', { range }, path('', { range }))
      const known = is.points.filter(({ busy }) => busy !== null)
      const highest = known.toSorted((a, b) => (b.busy ?? 0) - (a.busy ?? 0))[0]
      const each = Math.max(1, Math.ceil(is.points.length / 120))
      const points = is.points.filter((_, order) => order % each === 0).map(({ at, busy }) => ({ at, value: busy }))
      return {
        said: [
          highest === undefined
            ? [`${over({ range }, is.asOf)}, utilization was not measured.`, cite]
            : [
                `${over({ range }, is.asOf)}, utilization peaked at ${percent(highest.busy ?? 0)} ${whenWords(highest.at)}${known.length === is.points.length ? '' : `; ${is.points.length - known.length} of ${is.points.length} readings are missing`}.`,
                cite,
              ],
        ],
        blocks: [{ kind: 'chart', title: 'Busy share of GPU time', unit: 'ratio', points }],
        pages: [['See utilization', path('', { range })]],
        further: ['Are our GPUs busy enough?', 'Who idles most?'],
      }
    },
  },
  {
    id: 'distribution',
    about: 'what GPU-hours go to',
    asks: [
      'Where do the GPU-hours go?',
      'What is the split of GPU-hours by class?',
      'Breakdown of the GPU-hours',
      'What share of GPU time went to {class}?',
    ],
    takes: ['range', 'class'],
    answer: async (slots, reading) => {
      const range = slots.range ?? '24h'
      const { is, cite } = await reading.from('summaryGet', { range }, path('', { range }))
      const { total, parts } = is.distribution
      const own = parts.find(({ kind }) => kind === slots.class)
      return {
        said: [
          ...(own === undefined
            ? []
            : [
                [
                  `${over(slots, is.asOf)}, ${slots.class} took ${figure(own.share)} of GPU time: ${figure(own.hours)}.`,
                  cite,
                ] as const,
              ]),
          [`${over(slots, is.asOf)}, ${figure(total)} split by class of work as follows.`, cite],
        ],
        blocks: [
          {
            kind: 'table',
            title: 'GPU-hours by class of work',
            columns: [
              { name: 'Class', isNumber: false },
              { name: 'Share', isNumber: true },
              { name: 'GPU-hours', isNumber: true },
            ],
            rows: parts.map(({ name, share, hours }) => ({ cells: [name, figure(share), figure(hours)], page: null })),
            total: parts.length,
          },
        ],
        pages: [['See the summary', path('', { range })]],
        further: ['Who idles most?', 'What do GPUs cost by namespace?'],
      }
    },
  },
]
