import type { Family } from './family.ts'
import { ABOUT } from './families/about.ts'
import { ACTIONS } from './families/actions.ts'
import { COUNTS } from './families/counts.ts'
import { COSTS } from './families/costs.ts'
import { FIGURES } from './families/figures.ts'
import { FLEET } from './families/fleet.ts'
import { GPUS } from './families/gpus.ts'
import { HOLDINGS } from './families/holdings.ts'
import { JOURNAL } from './families/journal.ts'
import { ONE_NODE } from './families/one-node.ts'
import { ONE_WORK } from './families/one-work.ts'
import { ROOM_FOR_GPUS } from './families/room-for-gpus.ts'
import { RULES_IN_FORCE } from './families/rules-in-force.ts'
import { TRENDS } from './families/trends.ts'
import { USAGE } from './families/usage.ts'
import { WAITS } from './families/waits.ts'
import { WORKS } from './families/works.ts'
import { now } from './phrases.ts'

/** The questions of the site: what is offered where nothing nearer is known. */
export const FIRST_QUESTIONS = [
  'What have we saved, and what is next?',
  'Are our GPUs busy enough?',
  'How long is the queue, and what shortens it?',
  'Where is a MIG partition free?',
] as const

const KNOWN: readonly Family[] = [
  ...FIGURES,
  ...TRENDS,
  ...FLEET,
  ...USAGE,
  ...COSTS,
  ...WORKS,
  ...ONE_WORK,
  ...WAITS,
  ...GPUS,
  ...HOLDINGS,
  ...ONE_NODE,
  ROOM_FOR_GPUS,
  ...COUNTS,
  ...ACTIONS,
  ...JOURNAL,
  ...RULES_IN_FORCE,
  ...ABOUT,
]

const HELP: Family = {
  id: 'help',
  about: 'what can be asked',
  asks: ['What can you answer?', 'Which questions can I ask you?', 'Help'],
  takes: [],
  answer: async (_slots, reading) => {
    const { is, cite } = await reading.from('clustersList', {}, '')
    return {
      said: [
        [
          `I answer ${KNOWN.length} kinds of questions about ${is.clusters.map(({ name }) => `“${name}”`).join(', ')}: utilization, cost, waste, waiting work, MIG layouts, recommendations and actions. I only read.`,
          cite,
        ],
        [`${now(null)}, ask one of these, or in your own words.`, cite],
      ],
      blocks: [
        {
          kind: 'table',
          title: 'What can be asked',
          columns: [
            { name: 'About', isNumber: false },
            { name: 'For example', isNumber: false },
          ],
          rows: KNOWN.map(({ about, asks }) => ({ cells: [about, asks[0]], page: null })),
          total: KNOWN.length,
        },
      ],
      further: FIRST_QUESTIONS,
    }
  },
}

/** Every question that has an answer. */
export const FAMILIES: readonly Family[] = [...KNOWN, HELP]
