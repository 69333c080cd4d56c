import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { MCP_PATH } from '@septet/contract'
import { errorText } from '@septet/domain/words'

import { parseOptions, urlOf, UsageError } from '../options/command-options.ts'

const MCP_HELP = `septet mcp --server URL

Puts the MCP server of a Septet that runs on stdin and stdout, for clients that start a command. Everything is asked with
the API token in SEPTET_TOKEN, and may do what that token may.

  --server URL   the Septet to ask, like https://septet.example.com`

/** Passes messages on both ways until stdin ends; the rules, the tools and the log are those of the server. */
export async function runMcp(args: readonly string[], token: string | undefined): Promise<string> {
  if (args.includes('--help')) return `${MCP_HELP}\n`
  const { server } = parseOptions(args, { server: { type: 'string' } })
  if (server === undefined) throw new UsageError(`--server is missing.\n\n${MCP_HELP}`)
  const address = new URL(MCP_PATH, urlOf('--server', server))
  const headers = token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }
  await relay(new StdioServerTransport(), new StreamableHTTPClientTransport(address, { requestInit: { headers } }))
  return ''
}

/* oxlint-disable unicorn/prefer-add-event-listener -- transports of MCP are no event targets */
async function relay(stdio: StdioServerTransport, http: StreamableHTTPClientTransport): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    stdio.onclose = resolve
  })
  http.onmessage = (message) => void stdio.send(message)
  stdio.onmessage = (message) => {
    http.send(message).catch((error: unknown) => {
      // A request must not wait for ever; a notification has nobody who waits.
      if (!('id' in message) || !('method' in message)) return
      const problem = { code: -32_603, message: `Septet could not be asked: ${errorText(error)}` }
      void stdio.send({ jsonrpc: '2.0', id: message.id, error: problem })
    })
  }
  await http.start()
  await stdio.start()
  await ended
  await http.close()
}
