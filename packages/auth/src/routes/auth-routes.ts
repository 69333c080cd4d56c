import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { AuthContext } from '../auth-context.ts'
import { AuthProblem, problemWire } from '../auth-problem.ts'
import { openToOtherOrigins } from '../other-origins.ts'
import { holdsUnstorableText } from '../read-body.ts'
import { registerAdminFactors } from './admin-factors.ts'
import { registerAdminAudit } from './admin-audit.ts'
import { registerAdminLinks } from './admin-links.ts'
import { registerAdminUsers } from './admin-users.ts'
import { registerDiscovery } from './discovery.ts'
import { registerFactors } from './factors.ts'
import { registerMailRequests } from './mail-requests.ts'
import { registerNotOffered } from './not-offered.ts'
import { registerSignOut } from './sign-out.ts'
import { registerSignUp } from './sign-up.ts'
import { registerToken } from './token.ts'
import { registerUserUpdate } from './user-update.ts'
import { registerUser } from './user.ts'
import { registerVerify } from './verify.ts'

/** Every subject of the protocol, each with its routes. */
const SUBJECTS = [
  registerDiscovery,
  registerSignUp,
  registerToken,
  registerSignOut,
  registerUser,
  registerUserUpdate,
  registerMailRequests,
  registerVerify,
  registerFactors,
  registerAdminUsers,
  registerAdminFactors,
  registerAdminLinks,
  registerAdminAudit,
  registerNotOffered,
]

const PREFIX = '/auth/v1'
/** Octets of a body, as in the public service. */
const MOST_BODY = 1024 * 1024

/** Puts the protocol on a server below `/auth/v1`, with its own bodies, errors and 404. */
export function registerAuthRoutes(server: FastifyInstance, context: AuthContext): void {
  void server.register(
    (scope, _options, done) => {
      readBodies(scope)
      scope.addHook('onRequest', openToOtherOrigins(context))
      scope.setErrorHandler((error, request, reply) => answerProblem(context, { error, request, reply }))
      scope.setNotFoundHandler(() => {
        throw nothingThere()
      })
      scope.options('/*', (_request, reply) => reply.status(204).send())
      for (const register of SUBJECTS) register(scope, context)
      done()
    },
    { prefix: PREFIX },
  )
}

/** Clients name JSON on requests without a body too, and some name nothing: whatever comes is JSON or nothing. */
function readBodies(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error')
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MOST_BODY }, (request, text, done) => {
    if (text === '') return done(null, undefined)
    // oxlint-disable-next-line typescript/no-unsafe-argument -- handed on as it comes
    return parse(request, String(text), (error, body: unknown) => {
      if (error !== null) return done(new AuthProblem(400, 'bad_json', 'Could not parse request body as JSON'))
      if (typeof body !== 'object' || body === null || Array.isArray(body)) {
        return done(new AuthProblem(400, 'bad_json', 'The request body must be a JSON object'))
      }
      return done(
        holdsUnstorableText(body)
          ? new AuthProblem(400, 'validation_failed', 'Text must not hold NUL or malformed characters')
          : null,
        body,
      )
    })
  })
}

/** Answers a request that the router refused before it came to these routes; false when it was not for them. */
export function answerUnrouted(context: AuthContext, { error, request, reply }: Failed): boolean {
  if (!request.url.startsWith(`${PREFIX}/`)) return false
  openToOtherOrigins(context)(request, reply, (foreign) => {
    void answerProblem(context, { error: foreign ?? error, request, reply })
  })
  return true
}

export type Failed = { readonly error: unknown; readonly request: FastifyRequest; readonly reply: FastifyReply }

function answerProblem(context: AuthContext, { error, request, reply }: Failed): FastifyReply {
  const problem = toProblem(error)
  if (problem.status >= 500) {
    context.log.error('the auth service could not answer', { url: request.routeOptions.url, error: String(error) })
  }
  const wire = problemWire(problem, request.headers['x-supabase-api-version'])
  return reply.status(wire.status).headers(wire.headers).send(wire.body)
}

function toProblem(error: unknown): AuthProblem {
  if (error instanceof AuthProblem) return error
  if (isRefused(error)) return problemByStatus(error)
  if (error instanceof Error && error.name === 'StoreError') {
    return new AuthProblem(503, 'unexpected_failure', 'The database is not responding. Try again in a moment.')
  }
  return new AuthProblem(500, 'unexpected_failure', 'Unexpected failure; it is in the log of the server.')
}

const nothingThere = (): AuthProblem =>
  new AuthProblem(404, 'validation_failed', 'There is nothing at this path of the auth service')

/** What the server itself refuses, before a route is asked. */
function problemByStatus({ statusCode, message }: Refused): AuthProblem {
  if (statusCode === 413) {
    return new AuthProblem(413, 'request_entity_too_large', 'The request body is larger than 1 MiB')
  }
  // A part of the path that is longer than any name.
  if (statusCode === 414) return nothingThere()
  return new AuthProblem(statusCode, 'validation_failed', message)
}

type Refused = FastifyError & { readonly statusCode: number }

const isRefused = (error: unknown): error is Refused =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500
