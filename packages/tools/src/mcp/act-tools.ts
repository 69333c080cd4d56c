import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { Refusal, notAllowed } from '@septet/contract'
import { z } from 'zod'

import { PREPARED, type ActTool } from '../act/act-tool.ts'
import { recorded, withAddress } from '../run-tool.ts'
import { listedSchema } from './listed-schema.ts'
import type { Call, Confirming, McpParts } from './mcp-parts.ts'
import { answeredResult, refusedResult, type ToolResult } from './results.ts'

const SEALED = z.strictObject({ tool: z.string(), question: z.string(), prepared: PREPARED })
type Sealed = z.output<typeof SEALED>

/** An unanswered question is old after ten minutes. */
const HOLDS_SECONDS = 600

export const stateCodec = ({ key, who }: Confirming): RequestStateCodec<Sealed> =>
  createRequestStateCodec<Sealed>({ key, ttlSeconds: HOLDS_SECONDS, bind: (ctx) => `${ctx.mcpReq.method}\0${who}` })

type ActParts = McpParts & { readonly codec: RequestStateCodec<Sealed> | undefined }

export function registerActTool(server: McpServer, tool: ActTool, parts: ActParts): void {
  const { name, title, description, input, output, destructive } = tool
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: listedSchema(input, 'input'),
      outputSchema: listedSchema(output, 'output'),
      annotations: {
        readOnlyHint: false,
        destructiveHint: destructive,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    async (given: unknown, ctx: ServerContext): Promise<ToolResult | InputRequiredResult> => {
      const began = performance.now()
      const { result, outcome, because } = await callActTool(tool, given, { ctx, parts }).catch(refused)
      parts.onCall({ tool: name, outcome, because, milliseconds: performance.now() - began })
      return result
    },
  )
}

type Called = Pick<Call, 'outcome' | 'because'> & { readonly result: ToolResult | InputRequiredResult }
type Calling = { readonly ctx: ServerContext; readonly parts: ActParts }

function refused(error: unknown): Called {
  const result = refusedResult(error)
  return { result, outcome: 'refused', because: error instanceof Refusal ? error.message : undefined }
}

const ANSWER = 'approve'
const FORM = {
  type: 'object',
  properties: { [ANSWER]: { type: 'boolean', title: 'Yes, apply exactly this plan' } },
} as const

async function callActTool(tool: ActTool, given: unknown, { ctx, parts }: Calling): Promise<Called> {
  const sealed = SEALED.safeParse(ctx.mcpReq.requestState())
  if (sealed.success) return answerOfPerson(tool, sealed.data, { ctx, parts })
  const { confirming, codec, base, ask } = parts
  const { recording, sources } = recorded(ask)
  const need = (): void => {
    if (confirming === undefined || !canBeAsked(ctx)) throw nobodyToAsk()
  }
  const prepared = await tool.prepare(given, recording, { need })
  if ('answer' in prepared) {
    return { result: answeredResult({ ...withAddress(prepared.answer, base), sources: sources() }), ...ANSWERED }
  }
  if (codec === undefined) throw nobodyToAsk()
  const { text, prepared: what } = prepared.question
  const requestState = await codec.mint({ tool: tool.name, question: crypto.randomUUID(), prepared: what }, ctx)
  const inputRequests = {
    [ANSWER]: inputRequired.elicit({ message: text, requestedSchema: { ...FORM, required: [ANSWER] } }),
  }
  return { result: inputRequired({ inputRequests, requestState }), outcome: 'asked', because: undefined }
}

const ANSWERED = { outcome: 'answered', because: undefined } as const

async function answerOfPerson(
  tool: ActTool,
  { tool: asked, question, prepared }: Sealed,
  { ctx, parts }: Calling,
): Promise<Called> {
  const { confirming, base } = parts
  if (confirming === undefined || asked !== tool.name) throw nobodyToAsk()
  if (!(await confirming.isFirst(question))) throw answeredBefore()
  const { recording, sources } = recorded(confirming.askAsPerson)
  const { inputResponses } = ctx.mcpReq
  const said = acceptedContent(inputResponses, ANSWER)
  if (inputResponse(inputResponses, ANSWER).kind === 'elicit' && said?.[ANSWER] === true) {
    const answer = await tool.confirmed(prepared, recording)
    return {
      result: answeredResult({ ...withAddress(answer, base), sources: sources() }),
      outcome: 'confirmed',
      because: undefined,
    }
  }
  await tool.declined(prepared, recording)
  const text = 'The person did not approve it. Nothing was changed; do not ask again unless they want it.'
  return { result: { isError: true, content: [{ type: 'text', text }] }, outcome: 'declined', because: text }
}

/** Whether the client says that it can put a form before a person. */
const canBeAsked = ({ mcpReq: { envelope } }: ServerContext): boolean => ASKABLE.safeParse(envelope).success
const ASKABLE = z.looseObject({ [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: z.looseObject({}) }) })

const nobodyToAsk = (): Refusal =>
  notAllowed(
    'This client cannot ask a person, and nothing is changed without a person’s yes.',
    'Use a client with elicitation (MCP 2026-07-28), or approve it under Actions in the dashboard.',
  )

const answeredBefore = (): Refusal =>
  notAllowed(
    'This question was answered before; an answer counts once.',
    'Check the action (savings_and_actions), or call the tool again for a new question.',
  )
