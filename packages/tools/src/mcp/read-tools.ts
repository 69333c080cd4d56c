import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { MOST_CHARACTERS, runTool } from '../run-tool.ts'
import type { Tool, Ask } from '../tool.ts'
import { listedSchema } from './listed-schema.ts'
import type { Call, McpParts } from './mcp-parts.ts'
import { answeredResult, outcomeOf, refusedResult, type ToolResult } from './results.ts'
import { OPERATIONS } from '@septet/contract'

export function registerReadTool(server: McpServer, tool: Tool, parts: McpParts): void {
  const { name, title, description, input, output } = tool
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: listedSchema(input, 'input'),
      outputSchema: listedSchema(output, 'output'),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    async (given: unknown, ctx: ServerContext): Promise<ToolResult> => {
      const began = performance.now()
      const waiting = waitingClient(ctx, parts.connected)
      const { base, isTextAlone } = parts
      const answer = runTool(tool, given, { ask: watched(parts.ask, waiting), base })
      const called = answer.then((whole) => boundedResult(whole, isTextAlone), refusedResult)
      const { result, ...how } = await called.then(answeredCall, (error: unknown) => cancelledCall(error, waiting))
      parts.onCall({ tool: name, ...how, milliseconds: performance.now() - began })
      return result
    },
  )
}

type Called = Pick<Call, 'outcome' | 'because'> & { readonly result: ToolResult }

const answeredCall = (result: ToolResult): Called => ({ result, ...outcomeOf(result) })

/** Nobody reads the result. What failed while somebody still waits is thrown on. */
function cancelledCall(error: unknown, { signal }: { readonly signal: AbortSignal }): Called {
  if (!signal.aborted) throw error
  const text = 'Cancelled by the client. Nothing was changed.'
  return { result: { isError: true, content: [{ type: 'text', text }] }, outcome: 'cancelled', because: text }
}

function boundedResult(answer: Readonly<Record<string, unknown>>, isTextAlone: boolean): ToolResult {
  const { length } = JSON.stringify(answer)
  if (length <= MOST_CHARACTERS) return answeredResult(answer, isTextAlone)
  return {
    isError: true,
    content: [
      {
        type: 'text',
        text: `The answer would be ${Math.ceil(length / 1000)} kB, more than a context should hold. Ask for fewer rows (limit), or narrow it by a filter.`,
      },
    ],
  }
}

type Waiting = {
  /** Says that nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** Told of each operation before it is asked, by its title. */
  readonly onAsk: (title: string) => void
}

/** Asks for somebody who waits: tells them what is asked, and asks nothing more once they are gone. */
const watched =
  (ask: Ask, { signal, onAsk }: Waiting): Ask =>
  async (key, input) => {
    signal.throwIfAborted()
    onAsk(OPERATIONS[key].title)
    const answer = await ask(key, input, signal)
    signal.throwIfAborted()
    return answer
  }

/**
 * Who waits for a call: the client, by the protocol's own cancellation, for as long as `connected`. Where it gave a token for
 * progress it is told of each step.
 */
function waitingClient({ mcpReq }: ServerContext, connected: AbortSignal): Waiting {
  // oxlint-disable-next-line no-underscore-dangle -- the name that the protocol gives it
  const progressToken = mcpReq._meta?.progressToken
  let progress = 0
  return {
    signal: AbortSignal.any([mcpReq.signal, connected]),
    onAsk: (message) => {
      if (progressToken === undefined) return
      progress += 1
      const params = { progressToken, progress, message }
      // A client that is gone is not told; the signal says so to anyone who works for it.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
    },
  }
}
