import type { OPERATIONS, OutputOf, ProblemDocument } from '@septet/contract'
import { ROUTES, type OperationKey } from '@septet/contract/routes'
import type { z } from 'zod'

import { authorizedFetch } from './session/authorized-fetch.ts'

type OfMethod<Method extends string> = {
  [Key in OperationKey]: (typeof ROUTES)[Key]['method'] extends Method ? Key : never
}[OperationKey]

/** What can be asked without changing anything. */
export type Question = OfMethod<'GET'>
export type Answer<Q extends Question> = OutputOf<(typeof OPERATIONS)[Q]>
/** What the server can be told to do. */
export type Command = OfMethod<'PUT' | 'POST' | 'DELETE'>
export type Outcome<C extends Command> = OutputOf<(typeof OPERATIONS)[C]>
export type Order<C extends Command> = z.input<(typeof OPERATIONS)[C]['input']>
export type Input = Readonly<Record<string, string | number | undefined>>

/** The server answered, and said what is wrong and what to do. */
export class ProblemError extends Error {
  readonly problem: ProblemDocument

  constructor(problem: ProblemDocument) {
    super(problem.detail)
    this.name = 'ProblemError'
    this.problem = problem
  }
}

const isProblemOf =
  (code: string) =>
  (error: Error | null): boolean =>
    error instanceof ProblemError && error.problem.code === code
/** The server knows who asks, and they may not. */
export const isNotAllowed = isProblemOf('not-allowed')
/** The server is up and has nothing to tell yet; it will have soon. */
export const isNotReady = isProblemOf('not-ready')
/** The server knows no such thing (any more). */
export const isNotFound = isProblemOf('not-found')

/**
 * Asks one operation. Types only come from the contract: the server has already checked the answer against its schema,
 * and the schema library stays out of the bundle. Throws ProblemError for an answer that is a problem, TypeError when
 * nobody answered.
 */
export async function ask<Q extends Question>(question: Q, input: Input, signal?: AbortSignal): Promise<Answer<Q>> {
  const response = await authorizedFetch(address(question, input), {
    headers: { accept: 'application/json' },
    ...(signal === undefined ? {} : { signal }),
  })
  if (!response.ok) throw new ProblemError(await readProblem(response))
  const answer: Answer<Q> = await response.json()
  return answer
}

/** Tells the server to do something. What the path names goes there, the rest into the body, or into the query of a DELETE. Throws as `ask` does. */
export async function tell<C extends Command>(command: C, input: Order<C>, signal?: AbortSignal): Promise<Outcome<C>> {
  const { method, path } = ROUTES[command]
  const { filled, rest } = fill(path, input)
  const body = method === 'DELETE' ? {} : { body: JSON.stringify(rest) }
  const response = await authorizedFetch(method === 'DELETE' ? withQuery(filled, rest) : filled, {
    method,
    headers: { accept: 'application/json', ...('body' in body ? { 'content-type': 'application/json' } : {}) },
    ...body,
    ...(signal === undefined ? {} : { signal }),
  })
  if (!response.ok) throw new ProblemError(await readProblem(response))
  const outcome: Outcome<C> = await response.json()
  return outcome
}

/** The server's answer as a file to keep, and the name that it gives the file, where it does. Throws as `ask` does. */
export async function askFile(path: string): Promise<{ readonly content: Blob; readonly name: string | undefined }> {
  const response = await authorizedFetch(path)
  if (!response.ok) throw new ProblemError(await readProblem(response))
  const name = /filename="([^"]+)"/u.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { content: await response.blob(), name }
}

function address(question: Question, input: Input): string {
  const { filled, rest } = fill(ROUTES[question].path, input)
  return withQuery(filled, rest)
}

function withQuery(path: string, rest: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    if (typeof value === 'string' || typeof value === 'number') query.set(name, `${value}`)
  }
  return query.size === 0 ? path : `${path}?${query}`
}

/** The path with what it names in it, escaped, and what is left of the input. */
function fill(path: string, input: object): { readonly filled: string; readonly rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...input }
  const filled = path.replaceAll(/:(\w+)/gu, (_whole, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return { filled, rest }
}

/** What a refusal says, or that it says nothing. */
export async function readProblem(response: Response): Promise<ProblemDocument> {
  const body: unknown = await response.json().catch(() => undefined)
  return isProblem(body) ? body : unexplained(response)
}

const isProblem = (body: unknown): body is ProblemDocument =>
  typeof body === 'object' && body !== null && 'detail' in body && 'todo' in body && 'code' in body

/** A proxy in between, say, that answers in its own words. */
const unexplained = (response: Response): ProblemDocument => ({
  type: 'about:blank',
  title: 'Unexpected answer',
  status: response.status,
  code: 'unexpected-answer',
  detail: `${response.url} answered ${response.status} without saying why.`,
  todo: 'Check that the address leads to Septet and not to a proxy in front of it, then try again.',
})
