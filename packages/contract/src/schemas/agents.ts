import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const Toolset = z
  .enum(['read', 'plan', 'act'])
  .describe('read: ask only; plan: draft plans that change nothing; act: change clusters after a person confirms')

const AgentSettings = named('AgentSettings', {
  toolsets: z.array(Toolset).describe('toolsets offered over MCP; empty: none'),
  endpoint: z.string().describe('path of the MCP server'),
  tools: z
    .array(z.object({ name: z.string(), title: z.string(), toolset: Toolset, description: z.string() }))
    .describe('every tool, including those not offered'),
  copilot: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('rules') }),
      z.object({
        kind: z.literal('model'),
        name: z.string(),
        host: z.string().describe('host and port of its API'),
        isMasked: z
          .boolean()
          .describe('whether cluster, namespace, node and pod names are masked before they reach the model'),
      }),
    ])
    .describe('what answers co-pilot questions; set by configuration'),
  changedAt: InstantText.nullable().describe('null: never changed, the default is in force'),
  changedBy: z.string().nullable(),
})

export const agentsGet = operation(ROUTES.agentsGet, {
  title: 'What agents may ask',
  description: 'Which tools the MCP server offers, and where it is.',
  input: z.strictObject({}),
  output: AgentSettings,
})

export const agentsPut = operation(ROUTES.agentsPut, {
  title: 'Set what agents may ask',
  description:
    'Sets which toolsets the MCP server offers. Roles still apply: a viewer’s token changes nothing, whatever is offered.',
  input: z.strictObject({ toolsets: z.array(Toolset).max(3).describe('empty: the MCP server offers no tools') }),
  output: AgentSettings,
})

export const agentsCalls = operation(ROUTES.agentsCalls, {
  title: 'Agent calls',
  description:
    'The latest MCP tool calls since Septet started, newest first: who called what, and how it ended. Admins see all calls; others see their own and those of tokens they created. Arguments are not stored.',
  input: z.strictObject({ limit: z.coerce.number().int().min(1).max(500).default(100) }),
  output: named('AgentCalls', {
    calls: z.array(
      z.object({
        at: InstantText,
        caller: z.string().describe('a person’s address, `token:NAME` or `visitor`'),
        tool: z.string(),
        outcome: z
          .enum(['answered', 'refused', 'asked', 'confirmed', 'declined', 'cancelled'])
          .describe('asked: a person was asked to confirm; confirmed and declined: their answer'),
        because: z.string().nullable().describe('code of the refusal'),
        milliseconds: z.number(),
      }),
    ),
  }),
})
