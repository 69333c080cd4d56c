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
import { answeredResult, refusedResult, resultOf, type ToolResult } from './results.ts'

const SEALED = z.strictObject({ tool: z.string(), question: z.string(), prepared: PREPARED })
type Sealed = z.output<typeof SEALED>

/** An unanswered question is old after ten minutes. */
const HOLDS_SECONDS = 600

export const stateCodec = ({ key, who }: Confirming): RequestStateCodec<Sealed> =>
  createRequestStateCodec<Sealed>({ key, ttlSeconds: HOLDS_SECONDS, bind: (ctx) => `${ctx.mcpReq.method}\0${who}` })

type ActParts = McpParts & { readonly codec: RequestStateCodec<Sealed> | undefined }

export function registerActTool(server: McpServer, tool: ActTool, parts: ActParts): void {
  const { name, title, description, input, output } = tool
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: listedSchema(input, 'input'),
      outputSchema: listedSchema(output, 'output'),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
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
  properties: { [ANSWER]: { type: 'boolean', title: 'Yes, do exactly this' } },
} as const

async function callActTool(tool: ActTool, given: unknown, { ctx, parts }: Calling): Promise<Called> {
  const sealed = SEALED.safeParse(ctx.mcpReq.requestState())
  if (sealed.success) return answerOfPerson(tool, sealed.data, { ctx, parts })
  const { codec, base, ask, isTextAlone } = parts
  const { recording, sources } = recorded(ask)
  const prepared = await tool.prepare(given, recording)
  const whole = (answer: Readonly<Record<string, unknown>>) => ({ ...withAddress(answer, base), sources: sources() })
  if ('answer' in prepared) return { result: answeredResult(whole(prepared.answer), isTextAlone), ...ANSWERED }
  const { text, prepared: what, stands } = prepared.question
  if (codec === undefined || !canBeAsked(ctx)) return { result: linkedResult(text, whole(stands)), ...ASKED }
  const requestState = await codec.mint({ tool: tool.name, question: crypto.randomUUID(), prepared: what }, ctx)
  const inputRequests = {
    [ANSWER]: inputRequired.elicit({ message: text, requestedSchema: { ...FORM, required: [ANSWER] } }),
  }
  return { result: inputRequired({ inputRequests, requestState }), ...ASKED }
}

const ANSWERED = { outcome: 'answered', because: undefined } as const
const ASKED = { outcome: 'asked', because: undefined } as const

/** The question with the page where a person says yes to it: any client can show that. */
function linkedResult(question: string, stands: Readonly<Record<string, unknown>>): ToolResult {
  const confirm = String(stands['page'])
  const words = `This client cannot ask a person, so nothing is changed yet. Show them this link, where they can confirm it: ${confirm}`
  return resultOf({ ...stands, confirm }, `${words}\n\n${question}`)
}

async function answerOfPerson(
  tool: ActTool,
  { tool: asked, question, prepared }: Sealed,
  { ctx, parts }: Calling,
): Promise<Called> {
  const { confirming, base, isTextAlone } = parts
  if (confirming === undefined || asked !== tool.name) throw elsewhere()
  if (!(await confirming.isFirst(question))) throw answeredBefore()
  const { recording, sources } = recorded(confirming.askAsPerson)
  const { inputResponses } = ctx.mcpReq
  const said = acceptedContent(inputResponses, ANSWER)
  if (inputResponse(inputResponses, ANSWER).kind === 'elicit' && said?.[ANSWER] === true) {
    const answer = await tool.confirmed(prepared, recording)
    return {
      result: answeredResult({ ...withAddress(answer, base), sources: sources() }, isTextAlone),
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

const elsewhere = (): Refusal =>
  notAllowed('This is the answer to a question of another tool.', 'Call the tool again for a new question.')

const answeredBefore = (): Refusal =>
  notAllowed(
    'This question was answered before; an answer counts once.',
    'Check the action (savings_and_actions), or call the tool again for a new question.',
  )
