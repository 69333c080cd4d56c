import type { OPERATIONS, OutputOf } from '@septet/contract'
import { z } from 'zod'

import { ABOUT, aboutOf, CLUSTER, rows, textsOf } from '../answer-parts.ts'
import { tool } from '../tool.ts'

type Column = OutputOf<typeof OPERATIONS.savingsList>['ledger']['billReduced']

const COLUMN = z
  .object({
    verifiedActions: z.number(),
    usd: z.number().nullable().describe('measured afterwards; null: nothing is verified, which is not 0'),
    usdLow: z.number().nullable(),
    usdHigh: z.number().nullable(),
    gpuHours: z.number().nullable(),
    estimatedUsdPerMonth: z.number().nullable().describe('of actions that are not measured yet; never added to usd'),
  })
  .meta({ id: 'savings' })

export const savingsAndActions = tool({
  name: 'savings_and_actions',
  title: 'Actions and what they saved',
  description:
    'What Septet was asked to change: proposals awaiting approval, what is being applied, what was kept, reverted or failed and why; whether it may act at all; and the savings that were measured, bill and capacity apart. With `id` the journal of one action.',
  toolset: 'read',
  operations: ['actionsList', 'actionsGet', 'savingsList'],
  input: z.strictObject({
    ...CLUSTER,
    state: z.enum(['open', 'all']).default('all').describe('open: those that are not over'),
    id: z.string().min(1).max(200).optional().describe('one action, with its journal'),
    ...rows(10, 50),
  }),
  output: z.object({
    ...ABOUT,
    acting: z.object({ state: z.string(), because: z.string(), stoppedBy: z.array(z.string()) }),
    actions: z.array(
      z.object({
        id: z.string(),
        class: z.string(),
        title: z.string(),
        state: z.string(),
        because: z.string(),
        since: z.string(),
        proposedBy: z.string(),
        approvedBy: z.string().nullable(),
        displacedPods: z.number(),
        nodes: z.array(z.string()),
      }),
    ),
    journal: z.array(z.string()).describe('of the action that was asked for by id'),
    savings: z.object({ billReduced: COLUMN, capacityFreed: COLUMN }),
  }),
  answer: async ({ cluster, state, id, limit }, ask) => {
    const [list, { ledger, says }, one] = await Promise.all([
      ask('actionsList', { cluster, state, limit }),
      ask('savingsList', { cluster }),
      id === undefined ? undefined : ask('actionsGet', { cluster, id }),
    ])
    const { acting } = list
    return {
      ...aboutOf(list, '/actions', { action: id }),
      says: [...textsOf(list.says), ...textsOf(says)],
      acting: { ...acting, stoppedBy: acting.stops.map(({ by, because }) => `${by}: ${because}`) },
      actions: (one === undefined ? list.actions : [one.action]).map((action) => ({
        ...action,
        displacedPods: action.displaced.length,
        nodes: action.nodes.slice(0, 20),
      })),
      journal: one?.transitions.slice(-40).map(({ at, because }) => `${at} ${because}`) ?? [],
      savings: { billReduced: columnOf(ledger.billReduced), capacityFreed: columnOf(ledger.capacityFreed) },
    }
  },
})

const columnOf = ({ realized, estimated }: Column): z.output<typeof COLUMN> => ({
  verifiedActions: realized?.runs ?? 0,
  ...measured(realized?.usd ?? null),
  gpuHours: realized?.gpuHours.value ?? null,
  estimatedUsdPerMonth: estimated?.usdPerMonth ?? null,
})

type Measured = NonNullable<NonNullable<Column['realized']>['usd']>

const measured = (usd: Measured | null) =>
  usd === null ? { usd: null, usdLow: null, usdHigh: null } : { usd: usd.value, usdLow: usd.low, usdHigh: usd.high }
