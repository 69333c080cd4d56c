import type { ActionView } from '@septet/contract'
import { stateWords } from '@septet/contract/state-words'

import { table, type Family } from '../family.ts'
import { now, path, quoted } from '../phrases.ts'
import { instantWords, rangeWords, withinOf } from '../times.ts'

type StateRow = {
  readonly id: string
  readonly about: string
  readonly asks: readonly [string, string, ...string[]]
  readonly has: (action: ActionView) => boolean
  /** Of one action, and of several or none. */
  readonly says: readonly [string, string]
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
    says: ['action waits for approval', 'actions wait for approval'],
  },
  {
    id: 'actions-running',
    about: 'what Septet is doing',
    asks: ['What actions are running?', 'What is Septet changing now?', 'Which changes run?'],
    has: ({ state }) => !ENDED.includes(state) && state !== 'proposed',
    says: ['action is running', 'actions are running'],
  },
  {
    id: 'actions-failed',
    about: 'actions that failed',
    asks: ['Which actions failed?', 'What did Septet fail to change?', 'Did any action fail?', 'What failed?'],
    has: ({ state }) => state === 'failed' || state === 'reverted',
    says: ['action failed or was reverted', 'actions failed or were reverted'],
  },
  {
    id: 'actions-all',
    about: 'what Septet did',
    asks: [
      'What did Septet do?',
      'Which actions were there?',
      'What did Septet change?',
      'What was changed?',
      'Who changed what and when?',
    ],
    has: () => true,
    says: ['action is in the journal', 'actions are in the journal'],
  },
  {
    id: 'appointments',
    about: 'GPUs kept free for an appointment',
    asks: [
      'Which appointments are there?',
      'What is reserved?',
      'Which GPUs are reserved?',
      'When is the next appointment?',
    ],
    has: ({ class: kind, state }) => kind === 'appointment' && !ENDED.includes(state),
    says: ['action reserves GPUs', 'actions reserve GPUs'],
  },
]

const byState = ({ id, about, asks, has, says }: StateRow): Family => ({
  id,
  about,
  asks,
  takes: ['count', 'range'],
  answer: async ({ count = '10', range }, reading, at) => {
    const { is, cite } = await reading.from('actionsList', { limit: 500 }, '/actions')
    const within = withinOf(range, at)
    const some = is.actions.filter((one) => has(one) && within(one.since))
    return {
      said: [
        [
          `${range === undefined ? now(is.asOf) : rangeWords(range)}, ${some.length === 0 ? 'no' : some.length} ${says[some.length === 1 ? 0 : 1]}.`,
          cite,
        ],
      ],
      blocks: [
        table(
          about,
          ['Action', 'State', 'Since', 'Why'],
          some.slice(0, Number(count)).map((one) => ({
            cells: [one.title, stateWords(one), instantWords(one.since), one.because],
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

/** What Septet does and did, and whether it may. */
export const JOURNAL: readonly Family[] = [
  ...STATES.map(byState),
  {
    id: 'may-act',
    about: 'whether Septet may act',
    asks: [
      'May Septet act?',
      'Is Septet allowed to change anything?',
      'Is acting allowed?',
      'Is Septet allowed to act?',
      'Is Septet allowed to act or to change anything?',
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
