import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { AuthContext } from '../auth-context.ts'
import { AuthProblem, problemWire, type AuthCode } from '../auth-problem.ts'
import { holdsUnstorableText, readQuery } from '../read-body.ts'
import { registerAdminAudit } from './admin-audit.ts'
import { registerAdminLinks } from './admin-links.ts'
import { registerAdminUsers } from './admin-users.ts'
import { registerFactors } from './factors.ts'
import { registerMailRequests } from './mail-requests.ts'
import { registerSignUp } from './sign-up.ts'
import { registerToken } from './token.ts'
import { registerUserUpdate } from './user-update.ts'
import { registerVerify } from './verify.ts'
import { factorView, userView, type UserView } from '../account-view.ts'
import { needNotOwners, recordDeed, targetAccount, targetFactor } from '../admin-target.ts'
import { needAdmin, needBearer, type Bearer } from '../bearer.ts'
import { removeFactor } from '../second-factor.ts'
import { tooMuchJson } from '@septet/contract'
import { z } from 'zod'

const Query = z.object({ scope: z.enum(['global', 'local', 'others']).default('global') })
type Scope = z.infer<typeof Query>['scope']

/** `POST /logout`: ends sessions at once; every token that names one is refused from then on. */
function registerSignOut(server: FastifyInstance, context: AuthContext): void {
  server.post('/logout', async (request, reply) => {
    const { scope: asked } = readQuery(Query, request)
    const bearer = await needBearer(context, request)
    const scope = scopeFor(bearer, asked)
    const ended = await end[scope](context, bearer)
    await context.audit.record({
      actor: bearer.account.email,
      action: 'account.sign-out',
      ip: request.ip,
      details: { scope, ended, session: bearer.session.id },
    })
    return reply.status(204).send()
  })
}

/**
 * Whoever has shown a password alone ends no session that a second factor began: clients that sign out everywhere by default
 * end their own. Refuses the others alone with 403 `insufficient_aal`.
 */
function scopeFor({ aal, factors }: Bearer, scope: Scope): Scope {
  if (aal === 'aal2' || !factors.some(({ status }) => status === 'verified')) return scope
  if (scope === 'others') throw new AuthProblem(403, 'insufficient_aal', 'AAL2 required to sign out other sessions')
  return 'local'
}

/** How many sessions ended, by scope. */
const end = {
  global: ({ access }, { account }) => access.sessions.removeOf(account.id),
  local: async ({ access }, { session }) => ((await access.sessions.remove(session.id)) ? 1 : 0),
  others: ({ access }, { account, session }) => access.sessions.removeOf(account.id, session.id),
} satisfies Record<Scope, (context: AuthContext, bearer: Bearer) => Promise<number>>

/** Parts of the protocol that are not offered here, each with the answer that its clients know. */
function registerNotOffered(server: FastifyInstance): void {
  for (const [method, url, status, code, message] of NOT_OFFERED) {
    server.route({
      method,
      url,
      handler: () => {
        throw new AuthProblem(status, code, message)
      },
    })
  }
}

const ANY: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const NO_PROVIDER = 'Unsupported provider: provider is not enabled'
const NO_SAML = 'SAML 2.0 is disabled'
const NO_LINKING = 'Manual linking is disabled'
const NO_PASSKEYS = 'Passkeys are disabled'
const NO_OAUTH_SERVER = 'OAuth server is disabled'

const NOT_OFFERED: readonly (readonly [HTTPMethods | HTTPMethods[], string, number, AuthCode, string])[] = [
  ['GET', '/authorize', 400, 'validation_failed', NO_PROVIDER],
  [['GET', 'POST'], '/callback', 400, 'validation_failed', NO_PROVIDER],
  ['POST', '/sso', 404, 'saml_provider_disabled', NO_SAML],
  [ANY, '/saml/*', 404, 'saml_provider_disabled', NO_SAML],
  ['GET', '/user/identities/authorize', 404, 'manual_linking_disabled', NO_LINKING],
  ['DELETE', '/user/identities/:id', 404, 'manual_linking_disabled', NO_LINKING],
  [ANY, '/passkeys', 404, 'passkey_disabled', NO_PASSKEYS],
  [ANY, '/passkeys/*', 404, 'passkey_disabled', NO_PASSKEYS],
  [ANY, '/user/oauth/*', 404, 'feature_disabled', NO_OAUTH_SERVER],
  [ANY, '/oauth/*', 404, 'feature_disabled', NO_OAUTH_SERVER],
]

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
    const tooMuch = tooMuchJson(String(text))
    if (tooMuch !== undefined) return done(new AuthProblem(413, 'request_entity_too_large', tooMuch))
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
export function answerUnrouted(context: AuthContext, { error, request, reply }: FailedSignIn): boolean {
  if (!request.url.startsWith(`${PREFIX}/`)) return false
  openToOtherOrigins(context)(request, reply, (foreign) => {
    void answerProblem(context, { error: foreign ?? error, request, reply })
  })
  return true
}

export type FailedSignIn = { readonly error: unknown; readonly request: FastifyRequest; readonly reply: FastifyReply }

function answerProblem(context: AuthContext, { error, request, reply }: FailedSignIn): FastifyReply {
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

/** Second factors of others, for an admin: someone who lost their phone comes in again once theirs is removed. */
function registerAdminFactors(server: FastifyInstance, context: AuthContext): void {
  server.get('/admin/users/:user/factors', (request) => listFactors(context, request))
  server.delete('/admin/users/:user/factors/:factor', (request) => dropFactor(context, request))
}

async function listFactors(context: AuthContext, request: FastifyRequest): Promise<readonly object[]> {
  await needAdmin(context, request)
  const account = await targetAccount(context, request)
  return (await context.access.factors.ofAccount(account.id)).map(factorView)
}

async function dropFactor(context: AuthContext, request: FastifyRequest): Promise<object> {
  const admin = await needAdmin(context, request)
  const account = await targetAccount(context, request)
  const factor = await targetFactor(context, request, account)
  await needNotOwners(context, { admin, request, email: account.email })
  const lowered = await removeFactor(context, factor)
  if (lowered === undefined) throw new AuthProblem(404, 'mfa_factor_not_found', 'Factor not found')
  await recordDeed(context, {
    admin,
    request,
    action: 'factor.remove',
    object: account.email,
    details: { factor: factor.id, name: factor.friendlyName, status: factor.status, sessionsLowered: lowered },
  })
  return factorView(factor)
}

/** What a client can find out before anyone signs in: `health`, `settings` and the public keys. */
function registerDiscovery(server: FastifyInstance, context: AuthContext): void {
  server.get('/health', () => ({
    version: 'septet',
    name: 'GoTrue',
    description: 'Septet speaks the GoTrue protocol for its own accounts',
  }))
  server.get('/settings', () => ({
    external: { email: true, phone: false, anonymous_users: false },
    disable_signup: false,
    mailer_autoconfirm: !context.config.confirmEmail,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    passkeys_enabled: false,
  }))
  server.get('/.well-known/jwks.json', async (_request, reply) => {
    const keys = await context.signingKeys.publicKeys()
    return reply.header('cache-control', 'public, max-age=600').send({ keys })
  })
}

/** `GET /user`: who is signed in, as of now. */
function registerUser(server: FastifyInstance, context: AuthContext): void {
  server.get('/user', (request) => whoIs(context, request))
}

async function whoIs(context: AuthContext, request: FastifyRequest): Promise<UserView> {
  const { account, factors } = await needBearer(context, request)
  return userView(account, factors)
}

/**
 * Any page may ask: a browser adds nothing to such a request by itself, as no cookie is ever looked at here, and
 * credentials are not allowed across origins. Another Septet uses this one as its hosted project that way.
 *
 * Not so where Septet is reached on this machine alone. Being here is then what proves its owner, who makes the first
 * account without a setup secret, and a page from elsewhere in the owner's browser is here too: it could make that
 * account first. Browsers name the page's origin with every POST (Fetch standard, section 3.2).
 */
function openToOtherOrigins(context: Pick<AuthContext, 'siteUrl'>) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    if (isFromElsewhere(context, request)) return done(foreignPage())
    void reply.headers({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'x-supabase-api-version, x-total-count, link, retry-after',
    })
    if (request.method === 'OPTIONS') {
      void reply.headers({
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info, x-supabase-api-version',
        'access-control-max-age': '600',
      })
    }
    return done()
  }
}

function isFromElsewhere({ siteUrl }: Pick<AuthContext, 'siteUrl'>, request: FastifyRequest): boolean {
  const { origin } = request.headers
  if (origin === undefined || !isLoopback(new URL(siteUrl()))) return false
  // `null`, which sandboxed pages and files send, is no URL: nobody knows whose page it is.
  const page = URL.parse(origin)
  return page === null || !(isLoopback(page) || page.host === request.host)
}

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/u.test(hostname)

const foreignPage = (): AuthProblem =>
  new AuthProblem(
    403,
    'validation_failed',
    'Pages of other sites may not ask a Septet that is reached on this machine alone. Set SEPTET_PUBLIC_URL if others use it.',
  )
