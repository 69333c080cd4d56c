import type { OPERATIONS, OutputOf } from '@septet/contract'
import { monthlyWords, savedWords } from '@septet/contract/saving-words'
import { plural } from '@septet/domain/words'

import { table, type Family, type Reply } from '../family.ts'
import { figure, now, path, quoted } from '../phrases.ts'
import type { Reading } from '../reading.ts'

type Recommendation = OutputOf<typeof OPERATIONS.recommendationsList>['recommendations'][number]
type Kind = Recommendation['kind']

const saving = ({ saving: one }: Recommendation): string =>
  one.kind === 'none'
    ? one.brings
    : `${monthlyWords(one)} ${one.effect === 'bill-reduced' ? 'off the bill' : 'of capacity freed'}, estimated`

const value = (one: Recommendation): number => (one.saving.kind === 'estimated' ? (one.saving.usdPerMonth ?? 0) : 0)

async function recommended(
  reading: Reading,
  { kind, most, biggest, about }: { kind?: Kind; most: number; biggest?: boolean; about?: string | undefined },
): Promise<Reply> {
  const at = path('/actions', { kind })
  const { is, cite } = await reading.from('recommendationsList', { kind, limit: 500 }, at)
  const all = is.recommendations.filter(({ object }) => about === undefined || object.split('/').includes(about))
  const sorted = biggest === true ? all.toSorted((a, b) => value(b) - value(a)) : all
  const [first] = sorted
  const what = kind === undefined ? 'recommendation' : `${kind} recommendation`
  const total = about === undefined ? is.total : all.length
  const on = about === undefined ? '' : ` for ${quoted(about)}`
  return {
    said: [
      first === undefined
        ? [
            is.madeAt === null ? 'No recommendation has been made yet.' : `${now(is.asOf)}, there is no ${what}${on}.`,
            cite,
          ]
        : [
            `${now(is.asOf)}, there ${total === 1 ? 'is' : 'are'} ${plural(total, what)}${on}. ${biggest === true ? 'The largest saving' : 'The first'} is ${quoted(first.title)} (${saving(first)}).`,
            cite,
          ],
    ],
    blocks: [
      table(
        'Recommendations',
        ['Recommendation', 'Kind', 'Saving'],
        sorted.slice(0, most).map((one) => ({
          cells: [one.title, one.kind, saving(one)],
          page: reading.page(path('/actions', { recommendation: one.id })),
        })),
        total,
      ),
    ],
    pages: [['See the recommendations', at]],
    further: ['What waits for approval?', 'How much could we save?'],
  }
}

type KindRow = readonly [kind: Kind, about: string, ...asks: [string, string, ...string[]]]
const KINDS: readonly KindRow[] = [
  [
    'right-size',
    'right-sizing',
    'Which workloads should be right-sized?',
    'Which requests could be smaller?',
    'What do you recommend to right-size?',
  ],
  [
    'reclaim-idle',
    'reclaiming idle GPUs',
    'Which idle GPUs could be reclaimed?',
    'What do you recommend to reclaim?',
    'Recommendations to reclaim idle GPUs',
    'Which GPUs could be reclaim candidates?',
  ],
  [
    'repartition',
    'repartitioning',
    'What do you recommend to repartition?',
    'Which GPUs are worth repartitioning?',
    'Is a repartition worth it?',
  ],
  ['share', 'sharing GPUs', 'Which workloads are worth sharing?', 'What do you recommend for time-slicing?'],
  [
    'remove-node',
    'nodes that could go',
    'Which nodes could we consolidate?',
    'What do you recommend to consolidate nodes?',
  ],
  ['reschedule', 'rescheduling', 'What do you recommend to reschedule?', 'Which pods are worth rescheduling?'],
]

const byKind = ([kind, about, ...asks]: KindRow): Family => ({
  id: `recommend-${kind}`,
  about,
  asks,
  takes: ['count', 'namespace', 'node'],
  answer: async ({ count = '10', namespace, node }, reading) =>
    recommended(reading, { kind, most: Number(count), about: namespace ?? node }),
})

async function saved(reading: Reading, withNext: boolean): Promise<Reply> {
  const { is, cite } = await reading.from('savingsList', {}, '/actions/savings')
  const { billReduced, capacityFreed } = is.ledger
  const amount = ({ realized }: typeof billReduced): string =>
    realized === null
      ? 'nothing verified yet'
      : `${savedWords({ gpuHours: realized.gpuHours.value, usd: realized.usd?.value ?? null })} measured over ${plural(realized.runs, 'action')}`
  const next = withNext ? await recommended(reading, { most: 3 }) : undefined
  return {
    said: [
      [`${now(is.asOf)}, saved on the bill: ${amount(billReduced)}; capacity freed: ${amount(capacityFreed)}.`, cite],
      ...(next?.said ?? []),
    ],
    ...(next?.blocks === undefined ? {} : { blocks: next.blocks }),
    pages: [['See the savings', '/actions/savings']],
    further: ['What do you recommend?', 'How much could we save?'],
  }
}

/** What is recommended, what was done, and what it brought. */
export const ACTIONS: readonly Family[] = [
  {
    id: 'saved-and-next',
    about: 'what was saved, and what is next',
    asks: [
      'What have we saved, and what is next?',
      'What is next?',
      'How much did we save and what is the next step to save?',
    ],
    takes: [],
    answer: async (_slots, reading) => saved(reading, true),
  },
  {
    id: 'saved',
    about: 'savings that were measured',
    asks: ['How much have we saved?', 'What savings are verified?', 'What was verified?', 'Show verified savings'],
    takes: [],
    answer: async (_slots, reading) => saved(reading, false),
  },
  {
    id: 'freed',
    about: 'capacity freed, measured',
    asks: ['How much capacity has been freed so far?', 'How much was freed?'],
    takes: ['range'],
    answer: async (slots, reading) => {
      const { is, cite } = await reading.from('summaryGet', { range: slots.range ?? '24h' }, '/actions/savings')
      return {
        said: [[`${now(is.asOf)}, measured capacity freed: ${figure(is.savings.freed)}.`, cite]],
        pages: [['See the savings', '/actions/savings']],
        further: ['How much have we saved?', 'How much could we save?'],
      }
    },
  },
  {
    id: 'recommendations',
    about: 'what is recommended',
    asks: [
      'What do you recommend?',
      'Show the top 3 recommendations',
      'What can we improve?',
      'How can we waste less?',
    ],
    takes: ['count', 'namespace', 'node'],
    leads: { biggest: 'recommend-biggest', why: 'unanswered' },
    answer: async ({ count = '10', namespace, node }, reading) =>
      recommended(reading, { most: Number(count), about: namespace ?? node }),
  },
  {
    id: 'recommend-biggest',
    about: 'largest saving',
    asks: [
      'What is the biggest saving?',
      'Which recommendation brings the largest saving?',
      'Where could we save most?',
      'What is the most we could save?',
      'Biggest potential saving',
      'Biggest recommendation',
    ],
    takes: ['count'],
    answer: async ({ count = '5' }, reading) => recommended(reading, { most: Number(count), biggest: true }),
  },
  ...KINDS.map(byKind),
  {
    id: 'unanswered',
    about: 'who idles without a recommendation, and why',
    asks: [
      'Which idle workloads have no recommendation?',
      'Why is there no recommendation?',
      'Why no recommendation for idle work?',
    ],
    takes: [],
    answer: async (_slots, reading) => {
      const { is, cite } = await reading.from('recommendationsList', {}, '/actions')
      return {
        said: [
          [
            `${now(is.asOf)}, of the ten workloads with the most idle time, ${plural(is.unanswered.length, 'workload')} ${is.unanswered.length === 1 ? 'has' : 'have'} no recommendation.`,
            cite,
          ],
        ],
        blocks: [
          table(
            'No recommendation helps',
            ['Workload', '#Idle GPU-hours', 'Why'],
            is.unanswered.map(({ workload, idleGpuHours, because }) => ({
              cells: [workload, idleGpuHours.toFixed(1), because],
            })),
          ),
        ],
        pages: [['See the recommendations', '/actions']],
        further: ['Who idles most?', 'What do you recommend?'],
      }
    },
  },
]
