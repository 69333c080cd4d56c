import type { ActionView, OPERATIONS, OutputOf } from '@septet/contract'
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
  { kind, most, biggest }: { kind?: Kind; most: number; biggest?: boolean },
): Promise<Reply> {
  const at = path('/actions', { kind })
  const { is, cite } = await reading.from('recommendationsList', { kind, limit: 100 }, at)
  const sorted = biggest === true ? is.recommendations.toSorted((a, b) => value(b) - value(a)) : is.recommendations
  const [first] = sorted
  const what = kind === undefined ? 'recommendation' : `${kind} recommendation`
  return {
    said: [
      first === undefined
        ? [is.madeAt === null ? 'No recommendation has been made yet.' : `${now(is.asOf)}, there is no ${what}.`, cite]
        : [
            `${now(is.asOf)}, ${plural(is.total, what)}; ${biggest === true ? 'the largest saving' : 'first'}: ${quoted(first.title)} (${saving(first)}).`,
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
        is.total,
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
  ['repartition', 'repartitioning', 'What do you recommend to repartition?', 'Which GPUs are worth repartitioning?'],
  ['share', 'sharing GPUs', 'Which workloads are worth sharing?', 'What do you recommend for time-slicing?'],
  [
    'remove-node',
    'nodes that could go',
    'Which nodes could we consolidate?',
    'What do you recommend to consolidate nodes?',
  ],
  ['reschedule', 'rescheduling', 'What do you recommend to reschedule?', 'Which pods are worth rescheduling?'],
]

type StateRow = {
  readonly id: string
  readonly about: string
  readonly asks: readonly [string, string, ...string[]]
  readonly has: (action: ActionView) => boolean
  readonly says: string
}
const ENDED: readonly string[] = ['failed', 'reverted', 'rejected', 'expired', 'cancelled', 'kept']
const STATES: readonly StateRow[] = [
  {
    id: 'actions-approval',
    about: 'what waits for an approval',
    asks: [
      'What waits for approval?',
      'Which actions need approval?',
      'What needs to be approved?',
      'Which actions wait for approval?',
    ],
    has: ({ may }) => may.approve,
    says: 'wait for an approval',
  },
  {
    id: 'actions-running',
    about: 'what Septet is doing',
    asks: ['What actions are running?', 'What is Septet changing now?', 'Which changes run?'],
    has: ({ state }) => !ENDED.includes(state) && state !== 'proposed',
    says: 'are on their way',
  },
  {
    id: 'actions-failed',
    about: 'actions that failed',
    asks: ['Which actions failed?', 'What did Septet fail to change?', 'Did any action fail?', 'What failed?'],
    has: ({ state }) => state === 'failed' || state === 'reverted',
    says: 'failed or were taken back',
  },
  {
    id: 'actions-all',
    about: 'what Septet did',
    asks: ['What did Septet do?', 'Which actions were there?', 'What did Septet change?'],
    has: () => true,
    says: 'are in the journal',
  },
]

const byState = ({ id, about, asks, has, says }: StateRow): Family => ({
  id,
  about,
  asks,
  takes: ['count'],
  answer: async ({ count = '10' }, reading) => {
    const { is, cite } = await reading.from('actionsList', {}, '/actions')
    const some = is.actions.filter(has)
    return {
      said: [[`${now(is.asOf)}, ${some.length === 0 ? 'no actions' : plural(some.length, 'action')} ${says}.`, cite]],
      blocks: [
        table(
          about,
          ['Action', 'State', 'Why'],
          some.slice(0, Number(count)).map((one) => ({
            cells: [one.title, one.state, one.because],
            page: reading.page(path('/actions', { action: one.id })),
          })),
          some.length,
        ),
      ],
      pages: [['See the actions', '/actions']],
      further: ['What have we saved, and what is next?', 'May Septet act?'],
    }
  },
})

const byKind = ([kind, about, ...asks]: KindRow): Family => ({
  id: `recommend-${kind}`,
  about,
  asks,
  takes: ['count'],
  answer: async ({ count = '10' }, reading) => recommended(reading, { kind, most: Number(count) }),
})

async function saved(reading: Reading, withNext: boolean): Promise<Reply> {
  const { is, cite } = await reading.from('savingsList', {}, '/actions/savings')
  const { billReduced, capacityFreed } = is.ledger
  const amount = ({ realised }: typeof billReduced): string =>
    realised === null
      ? 'nothing is verified yet'
      : `${savedWords({ gpuHours: realised.gpuHours.value, usd: realised.usd?.value ?? null })} measured over ${plural(realised.runs, 'action')}`
  const next = withNext ? await recommended(reading, { most: 3 }) : undefined
  return {
    said: [
      [`${now(is.asOf)}, taken off the bill: ${amount(billReduced)}; capacity freed: ${amount(capacityFreed)}.`, cite],
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
        said: [[`${now(is.asOf)}, capacity freed and measured: ${figure(is.savings.freed)}.`, cite]],
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
    takes: ['count'],
    leads: { biggest: 'recommend-biggest', why: 'unanswered' },
    answer: async ({ count = '10' }, reading) => recommended(reading, { most: Number(count) }),
  },
  {
    id: 'recommend-biggest',
    about: 'largest saving',
    asks: [
      'What is the biggest saving?',
      'Which recommendation brings the largest saving?',
      'Where could we save most?',
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
            `${now(is.asOf)}, of the ten that idle most, ${plural(is.unanswered.length, 'workload')} ${is.unanswered.length === 1 ? 'has' : 'have'} no recommendation.`,
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
  ...STATES.map(byState),
  {
    id: 'may-act',
    about: 'whether Septet may act',
    asks: [
      'May Septet act?',
      'Is Septet allowed to change anything?',
      'Is acting allowed?',
      'Is Septet allowed to act?',
    ],
    takes: [],
    answer: async (_slots, reading) => {
      const { is, cite } = await reading.from('actionsList', { limit: 1 }, '/actions')
      const { state, because, stops } = is.acting
      return {
        said: [
          [
            `${now(is.asOf)}, Septet ${state === 'ready' ? 'may act on this cluster' : 'does not act on this cluster'}: ${because}`,
            cite,
          ],
          ...stops.map((stop) => [`It was stopped by ${quoted(stop.by)}: ${quoted(stop.because)}.`, cite] as const),
        ],
        pages: [['See the policies', '/settings/acting']],
        further: ['What waits for approval?', 'What did Septet do?'],
      }
    },
  },
]
