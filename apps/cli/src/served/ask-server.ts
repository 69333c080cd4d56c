import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'

import { errorText } from '@septet/domain/words'

export type ServerAnswer = {
  /** An API token, `SEPTET_TOKEN`; undefined asks as a visitor. */
  readonly token: string | undefined
  /** Sent as JSON. */
  readonly body?: object
  /** Where left out, POST with a body and GET without one. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
}

/** What it answered, whole. */
type Served = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly content: Buffer }

/** Why a Septet that was asked gave no answer. */
export class AskError extends Error {
  override readonly name = 'AskError'
  /** HTTP status of a refusal; undefined: nobody answered. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/** Asks a Septet that runs. Throws an `AskError` with what to do when nobody answers, or with the words of a refusal. */
export async function askServer(
  address: URL,
  { token, body, method = body === undefined ? 'GET' : 'POST' }: ServerAnswer,
): Promise<Served> {
  const headers = {
    ...(token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const asked = exchange(address, { method, headers }, body === undefined ? '' : JSON.stringify(body))
  const answer = await asked.catch((error: unknown) => {
    throw new AskError(`${address.origin} did not answer (${reasonOf(error)}). Check the address and that Septet runs.`)
  })
  const { status, content } = answer
  if (status < 200 || status > 299) throw new AskError(await refusalOf(String(content), status), status)
  return answer
}

const load: (name: string) => Pick<typeof import('node:http'), 'request'> = createRequire(import.meta.url)

type Sending = { readonly method: string; readonly headers: OutgoingHttpHeaders }

/**
 * One request and its whole answer. `fetch` takes five times the processor time until it is loaded, and would follow a
 * redirect, which carries the token to wherever it leads.
 */
function exchange(address: URL, sending: Sending, body: string): Promise<Served> {
  // By `import` all that a module has is loaded at once, and that of HTTP has `fetch` in it.
  const { request } = load(address.protocol === 'https:' ? 'node:https' : 'node:http')
  return new Promise((resolve, reject) => {
    const asking = request(address, sending, (answer) => {
      const { statusCode: status = 0, headers } = answer
      buffer(answer).then((content) => resolve({ status, headers, content }), reject)
    })
    asking.on('error', reject).end(body)
  })
}

async function refusalOf(text: string, status: number): Promise<string> {
  const { ProblemDocumentSchema } = await import('@septet/contract')
  const problem = ProblemDocumentSchema.safeParse(jsonOf(text))
  if (!problem.success) return `The server answered ${status}.`
  const todo = status === 401 ? 'Sign in with septet login, or set SEPTET_TOKEN.' : problem.data.todo
  return `${problem.data.detail} ${todo}`
}

/** What a text holds as JSON; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Why an address did not answer. */
export function reasonOf(error: unknown): string {
  const words = errorText(error instanceof Error ? (error.cause ?? error) : error)
  return /wrong version number|packet length too long/u.test(words) ? 'it does not speak TLS: try http://' : words
}
