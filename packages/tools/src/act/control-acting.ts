import { type OPERATIONS, type OutputOf, invalidInput } from '@septet/contract'
import { z } from 'zod'

import { CLUSTER } from '../answer-parts.ts'
import { parsedBy } from '../parsed-by.ts'
import { wayBackOf } from '../way-back.ts'
import type { ActTool } from './act-tool.ts'
import { ACTION, actionOf, listedAdvice } from './apply-recommendation.ts'

const INPUT = z.strictObject({
  ...CLUSTER,
  do: z
    .enum(['undo', 'reject', 'stop'])
    .describe('undo: revert an action; reject: end one that has changed nothing yet; stop: nothing more is written'),
  action: z.string().min(1).max(200).optional().describe('id of the action, for undo and reject'),
  reason: z.string().trim().min(3).max(300).describe('shown in the journal'),
})

/** Away from a change: what it does can only be less than what was approved. */
export const controlActing: ActTool = {
  name: 'control_acting',
  title: 'Stop, reject or undo',
  description:
    'stop: nothing more is written to the cluster, immediately and without confirmation. reject: ends an action that has changed nothing yet. undo: reverts one that has started, after the person at the client confirms.',
  toolset: 'act',
  operations: ['actingStop', 'actionsGet', 'actionsReject', 'actionsUndo'],
  input: INPUT,
  output: ACTION.partial().extend({ stops: z.array(z.string()).optional() }),
  destructive: false,
  prepare: async (given, ask) => {
    const { cluster, do: what, action, reason } = parsedBy('control_acting', INPUT, given)
    if (what === 'stop') {
      const { stops } = await ask('actingStop', { cluster, reason })
      return { answer: { stops: stops.map(({ by, because }) => `${by}: ${because}`) } }
    }
    if (action === undefined) {
      throw invalidInput('control_acting: action is missing.', 'Name it; savings_and_actions lists them.')
    }
    const detail = await ask('actionsGet', { cluster, id: action })
    const { id } = detail.source
    if (what === 'reject') {
      return { answer: actionOf(id, await ask('actionsReject', { cluster: id, id: action, reason })) }
    }
    const way = wayBackOf(detail.steps)
    const text = `Undo "${detail.action.title}" on ${detail.source.name}?\n\n${way.join('\n')}\n\n${stopsOf(detail.undo)}\n\nReason: ${reason}`
    const prepared = { cluster: id, action, digest: detail.action.digest }
    return { question: { text, prepared, stands: actionOf(id, detail.action) } }
  },
  confirmed: async ({ cluster, action }, ask) =>
    actionOf(cluster, await ask('actionsUndo', { cluster, id: action, reason: 'Confirmed where it was asked for.' })),
  declined: async () => undefined,
}

/** Who holds what is taken away is evicted: a person must know before they say yes. */
const stopsOf = ({ stops, unknown }: OutputOf<typeof OPERATIONS.actionsGet>['undo']): string =>
  stops === null ? `Pods that stop: unknown. ${unknown ?? ''}`.trim() : `Pods that stop: ${listedAdvice(stops)}`
