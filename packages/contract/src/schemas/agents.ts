import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const Toolset = z
  .enum(['read', 'plan', 'act'])
  .describe('read: only ask; plan: draft plans that change nothing; act: change clusters once a person confirmed it')

const AgentSettings = named('AgentSettings', {
  toolsets: z.array(Toolset).describe('what programs are offered by MCP; empty: nothing'),
  endpoint: z.string().describe('path of the MCP server'),
  tools: z
    .array(z.object({ name: z.string(), title: z.string(), toolset: Toolset, description: z.string() }))
    .describe('every tool there is, also those that are not offered'),
  copilot: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('rules') }),
      z.object({
        kind: z.literal('model'),
        name: z.string(),
        host: z.string().describe('host and port of its API'),
        isMasked: z.boolean().describe('whether names of clusters, namespaces, nodes and pods are hidden from it'),
      }),
    ])
    .describe('what answers the questions of the co-pilot; the configuration decides it'),
  changedAt: InstantText.nullable().describe('null = never: the default is in force'),
  changedBy: z.string().nullable(),
})

export const agentsGet = operation(ROUTES.agentsGet, {
  title: 'What agents may ask',
  description: 'Which tools the MCP server offers to programs, and where it is.',
  input: z.strictObject({}),
  output: AgentSettings,
})

export const agentsPut = operation(ROUTES.agentsPut, {
  title: 'Set what agents may ask',
  description:
    'Which toolsets the MCP server offers from now on. Roles hold beside it: a token of a viewer changes nothing whatever is offered.',
  input: z.strictObject({ toolsets: z.array(Toolset).max(3).describe('empty: the MCP server answers nobody') }),
  output: AgentSettings,
})

export const agentsCalls = operation(ROUTES.agentsCalls, {
  title: 'Calls of agents',
  description:
    'The newest calls of tools by MCP since this Septet started, newest first: who called what, and how it ended. Admins see all of them, others their own and those of tokens that they made. Arguments are not kept.',
  input: z.strictObject({ limit: z.coerce.number().int().min(1).max(500).default(100) }),
  output: named('AgentCalls', {
    calls: z.array(
      z.object({
        at: InstantText,
        caller: z.string().describe('address of a person, `token:NAME` or `visitor`'),
        tool: z.string(),
        outcome: z
          .enum(['answered', 'refused', 'asked', 'confirmed', 'declined'])
          .describe('asked: a person was asked to confirm; confirmed and declined: what they said'),
        because: z.string().nullable().describe('of a refusal'),
        milliseconds: z.number(),
      }),
    ),
  }),
})
