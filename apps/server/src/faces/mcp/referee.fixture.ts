import { setTimeout } from 'node:timers/promises'

import {
  completable,
  isLegacyRequest,
  ResourceTemplate,
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
  type ServerContext,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import { septetMcpServer, type McpParts } from '@septet/tools/mcp'
import { z } from 'zod'

import { registerRefereeQuestions } from './referee-questions.fixture.ts'
import { serveMcp, type ServeMcp } from './serve-mcp.ts'

/**
 * Septet's MCP server with the tools, resources and prompts beside its own that the referee of MCP asks every server for:
 * the same factory, behind the same route, so that what the referee finds of the protocol is true of Septet.
 */
export const serveReferee = (changes: ServerEventBus): ServeMcp =>
  serveMcp({ serverFor: refereeServer(changes), changes, onError: ignore })

/** The same where clients of 2025 get a session, which Septet does not give: without one no server can ask them anything. */
export function serveRefereeWithSessions(changes: ServerEventBus): ServeMcp {
  const serverFor = refereeServer(changes)
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  return (parts) => async (request) => {
    if (!(await isLegacyRequest(request))) return serveReferee(changes)(parts)(request)
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
    if (known !== undefined) return known.handleRequest(request)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await serverFor(parts).connect(transport)
    return transport.handleRequest(request)
  }
}

const ignore = (): void => undefined

function refereeServer(changes: ServerEventBus): (parts: McpParts) => McpServer {
  return (parts) => {
    const server = septetMcpServer({ ...parts, confirming: parts.confirming ?? NOBODY })
    server.server.registerCapabilities({ logging: {}, resources: { subscribe: true } })
    server.server.setRequestHandler('resources/subscribe', () => ({}))
    server.server.setRequestHandler('resources/unsubscribe', () => ({}))
    for (const [name, content] of Object.entries(CONTENTS)) server.registerTool(name, ABOUT, () => ({ content }))
    registerBusyTools(server)
    registerTriggers(server, changes)
    registerOlderQuestions(server)
    registerRefereeQuestions(server)
    registerRefereeResources(server)
    registerRefereePrompts(server)
    return server
  }
}

/** The referee shows no token; its answers are sealed all the same. */
const NOBODY = {
  who: 'referee',
  key: new Uint8Array(32),
  askAsPerson: () => Promise.reject(new Error('The referee acts for nobody.')),
  isFirst: async () => true,
} as const

const ABOUT = { description: 'What the referee of MCP asks for.' }
const text = (words: string) => ({ type: 'text', text: words }) as const
const said = (words: string) => ({ content: [text(words)] })

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const PICTURE = { type: 'image', data: PNG, mimeType: 'image/png' } as const
const embedded = (uri: string, mimeType: string, words: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: words } }) as const

const CONTENTS = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [PICTURE],
  test_audio_content: [{ type: 'audio' as const, data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    PICTURE,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
}

/** Tools that take a moment, and say so while they work. */
function registerBusyTools(server: McpServer): void {
  server.registerTool('test_error_handling', ABOUT, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool('test_tool_with_progress', ABOUT, async (ctx) => {
    for (const progress of [0, 50, 100]) {
      await tellProgress(ctx, progress)
      await setTimeout(50)
    }
    return said('Done.')
  })
  server.registerTool('test_tool_with_logging', ABOUT, logging)
  server.registerTool('test_logging_tool', ABOUT, logging)
}

async function logging({ mcpReq }: ServerContext) {
  for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    // oxlint-disable-next-line typescript/no-deprecated -- what clients of 2025 are told, the referee listens for
    await mcpReq.log('info', words)
    await setTimeout(50)
  }
  return said('Done.')
}

async function tellProgress({ mcpReq }: ServerContext, progress: number): Promise<void> {
  const { _meta: { progressToken } = {} } = mcpReq
  if (progressToken === undefined) return
  await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
}

/** Tools after which whoever waits for it is told that a list has changed. */
function registerTriggers(server: McpServer, changes: ServerEventBus): void {
  server.registerTool('test_trigger_tool_change', ABOUT, () => {
    changes.publish({ kind: 'tools_list_changed' })
    return said('Told.')
  })
  server.registerTool('test_trigger_prompt_change', ABOUT, () => {
    changes.publish({ kind: 'prompts_list_changed' })
    return said('Told.')
  })
}

const Name = { type: 'string' as const }
const DEFAULTS = {
  name: { ...Name, default: 'John Doe' },
  age: { type: 'integer' as const, default: 30 },
  score: { type: 'number' as const, default: 95.5 },
  status: { ...Name, enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean' as const, default: true },
}
const titled = (value: string, title: string) => ({ const: value, title })
const OPTIONS = ['option1', 'option2', 'option3']
const TITLED = [titled('value1', 'First'), titled('value2', 'Second'), titled('value3', 'Third')]
const CHOICES = {
  untitledSingle: { ...Name, enum: OPTIONS },
  titledSingle: { ...Name, oneOf: TITLED },
  legacyEnum: { ...Name, enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
  untitledMulti: { type: 'array' as const, items: { ...Name, enum: OPTIONS } },
  titledMulti: { type: 'array' as const, items: { anyOf: TITLED } },
}

/** Questions as clients of 2025 are asked them: while the call is open, over a session. */
function registerOlderQuestions(server: McpServer): void {
  /* oxlint-disable typescript/no-deprecated -- clients of 2025 know no other way to be asked */
  const asking = (name: string, properties: typeof DEFAULTS | typeof CHOICES) =>
    server.registerTool(name, ABOUT, async ({ mcpReq }) => {
      const requestedSchema = { type: 'object' as const, properties }
      const form = { message: 'Please fill this in', requestedSchema }
      const { action, content } = await mcpReq.elicitInput(form, { relatedRequestId: mcpReq.id })
      return said(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)
    })
  asking('test_elicitation_sep1034_defaults', DEFAULTS)
  asking('test_elicitation_sep1330_enums', CHOICES)
  const message = { ...ABOUT, inputSchema: z.object({ message: z.string() }) }
  server.registerTool('test_elicitation', message, async (given, { mcpReq }) => {
    const properties = { username: Name, email: Name }
    const requestedSchema = { type: 'object' as const, properties, required: ['username', 'email'] }
    const answer = await mcpReq.elicitInput({ ...given, requestedSchema }, { relatedRequestId: mcpReq.id })
    return said(`User response: ${JSON.stringify(answer)}`)
  })
  const prompt = { ...ABOUT, inputSchema: z.object({ prompt: z.string() }) }
  server.registerTool('test_sampling', prompt, async (given, { mcpReq }) => {
    const messages = [{ role: 'user' as const, content: text(given.prompt) }]
    const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 }, { relatedRequestId: mcpReq.id })
    return said(`LLM response: ${JSON.stringify(content)}`)
  })
  /* oxlint-enable typescript/no-deprecated */
}

function registerRefereeResources(server: McpServer): void {
  const plain = { ...ABOUT, mimeType: 'text/plain' }
  for (const uri of ['test://static-text', 'test://watched-resource']) {
    server.registerResource(uri, uri, plain, () => ({
      contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
    }))
  }
  const picture = { uri: 'test://static-binary', mimeType: 'image/png', blob: PNG }
  server.registerResource('binary', picture.uri, { ...ABOUT, mimeType: 'image/png' }, () => ({ contents: [picture] }))
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, { ...ABOUT, mimeType: 'application/json' }, ({ href }, { id }) => ({
    contents: [
      {
        uri: href,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }))
}

const user = <Content>(content: Content) => ({ role: 'user' as const, content })

function registerRefereePrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', ABOUT, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }))
  const two = z.object({ arg1: completable(z.string(), () => ['paris', 'park', 'party']), arg2: z.string() })
  server.registerPrompt('test_prompt_with_arguments', { ...ABOUT, argsSchema: two }, ({ arg1, arg2 }) => ({
    messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  }))
  const one = z.object({ resourceUri: z.string() })
  server.registerPrompt('test_prompt_with_embedded_resource', { ...ABOUT, argsSchema: one }, ({ resourceUri }) => ({
    messages: [
      user(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
      user(text('Please process the embedded resource above.')),
    ],
  }))
  server.registerPrompt('test_prompt_with_image', ABOUT, () => ({
    messages: [user(PICTURE), user(text('Please analyze the image above.'))],
  }))
}
