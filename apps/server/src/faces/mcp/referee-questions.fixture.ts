import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type InputRequest,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

const ABOUT = { description: 'What the referee of MCP asks for.' }
const said = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })

const form = (message: string, property: string): InputRequest =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [property]: { type: 'string' } }, required: [property] },
  })
const sample = (words: string, maxTokens: number): InputRequest =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens,
  })

type Asked = {
  readonly asks: Readonly<Record<string, InputRequest>>
  readonly says: (answers: Readonly<Record<string, unknown>>) => string
  /** Whether the question comes with a seal that has to come back as it was. */
  readonly isSealed?: true
}

const OK = { type: 'object' as const, properties: { ok: { type: 'boolean' as const } }, required: ['ok'] }
const CONFIRM = { confirm: inputRequired.elicit({ message: 'Please confirm', requestedSchema: OK }) }
const QUESTIONS: Readonly<Record<string, Asked>> = {
  test_input_required_result_elicitation: {
    asks: { user_name: form('What is your name?', 'name') },
    says: ({ user_name: answer }) => `Hello, ${JSON.stringify(answer)}!`,
  },
  test_input_required_result_sampling: {
    asks: { capital_question: sample('What is the capital of France?', 100) },
    says: JSON.stringify,
  },
  test_input_required_result_list_roots: { asks: { client_roots: inputRequired.listRoots() }, says: JSON.stringify },
  test_input_required_result_request_state: { asks: CONFIRM, says: () => 'state-ok', isSealed: true },
  test_input_required_result_tampered_state: { asks: CONFIRM, says: () => 'state-ok', isSealed: true },
  test_input_required_result_multiple_inputs: {
    asks: {
      user_name: form('What is your name?', 'name'),
      greeting: sample('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    },
    says: JSON.stringify,
    isSealed: true,
  },
  test_missing_capability: { asks: { sampled: sample('Hello', 10) }, says: JSON.stringify },
  test_streaming_elicitation: { asks: { user_name: form('What is your name?', 'name') }, says: JSON.stringify },
}

/** Sealed as Septet seals what it asks a person; the referee is who asks. */
const codec = createRequestStateCodec({
  key: new Uint8Array(32),
  ttlSeconds: 600,
  bind: ({ mcpReq }) => `${mcpReq.method}\0referee`,
})

/** Tools and a prompt that ask whoever calls before they answer. */
export function registerRefereeQuestions(server: McpServer): void {
  for (const [name, asked] of Object.entries(QUESTIONS)) {
    server.registerTool(name, ABOUT, async (ctx) => {
      const { inputResponses } = ctx.mcpReq
      const isSealRight = asked.isSealed !== true || ctx.mcpReq.requestState() !== undefined
      if (!isSealRight || !areAnswered(asked.asks, inputResponses)) {
        const seal = asked.isSealed === true ? { requestState: await codec.mint({ name }, ctx) } : {}
        return inputRequired({ inputRequests: asked.asks, ...seal })
      }
      return said(asked.says(inputResponses ?? {}))
    })
  }
  server.registerTool('test_input_required_result_capabilities', ABOUT, ({ mcpReq: { envelope } }) => {
    const able = ABLE.safeParse(envelope).data?.[CLIENT_CAPABILITIES_META_KEY]
    return inputRequired({
      inputRequests: {
        ...(able?.elicitation === undefined ? {} : { asked: form('What is your name?', 'name') }),
        ...(able?.sampling === undefined ? {} : { sampled: sample('Hello', 10) }),
      },
    })
  })
  server.registerTool('test_input_required_result_multi_round', ABOUT, roundOf)
  server.registerPrompt('test_input_required_result_prompt', ABOUT, ({ mcpReq }) => {
    const asks = { user_context: form('What context should the prompt use?', 'context') }
    if (!areAnswered(asks, mcpReq.inputResponses)) return inputRequired({ inputRequests: asks })
    const content = { type: 'text' as const, text: JSON.stringify(mcpReq.inputResponses) }
    return { messages: [{ role: 'user' as const, content }] }
  })
}

const ABLE = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({
    elicitation: z.unknown().optional(),
    sampling: z.unknown().optional(),
  }),
})

const ROUNDS = [
  { step1: form('Step 1: What is your name?', 'name') },
  { step2: form('Step 2: What is your favorite color?', 'color') },
]

async function roundOf(ctx: ServerContext) {
  const state: unknown = ctx.mcpReq.requestState()
  const done = typeof state === 'object' && state !== null && 'round' in state ? Number(state.round) : 0
  const isAnswered = done === 0 || areAnswered(ROUNDS[done - 1] ?? {}, ctx.mcpReq.inputResponses)
  const round = isAnswered ? done : done - 1
  const asks = ROUNDS[round]
  if (asks === undefined) return said('Done.')
  return inputRequired({ inputRequests: { ...asks }, requestState: await codec.mint({ round: round + 1 }, ctx) })
}

const areAnswered = (asks: Asked['asks'], answers: Record<string, unknown> | undefined): boolean =>
  Object.keys(asks).every((key) => inputResponse(answers, key).kind !== 'missing')
