import type { McpServer, ServerContext } from '@modelcontextprotocol/server'

import { MOST_CHARACTERS, runTool } from '../run-tool.ts'
import type { Tool } from '../tool.ts'
import { listed } from './listed-schema.ts'
import type { Call, McpParts } from './mcp-parts.ts'
import { answeredResult, outcomeOf, refusedResult, type ToolResult } from './results.ts'
import { waitingClient, watched } from './watched.ts'

export function registerReadTool(server: McpServer, tool: Tool, parts: McpParts): void {
  const { name, title, description, input, output } = tool
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: listed(input, 'input'),
      outputSchema: listed(output, 'output'),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    async (given: unknown, ctx: ServerContext): Promise<ToolResult> => {
      const began = performance.now()
      const waiting = waitingClient(ctx, parts.connected)
      const { base } = parts
      const called = runTool(tool, given, { ask: watched(parts.ask, waiting), base }).then(boundedResult, refusedResult)
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

function boundedResult(answer: Readonly<Record<string, unknown>>): ToolResult {
  const text = JSON.stringify(answer)
  if (text.length <= MOST_CHARACTERS) return answeredResult(answer, text)
  return {
    isError: true,
    content: [
      {
        type: 'text',
        text: `The answer would be ${Math.ceil(text.length / 1000)} kB, more than a context should hold. Ask for fewer rows (limit), or narrow it by a filter.`,
      },
    ],
  }
}
