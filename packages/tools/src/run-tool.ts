import { OPERATIONS, type OperationKey } from '@septet/contract'

import type { Ask, Tool } from './tool.ts'

/** What a program is told: the answer, its page as an address, and what was asked for it. */
export type ToolAnswer = Readonly<Record<string, unknown>> & { readonly sources: readonly string[] }

/** More than this is not an answer but a dump: characters of JSON. */
export const MOST_CHARACTERS = 60_000

/** Runs a tool and writes down what it asked. Throws a `Refusal`. */
export async function runTool(
  tool: Pick<Tool, 'answer'>,
  input: unknown,
  { ask, base }: { readonly ask: Ask; readonly base: string },
): Promise<ToolAnswer> {
  const { recording, sources } = recorded(ask)
  const answer = await tool.answer(input, recording)
  return { ...withAddress(answer, base), sources: sources() }
}

/** Asks, and remembers what. */
export function recorded(ask: Ask): { readonly recording: Ask; readonly sources: () => readonly string[] } {
  const asked: string[] = []
  const recording: Ask = (key, input) => {
    asked.push(sourceOf(key, input))
    return ask(key, input)
  }
  return { recording, sources: () => asked }
}

/** `GET /api/v1/summary?range=7d`: the same again, for anyone who wants to check it. */
function sourceOf(key: OperationKey, input: object): string {
  const { method, path } = OPERATIONS[key]
  const rest = new Map(Object.entries(input).filter((entry) => entry[1] !== undefined))
  const filled = path.replaceAll(/:(\w+)/gu, (_whole, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  // A body is not said again: a manifest is longer than an answer.
  const texts = (method === 'POST' ? [] : [...rest]).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  const query = new URLSearchParams(texts).toString()
  return `${method} ${filled}${query === '' ? '' : `?${query}`}`
}

/** The page of the dashboard as a whole address, where it is known. */
export const withAddress = (
  answer: Readonly<Record<string, unknown>>,
  base: string,
): Readonly<Record<string, unknown>> =>
  typeof answer['page'] === 'string' ? { ...answer, page: `${base}${answer['page']}` } : answer
