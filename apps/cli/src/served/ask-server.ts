import { ProblemDocumentSchema } from '@septet/contract'
import { errorText } from '@septet/domain/words'

export type ServerAnswer = {
  /** An API token, `SEPTET_TOKEN`; undefined asks as a visitor. */
  readonly token: string | undefined
  /** Sent as JSON. */
  readonly body?: object
  /** Where left out, POST with a body and GET without one. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
}

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
): Promise<Response> {
  const answer = await fetch(address, {
    headers: {
      ...(token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // A redirect would carry the token to wherever it leads.
    redirect: 'error',
  }).catch((error: unknown) => {
    throw new AskError(`${address.origin} did not answer (${reasonOf(error)}). Check the address and that Septet runs.`)
  })
  if (!answer.ok) throw new AskError(refusalOf(await answer.text(), answer.status), answer.status)
  return answer
}

function refusalOf(text: string, status: number): string {
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
