import type { ProblemDocument } from './schemas/figure.ts'

/** Every way an operation can refuse, with its HTTP status: the one list of codes. */
export const REFUSALS = {
  'invalid-input': { status: 400, title: 'The request is not valid' },
  'not-signed-in': { status: 401, title: 'Not signed in' },
  'second-factor-needed': { status: 403, title: 'A second factor is needed' },
  'unknown-cluster': { status: 404, title: 'No such cluster' },
  'not-found': { status: 404, title: 'Not found' },
  'too-large': { status: 413, title: 'The request is too large' },
  'not-ready': { status: 503, title: 'No data yet' },
  'sign-in-unavailable': { status: 503, title: 'The sign-in service is not responding' },
  'store-unavailable': { status: 503, title: 'The database is not responding' },
  'not-allowed': { status: 403, title: 'Not allowed' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong in Septet' },
} as const satisfies Record<string, { status: number; title: string }>
export type RefusalCode = keyof typeof REFUSALS

/** A refusal a person can act on: what failed, and what to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly todo: string
  /** When it is worth trying again, seconds: the `retry-after` header. */
  readonly retryAfter: number | undefined

  constructor(code: RefusalCode, detail: string, todo: string | RefusalAdvice) {
    super(detail)
    this.code = code
    const { words, retryAfter }: RefusalAdvice = typeof todo === 'string' ? { words: todo } : todo
    this.todo = words
    this.retryAfter = retryAfter
  }
}

/** What to do, and when, in seconds, where time alone helps. */
export type RefusalAdvice = { readonly words: string; readonly retryAfter?: number }

const refusing =
  (code: RefusalCode) =>
  (detail: string, todo: string | RefusalAdvice): Refusal =>
    new Refusal(code, detail, todo)

/** The refusals that operations make most. */
export const invalidInput = refusing('invalid-input')
export const notFound = refusing('not-found')
export const notAllowed = refusing('not-allowed')
export const notReady = refusing('not-ready')

/** What someone is told who must first say who they are. */
export const notSignedIn = (detail: string): Refusal =>
  new Refusal(
    'not-signed-in',
    detail,
    'Sign in at /auth, or send an API token in the header "authorization: Bearer spt_...".',
  )

/** As an RFC 9457 problem document, whose type leads to the list of codes on the page at `/api`. */
export function problemDocument(refusal: Refusal, instance?: string): ProblemDocument {
  const { status, title } = REFUSALS[refusal.code]
  return {
    type: `/api#problem-${refusal.code}`,
    title,
    status,
    code: refusal.code,
    detail: refusal.message,
    todo: refusal.todo,
    ...(instance === undefined ? {} : { instance }),
  }
}
