import type { McpServer } from '@modelcontextprotocol/server'

import { MOST_CHARACTERS, runTool } from '../run-tool.ts'
import type { Tool } from '../tool.ts'
import { listed } from './listed-schema.ts'
import type { McpParts } from './mcp-parts.ts'
import { answeredResult, outcomeOf, refusedResult, type ToolResult } from './results.ts'

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
    async (given: unknown): Promise<ToolResult> => {
      const began = performance.now()
      const result = await runTool(tool, given, parts).then(boundedResult, refusedResult)
      parts.onCall({ tool: name, ...outcomeOf(result), milliseconds: performance.now() - began })
      return result
    },
  )
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
