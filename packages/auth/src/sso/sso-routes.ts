import { SECONDS_PER_HOUR } from '@septet/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SSO_PATH, type SsoProblemCode } from '@septet/contract'
import { z } from 'zod'
import type { AuthContext } from '../auth-context.ts'
import { AuthProblem } from '../auth-problem.ts'
import { recordRefused, wireSession } from '../sessions.ts'
import { endByProvider, LogoutTokenError } from './back-channel.ts'
import { enter } from './enter.ts'
import { openOidcClient, type OidcClient } from './oidc-client.ts'
import { personOf, type Claimant } from './person.ts'
import { sealedCookie } from './sealed-cookie.ts'
import type { OidcProvider, SingleSignOn, TrustedProxy } from '../sso-config.ts'
import { SsoProblem } from './sso-problem.ts'
import { openTrustedProxy } from './trusted-proxy.ts'

/** A browser keeps cookies of 4 KB; sealed and written as text a token grows by a third. */
const LONGEST_ID_TOKEN = 2600

/** Where people go who sign out at the provider too: it has to be registered there. */
const RETURN_PATH = '/auth'
/** Where everybody else goes who signs out. */
const HOME = '/'

const KeptSchema = z.object({ session: z.uuid(), idToken: z.string().optional() })

type SignedIn = { readonly session: string; readonly idToken: string }

type ProviderSignOut = {
  /** Remembers in the browser what a sign-out at the provider needs; gives the `set-cookie` header. */
  remember(request: FastifyRequest, signedIn: SignedIn): string
}

/**
 * Signing out at the provider as well (OpenID Connect RP-Initiated Logout 1.0), where it publishes an address for that. The
 * cookie comes with requests from Septet's own pages alone, so a link elsewhere signs nobody out.
 */
function registerProviderSignOut(
  scope: FastifyInstance,
  context: AuthContext,
  { client, sessionHours }: { readonly client: OidcClient; readonly sessionHours: number },
): ProviderSignOut {
  const cookie = sealedCookie(context, {
    name: 'septet-sso-out',
    schema: KeptSchema,
    seconds: sessionHours * SECONDS_PER_HOUR,
    strict: true,
  })
  scope.get('/sign-out', async (request, reply) => {
    const kept = cookie.read(request)
    if (kept === undefined) return reply.redirect(HOME)
    void reply.header('set-cookie', cookie.forget(request))
    // The page has ended it before, unless its request was lost: whatever the provider does, it is over here.
    await context.access.sessions.remove(kept.session)
    const there = await client
      .signOut({ idToken: kept.idToken, returnTo: `${context.siteUrl()}${RETURN_PATH}` })
      .catch((error: unknown) => {
        context.log.warn('the sign-out at the provider failed', { error: String(error), ip: request.ip })
        return undefined
      })
    return reply.redirect(there?.href ?? HOME)
  })
  return {
    remember: (request, { session, idToken }) =>
      cookie.keep(request, { session, ...(idToken.length <= LONGEST_ID_TOKEN ? { idToken } : {}) }),
  }
}

/** How long a sign-in at the provider may take, seconds. */
const FLOW_S = 600
/** And how long the page may take to fetch its session, once the browser is back. */
const HAND_OVER_S = 60

/**
 * Signing in by somebody else's word. What a sign-in needs to remember is in cookies that only this server reads, and the
 * session reaches the page by a request of its own: no token is ever in an address, so no link can sign anybody in.
 */
export function registerSso(server: FastifyInstance, context: AuthContext, sso: SingleSignOn): void {
  void server.register(
    (scope, _options, done) => {
      scope.addHook('onRequest', (_request, reply, next) => {
        void reply.header('cache-control', 'no-store')
        next()
      })
      const hands = { context, sso, handOver: handOverOf(context) }
      if (sso.by.kind === 'oidc') registerProvider(scope, { ...hands, provider: sso.by })
      else registerProxy(scope, { ...hands, proxy: sso.by })
      registerHandOver(scope, hands)
      done()
    },
    { prefix: SSO_PATH },
  )
}

type Hands = {
  readonly context: AuthContext
  readonly sso: SingleSignOn
  readonly handOver: ReturnType<typeof handOverOf>
}

const Next = z.object({ next: z.string().max(1000).optional(), moved: z.string().optional() }).catch({})

const FlowSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), next: z.string().optional() })

/** Begins at the provider, and goes on where it sends the browser back. */
function registerProvider(scope: FastifyInstance, hands: Hands & { readonly provider: OidcProvider }): void {
  const { context, sso, provider } = hands
  const client = openOidcClient(provider)
  const flows = sealedCookie(context, { name: 'septet-sso', schema: FlowSchema, seconds: FLOW_S, strict: false })
  const signOut = registerProviderSignOut(scope, context, { client, sessionHours: sso.sessionHours })
  const redirectUri = (): string => `${context.siteUrl()}${SSO_PATH}/callback`

  scope.get('/start', async (request, reply) => {
    const { next, moved } = Next.parse(request.query)
    // The provider sends the browser to the one name that it knows, and cookies are kept by name.
    if (moved === undefined && request.host !== new URL(context.siteUrl()).host) {
      return reply.redirect(`${context.siteUrl()}${SSO_PATH}/start?${queryOf({ next, moved: 'here' })}`)
    }
    return told(hands, { request, reply, next }, async () => {
      const { url, flow } = await client.begin(redirectUri())
      void reply.header('set-cookie', flows.keep(request, { ...flow, next }, idOf(flow.state)))
      return reply.redirect(url.href)
    })
  })

  scope.get('/callback', async (request, reply) => {
    const id = idOf(z.object({ state: z.string() }).catch({ state: '' }).parse(request.query).state)
    const flow = flows.read(request, id)
    void reply.header('set-cookie', flows.forget(request, id))
    return told(hands, { request, reply, next: flow?.next }, async () => {
      if (flow === undefined) throw new SsoProblem('late', 'The browser brought no sign-in that was begun here.')
      const arrived = new URL(redirectUri() + request.url.slice(request.url.indexOf('?')))
      const groupsClaim = sso.groups === undefined ? undefined : provider.groupsClaim
      const { claims, idToken } = await client.finish(arrived, flow, groupsClaim)
      const remember = (session: string): string | undefined =>
        idToken && sso.signOut ? signOut.remember(request, { session, idToken }) : undefined
      return goIn(hands, { request, reply, next: flow.next, remember }, personOf(claims, groupsClaim))
    })
  })
  registerBackChannel(scope, hands, client)
}

/** What tells sign-ins of one browser apart; part of what only that browser and the provider know. */
const idOf = (state: string): string => state.replaceAll(/[^\w-]/gu, '').slice(0, 12)

/** Goes in at once: who is there was known before the request came. */
function registerProxy(scope: FastifyInstance, hands: Hands & { readonly proxy: TrustedProxy }): void {
  const whoIs = openTrustedProxy(hands.proxy)
  // What the proxy knows is its own: there is nowhere else to go.
  scope.get('/sign-out', (_request, reply) => reply.redirect('/'))
  scope.get('/start', (request, reply) => {
    const { next } = Next.parse(request.query)
    return told(hands, { request, reply, next }, async () => goIn(hands, { request, reply, next }, whoIs(request)))
  })
}

type Visit = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly next: string | undefined
  /** Gives a cookie by which the session that begins can be ended at the provider. */
  readonly remember?: (session: string) => string | undefined
}

async function goIn({ context, sso, handOver }: Hands, visit: Visit, person: Claimant): Promise<FastifyReply> {
  const { request, reply, next } = visit
  const session = await enter(context, { sso, person, request }).catch(async (error: unknown) => {
    const refused = { email: person.email, method: 'oauth' }
    if (error instanceof SsoProblem) await recordRefused(context, request, { ...refused, because: error.code })
    throw error
  })
  const kept = [handOver.keep(request, { session: session.id }), visit.remember?.(session.id)]
  void reply.header('set-cookie', [
    ...[reply.getHeader('set-cookie') ?? []].flat().map(String),
    ...kept.flatMap((each) => each ?? []),
  ])
  return reply.redirect(`/auth?${queryOf({ sso: 'done', next })}`)
}

/** Whatever goes wrong, the person ends on the sign-in page, which says what; details are for the log. */
async function told({ context }: Hands, visit: Visit, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    await context.limits.spend('sso', visit.request.ip)
    return await work()
  } catch (error) {
    const code = codeOf(error)
    context.log.warn('a single sign-on was refused', { code, error: String(error), ip: visit.request.ip })
    return visit.reply.redirect(`/auth?${queryOf({ sso: code, next: visit.next })}`)
  }
}

function codeOf(error: unknown): SsoProblemCode {
  if (error instanceof SsoProblem) return error.code
  return error instanceof AuthProblem && error.status === 429 ? 'too-often' : 'unexpected'
}

function queryOf(named: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(named)) if (value !== undefined) query.set(name, value)
  return query.toString()
}

const handOverOf = (context: AuthContext) =>
  sealedCookie(context, {
    name: 'septet-sso-session',
    schema: z.object({ session: z.uuid() }),
    seconds: HAND_OVER_S,
    strict: true,
  })

/** Gives the page the session that its browser just began, once. */
function registerHandOver(scope: FastifyInstance, { context, handOver }: Hands): void {
  scope.post('/session', async (request, reply) => {
    const kept = handOver.read(request)
    void reply.header('set-cookie', handOver.forget(request))
    // Nobody has a refresh token of the session yet, so the first to count it up is the only one to get it.
    const taken = kept && (await context.access.sessions.advance(kept.session, 0, { refreshCounter: 1 }))
    const account = taken && (await context.access.accounts.get(taken.accountId))
    if (taken === undefined || account === undefined) return reply.status(401).send({ code: 'late' })
    return reply.send(await wireSession(context, { account, session: taken }))
  })
}

const LogoutBody = z.object({ logout_token: z.string() })

/** Where the provider says that somebody has signed out there, or is gone (OpenID Connect Back-Channel Logout 1.0). */
function registerBackChannel(
  scope: FastifyInstance,
  { context, provider }: Hands & { readonly provider: OidcProvider },
  client: OidcClient,
): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, next) =>
    next(null, Object.fromEntries(new URLSearchParams(String(text)))),
  )
  scope.post('/logout', async (request, reply) => {
    await context.limits.spend('sso', request.ip)
    const { data } = LogoutBody.safeParse(request.body)
    try {
      if (data === undefined) throw new LogoutTokenError('The body holds no logout_token.')
      await endByProvider(context, data.logout_token, { provider, client, request })
      return reply.send()
    } catch (error) {
      context.log.warn('a back-channel logout failed', { error: String(error), ip: request.ip })
      if (error instanceof LogoutTokenError) {
        return reply.status(400).send({ error: 'invalid_request', error_description: error.message })
      }
      // Its keys or the database cannot be read now: nothing has ended, so the provider should try again.
      return reply
        .status(503)
        .send({ error: 'temporarily_unavailable', error_description: 'Nothing ended; try again.' })
    }
  })
}
