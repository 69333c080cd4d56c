import type { CallToolResult } from '@modelcontextprotocol/server'
import { Refusal } from '@septet/contract'

import type { Call } from './mcp-parts.ts'

export type ToolResult = CallToolResult

/** An answer as structured content, and the same as text for clients that read text alone. */
export const answeredResult = (
  answer: Readonly<Record<string, unknown>>,
  text = JSON.stringify(answer),
): ToolResult => ({
  structuredContent: { ...answer },
  content: [{ type: 'text', text }],
})

/** A refusal in words a model can act on; what is not a refusal is thrown on. */
export function refusedResult(error: unknown): ToolResult {
  if (!(error instanceof Refusal)) throw error
  return { isError: true, content: [{ type: 'text', text: `${error.message} ${error.todo}` }] }
}

export function outcomeOf({ isError, content }: ToolResult): Pick<Call, 'outcome' | 'because'> {
  if (isError !== true) return { outcome: 'answered', because: undefined }
  const [first] = content
  return { outcome: 'refused', because: first?.type === 'text' ? first.text : undefined }
}
