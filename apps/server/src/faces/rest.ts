import {
  OPERATIONS,
  notSignedIn,
  problemDocument,
  Refusal,
  type Operation,
  type OperationKey,
  invalidInput,
  notAllowed,
  notFound,
} from '@septet/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { AuthProblem } from '@septet/auth'
import type { Answers } from '../operations/answering/answering.ts'
import { textOf } from '../operations/answering/kept-answers.ts'
import { isRecord } from '../is-record.ts'
import type { CallerOf } from './call-limits.ts'

/** One route per operation, each asked by whom the gate lets in; refusals become problem documents. */
export function registerRest(server: FastifyInstance, answers: Answers, callerOf: CallerOf): void {
  for (const [key, operation] of Object.entries<Operation>(OPERATIONS)) {
    if (!isOperationKey(key)) continue
    server.route({
      method: operation.method,
      url: operation.path,
      handler: async (request, reply) => {
        // What one caller may see is for nobody else: neither a proxy nor the browser keeps it.
        void reply.header('cache-control', 'no-store')
        const answer = await answers[key](inputOf(request), await callerOf(request, reply))
        const text = textOf(answer)
        return text === undefined ? answer : reply.type('application/json; charset=utf-8').send(text)
      },
    })
  }
}

const isOperationKey = (key: string): key is OperationKey => Object.hasOwn(OPERATIONS, key)

/** Path, query and body are one input; a name in the path wins over the same name elsewhere. */
function inputOf(request: FastifyRequest): Record<string, unknown> {
  const parts = [request.query, request.body, request.params].map((part) => (isRecord(part) ? part : {}))
  return Object.assign({}, ...parts)
}

/** Octets of a body. */
export const MOST_BODY = 256 * 1024

type Unexpected = { readonly onUnexpected: (error: unknown, url: string) => void }
type ErrorContext = Unexpected & { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** Turns every error that leaves a handler into a problem document; unexpected ones are logged and not shown. */
export function answerError(error: unknown, { request, reply, onUnexpected }: ErrorContext): FastifyReply {
  const refusal = toRefusal(error)
  const document = problemOf(error, { url: request.url, onUnexpected })
  if (document.status === 401 && !reply.hasHeader('www-authenticate')) void reply.header('www-authenticate', 'Bearer')
  const { retryAfter } = error instanceof AuthProblem ? error : refusal
  if (retryAfter !== undefined) void reply.header('retry-after', String(Math.ceil(retryAfter)))
  return reply.status(document.status).type('application/problem+json').send(document)
}

/** What is wrong, as a document; unexpected errors are told and not shown. */
export function problemOf(error: unknown, { url, onUnexpected }: { readonly url: string } & Unexpected) {
  const refusal = toRefusal(error)
  if (refusal.code === 'internal') onUnexpected(error, url)
  return problemDocument(refusal, url)
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof AuthProblem) return refusalOf(error)
  if (error instanceof Error && error.name === 'StoreError') {
    return new Refusal(
      'store-unavailable',
      error.message,
      'Live figures still work. Check the database; Septet reconnects by itself.',
    )
  }
  if (hasStatus(error) && error.statusCode < 500) return refusalByStatus(error)
  return new Refusal(
    'internal',
    'An unexpected error occurred; the server log has the details.',
    'Try again; if it keeps happening, report it with the log line.',
  )
}

/** What the server itself refuses, before an operation is asked. */
function refusalByStatus({ statusCode, message }: { readonly statusCode: number; readonly message: string }): Refusal {
  if (statusCode === 403) return notAllowed(message, 'Use an address that Septet serves.')
  if (statusCode === 413) {
    const most = `The request body is larger than ${MOST_BODY / 1024} KiB.`
    return new Refusal('too-large', most, 'Send a smaller one, or split it.')
  }
  if (statusCode === 414) return notFound('No name is that long.', 'See /api for all routes.')
  return invalidInput(message, 'Correct the request; /api lists what each operation takes.')
}

/** What the auth service says, where an answer of ours needs it. */
function refusalOf({ status, message }: AuthProblem): Refusal {
  if (status === 429) return new Refusal('too-many-requests', message, 'Wait as long as the header "retry-after" says.')
  if (status >= 500) {
    return new Refusal(
      'sign-in-unavailable',
      message,
      'Try again in a moment; nothing is lost, and you stay signed in.',
    )
  }
  return notSignedIn(message)
}

const hasStatus = (error: unknown): error is Error & { statusCode: number } =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
