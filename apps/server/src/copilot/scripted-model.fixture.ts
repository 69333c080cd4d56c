import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** What the server does with one request. */
type Reply =
  /** Says pieces of text, each a chunk of its own. */
  | { readonly say: readonly string[] }
  | { readonly call: readonly { readonly name: string; readonly args: string }[] }
  | { readonly status: number }
  /** Says this and closes the connection without an end. */
  | { readonly cut: string }
  /** Sends this instead of events. */
  | { readonly raw: string }
  /** Says this, and then nothing more. */
  | { readonly hang: string }

/** What was asked, as far as tests look at it. */
type Asked = {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly tools: readonly { readonly function: { readonly name: string } }[]
  readonly authorization: string | undefined
  readonly text: string
}

/** Replies in their order; the last one stays. A function sees what was asked. */
export type Script = readonly (Reply | ((asked: Asked) => Reply))[]

export type ScriptedModel = {
  /** Of the API, with its version. */
  readonly url: string
  readonly asked: readonly Asked[]
  play(...script: Script): void
  /** Whether whoever was told something that has no end went away. */
  hungUp(): boolean
  close(): Promise<void>
}

/** An OpenAI-compatible server over HTTP that says what it was told to: the SDK cannot tell it from a real one. */
export async function openScriptedModel(): Promise<ScriptedModel> {
  const asked: Asked[] = []
  let script: Script = []
  let hungUp = false
  const play = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one = await read(request)
    asked.push(one)
    const next = script[0] ?? { say: [''] }
    if (script.length > 1) script = script.slice(1)
    const reply = typeof next === 'function' ? next(one) : next
    hungUp = false
    if ('hang' in reply) response.once('close', () => void (hungUp = true))
    await answer(reply, response)
  }
  const server = createServer((request, response) => {
    void play(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The scripted model has no port.')
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    asked,
    hungUp: () => hungUp,
    play(...next) {
      asked.length = 0
      script = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function read(request: IncomingMessage): Promise<Asked> {
  let text = ''
  for await (const piece of request) text += String(piece)
  return {
    tools: [],
    messages: [],
    ...(JSON.parse(text) as object),
    authorization: request.headers.authorization,
    text,
  }
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const USAGE = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [], usage: { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1000 } })}\n\ndata: [DONE]\n\n`

async function answer(reply: Reply, response: ServerResponse): Promise<void> {
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: 'SECRET WORDS OF THE SERVER' } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if ('raw' in reply) return void response.end(reply.raw)
  if ('call' in reply) {
    const calls = reply.call.map(({ name, args }, index) => ({
      index,
      id: `call-${index}-${Math.random()}`,
      type: 'function',
      function: { name, arguments: args },
    }))
    return void response.end(chunk({ role: 'assistant', tool_calls: calls }) + chunk({}, 'tool_calls') + USAGE)
  }
  const pieces = 'say' in reply ? reply.say : ['cut' in reply ? reply.cut : reply.hang]
  for (const content of pieces) {
    response.write(chunk({ role: 'assistant', content }))
    // oxlint-disable-next-line no-await-in-loop -- each piece is a packet of its own
    await new Promise((over) => void setTimeout(over, 5))
  }
  if ('say' in reply) response.end(chunk({}, 'stop') + USAGE)
  else if ('cut' in reply) response.destroy()
}
