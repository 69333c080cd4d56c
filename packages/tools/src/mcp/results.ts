import type { CallToolResult } from '@modelcontextprotocol/server'
import { Refusal } from '@septet/contract'

import type { Call } from './mcp-parts.ts'

export type ToolResult = CallToolResult

type Answer = Readonly<Record<string, unknown>>

/**
 * An answer as structured content, and its sentences and page as text: both end up in one context, so the text does not say
 * all of it again. Clients that read text alone have it whole there.
 */
export const answeredResult = (answer: Answer, isTextAlone: boolean): ToolResult =>
  resultOf(answer, isTextAlone ? JSON.stringify(answer) : inShort(answer))

export const resultOf = (answer: Answer, text: string): ToolResult => ({
  structuredContent: { ...answer },
  content: [{ type: 'text', text }],
})

function inShort({ says, title, because, age, page }: Answer): string {
  const words: readonly unknown[] = [...(Array.isArray(says) ? says : [title, because]), age, page]
  return words.filter((word) => typeof word === 'string').join('\n')
}

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
