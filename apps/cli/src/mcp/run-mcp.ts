import { StreamableHTTPClientTransport, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { MCP_PATH } from '@septet/contract'
import { errorText } from '@septet/domain/words'

import { z } from 'zod'

import { parseOptions } from '../options/command-options.ts'
import type { Environment } from '../served/kept-servers.ts'
import { serverToAsk } from '../served/server-to-ask.ts'
import { OlderQuestions } from './older-questions.ts'

const MCP_HELP = `septet mcp [--server URL]

Serves MCP on stdin and stdout, for agents that start a command. It connects to a Septet server with the API token in
SEPTET_TOKEN, or the one from septet login, and can do what that token can.

  --server URL   the server (default: SEPTET_SERVER, else the one you last signed in to)`

/** Passes messages on both ways until stdin ends; the rules, the tools and the log are those of the server. */
export async function runMcp(args: readonly string[], environment: Environment): Promise<string> {
  if (args.includes('--help')) return `${MCP_HELP}\n`
  const { server, token } = serverToAsk(parseOptions(args, { server: { type: 'string' } }).server, environment)
  const requestInit = { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }
  await relay(new StdioServerTransport(), new StreamableHTTPClientTransport(new URL(MCP_PATH, server), { requestInit }))
  return ''
}

const Cancelled = z.looseObject({
  method: z.literal('notifications/cancelled'),
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
})

const Initialized = z.looseObject({ result: z.looseObject({ protocolVersion: z.string() }) })

const cancelledBy = (message: unknown): RequestId | undefined => Cancelled.safeParse(message).data?.params.requestId

/* oxlint-disable unicorn/prefer-add-event-listener -- transports of MCP are no event targets */
async function relay(stdio: StdioServerTransport, http: StreamableHTTPClientTransport): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    stdio.onclose = resolve
  })
  const waiting = new Map<RequestId, AbortController>()
  // A client that is gone is told nothing more.
  const toClient = (message: JSONRPCMessage): void => void stdio.send(message).catch(() => undefined)
  const toServer = (message: JSONRPCMessage): void => {
    const asked = new AbortController()
    if ('id' in message && 'method' in message) waiting.set(message.id, asked)
    http.send(message, { requestSignal: asked.signal }).catch((error: unknown) => {
      // A request must not wait for ever; a notification has nobody who waits, nor has what was cancelled.
      if (!('id' in message) || !('method' in message) || asked.signal.aborted) return
      const problem = { code: -32_603, message: `Septet could not be asked: ${errorText(error)}` }
      waiting.delete(message.id)
      toClient({ jsonrpc: '2.0', id: message.id, error: problem })
    })
  }
  const questions = new OlderQuestions({ toClient, toServer })
  http.onmessage = (message) => {
    if (questions.isAsked(message)) return
    const revision = Initialized.safeParse(message).data?.result.protocolVersion
    if (revision !== undefined) http.setProtocolVersion(revision)
    if (!('method' in message) && message.id !== undefined) waiting.delete(message.id)
    toClient(message)
  }
  stdio.onmessage = (message) => {
    // Over HTTP a request is cancelled by closing its stream.
    const cancelled = cancelledBy(message)
    if (cancelled === undefined) {
      const sent = questions.sent(message)
      if (sent !== undefined) toServer(sent)
      return
    }
    waiting.get(cancelled)?.abort()
    waiting.delete(cancelled)
    questions.cancel(cancelled)
  }
  await http.start()
  await stdio.start()
  await ended
  await http.close()
}
