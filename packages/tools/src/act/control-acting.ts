import { type OPERATIONS, type OutputOf, invalidInput, notAllowed } from '@septet/contract'
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

/** Ends what was decided: a stop at once, all else with a person's yes. */
export const controlActing: ActTool = {
  name: 'control_acting',
  title: 'Stop, reject or undo',
  description:
    'stop: nothing more is written to the cluster, immediately and without confirmation, a few times an hour. After the person at the client, or behind a link, confirms: reject ends an action that has changed nothing yet, undo reverts one that has started.',
  toolset: 'act',
  operations: ['actingStop', 'actionsGet', 'actionsReject', 'actionsUndo'],
  input: INPUT,
  output: ACTION.partial().extend({ stops: z.array(z.string()).optional() }),
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
    const { id, name } = detail.source
    if (!detail.action.may[what]) {
      throw notAllowed(
        `"${detail.action.title}" is ${detail.action.state}.`,
        `It is too late or too early to ${what} it.`,
      )
    }
    const asked = what === 'undo' ? undoOf(detail) : 'It has changed nothing yet, and will change nothing.'
    const text = `${what === 'undo' ? 'Undo' : 'Reject'} "${detail.action.title}" on ${name}?\n\n${asked}\n\nReason: ${reason}`
    const prepared = { cluster: id, action, digest: detail.action.digest, do: what, reason }
    return { question: { text, prepared, stands: actionOf(id, detail.action) } }
  },
  confirmed: async ({ cluster, action: id, do: what, reason }, ask) =>
    actionOf(cluster, await ask(what === 'undo' ? 'actionsUndo' : 'actionsReject', { cluster, id, reason })),
  declined: async () => undefined,
}

/** Who holds what is taken away is evicted: a person must know before they say yes. */
const undoOf = ({ steps, undo: { stops, unknown } }: OutputOf<typeof OPERATIONS.actionsGet>): string =>
  `${wayBackOf(steps).join('\n')}\n\nPods that stop: ${stops === null ? `unknown. ${unknown ?? ''}`.trim() : listedAdvice(stops)}`
