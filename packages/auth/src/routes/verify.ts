import { setTimeout } from 'node:timers/promises'

import type { CodeKind, MailCode } from '@septet/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { needEmail } from '../admission.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthProblem } from '../auth-problem.ts'
import { PKCE_PREFIX, takeByCode, takeByLink } from '../codes.ts'
import type { Redeemed } from '../email-change.ts'
import { redeem } from '../redeem.ts'
import { readBody } from '../read-body.ts'
import { redirectOf, withFragment, withQuery } from '../redirect.ts'
import { startFlow } from '../flows.ts'
import { startSession, type WireSession } from '../sessions.ts'

/** Codes and links from letters are shown here: as digits by a page, or by opening the link. */
export function registerVerify(server: FastifyInstance, context: AuthContext): void {
  server.post('/verify', (request) => verifyPosted(context, request))
  // A HEAD would use the link up: mail scanners and previews ask that way.
  server.get('/verify', { exposeHeadRoute: false }, (request, reply) => verifyOpened(context, request, reply))
}

const CONFIRM = ['signup', 'invite'] as const satisfies CodeKind[]
const SIGN_IN = ['magiclink', 'recovery'] as const satisfies CodeKind[]

/** Which codes each type of the protocol accepts: as there, those that confirm and those that sign in stand for each other. */
const ACCEPTED: ReadonlyMap<string, readonly CodeKind[]> = new Map<string, readonly CodeKind[]>([
  ['signup', CONFIRM],
  ['invite', CONFIRM],
  ['magiclink', SIGN_IN],
  ['recovery', SIGN_IN],
  ['email', [...CONFIRM, ...SIGN_IN]],
  ['email_change', ['email_change_current', 'email_change_new']],
])

const VerifyBody = z.object({
  type: z.string().nullish(),
  token: z.string().nullish(),
  token_hash: z.string().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
})

async function verifyPosted(
  context: AuthContext,
  request: FastifyRequest,
): Promise<WireSession | { readonly msg: string; readonly code: string }> {
  await context.limits.spend('verify', request.ip)
  const shown = shownBy(readBody(VerifyBody, request))
  const taken = shown.by === 'link' ? await takeByLink(context, shown.kinds, shown.token) : await typed(context, shown)
  const redeemed = await redeemOrRefuse(context, request, { shown, taken })
  if (redeemed.kind === 'half') return { msg: ONE_MORE, code: '200' }
  return startSession(context, { account: redeemed.account, method: 'otp', request })
}

/** What a request shows: digits that were sent to an address, or the token of a link. */
type Shown =
  | { readonly by: 'link'; readonly kinds: readonly CodeKind[]; readonly token: string }
  | { readonly by: 'digits'; readonly kinds: readonly CodeKind[]; readonly address: string; readonly code: string }

function shownBy(body: z.infer<typeof VerifyBody>): Shown {
  if (body.type === 'sms' || body.type === 'phone_change' || isText(body.phone)) {
    throw new AuthProblem(400, 'phone_provider_disabled', 'Unsupported phone provider')
  }
  const kinds = kindsOf(body.type)
  if (isText(body.token_hash)) {
    if (isText(body.email)) throw invalid('Only the token_hash and type should be provided')
    return { by: 'link', kinds, token: body.token_hash }
  }
  if (!isText(body.token)) throw invalid('Verify requires a token or a token hash')
  if (!isText(body.email)) throw invalid('Only an email address or phone number should be provided on verify')
  return { by: 'digits', kinds, address: needEmail(body.email), code: body.token.replaceAll(/\s/gu, '') }
}

function kindsOf(type: string | null | undefined): readonly CodeKind[] {
  if (!isText(type)) throw invalid('Verify requires a verification type')
  const kinds = ACCEPTED.get(type)
  if (kinds === undefined) throw invalid('Unsupported verification type')
  return kinds
}

const isText = (value: string | null | undefined): value is string => typeof value === 'string' && value !== ''

/** A wrong try takes at least this long, milliseconds, so that its time does not tell whether a code waits. */
const LEAST_WAIT = 60

async function typed(
  context: AuthContext,
  { kinds, address, code }: Extract<Shown, { by: 'digits' }>,
): Promise<MailCode | undefined> {
  await context.limits.spendOn('code', address)
  const wait = setTimeout(LEAST_WAIT)
  const taken = await takeByCode(context, kinds, { address, code })
  if (taken === undefined) await wait
  return taken
}

async function redeemOrRefuse(
  context: AuthContext,
  request: FastifyRequest,
  { shown, taken }: { readonly shown: Shown; readonly taken: MailCode | undefined },
): Promise<Exclude<Redeemed, { kind: 'void' }>> {
  const redeemed = taken === undefined ? undefined : await redeem(context, taken, request)
  if (redeemed !== undefined && redeemed.kind !== 'void') return redeemed
  const isLink = shown.by === 'link'
  await context.audit.record({
    actor: 'visitor',
    action: 'account.show-code',
    object: isLink ? '' : shown.address,
    outcome: 'refused',
    ip: request.ip,
    details: { by: shown.by },
  })
  throw new AuthProblem(
    403,
    'otp_expired',
    isLink ? 'Email link is invalid or has expired' : 'Token has expired or is invalid',
  )
}

/** A link was opened: the answer leads to a page of the site, which reads the rest from the address. */
async function verifyOpened(context: AuthContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const address = await endOfLink(context, request).catch((error: unknown) => {
    if (error instanceof AuthProblem) return endWithProblem(context, request, error)
    throw error
  })
  // The address holds a session: no cache may keep it, and no other site may be told of it.
  return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(address, 303)
}

const LinkQuery = z.object({
  token: z.string().default(''),
  token_hash: z.string().default(''),
  type: z.string().default(''),
})

async function endOfLink(context: AuthContext, request: FastifyRequest): Promise<string> {
  await context.limits.spend('verify', request.ip)
  const { token, type } = linkOf(request)
  const kinds = kindsOf(type)
  if (token === '') throw invalid('Verify requires a token or a token hash')
  const shown = { by: 'link', kinds, token } as const
  const taken = await takeByLink(context, kinds, token)
  const redeemed = await redeemOrRefuse(context, request, { shown, taken })
  const redirectTo = redirectOf(context, request)
  if (redeemed.kind === 'half') {
    const answer = { message: ONE_MORE, sb: '' }
    return isPkce(token) ? withFragment(withQuery(redirectTo, answer), answer) : withFragment(redirectTo, answer)
  }
  if (taken?.challenge !== undefined) {
    const { account } = redeemed
    const flow = { accountId: account.id, challenge: taken.challenge, method: METHOD_OF[taken.kind] }
    return withQuery(redirectTo, { code: await startFlow(context, flow) })
  }
  const session = await startSession(context, { account: redeemed.account, method: 'otp', request })
  return withFragment(redirectTo, {
    access_token: session.access_token,
    expires_at: String(session.expires_at),
    expires_in: String(session.expires_in),
    refresh_token: session.refresh_token,
    token_type: session.token_type,
    type,
    sb: '',
  })
}

const ONE_MORE = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/** How a session that begins with a link says it began, where its browser proves itself. */
const METHOD_OF = {
  signup: 'email/signup',
  invite: 'invite',
  magiclink: 'magiclink',
  recovery: 'recovery',
  email_change_current: 'email_change',
  email_change_new: 'email_change',
  reauthentication: 'otp',
} as const satisfies Record<CodeKind, string>

function linkOf(request: FastifyRequest): { readonly token: string; readonly type: string } {
  const { data } = LinkQuery.safeParse(request.query)
  return { token: data?.token || data?.token_hash || '', type: data?.type ?? '' }
}

const isPkce = (token: string): boolean => token.startsWith(PKCE_PREFIX)

function endWithProblem(context: AuthContext, request: FastifyRequest, problem: AuthProblem): string {
  const answer = {
    error: ERROR_NAMES.get(problem.status) ?? 'invalid_request',
    error_code: problem.code,
    error_description: problem.message,
    sb: '',
  }
  const redirectTo = redirectOf(context, request)
  return isPkce(linkOf(request).token)
    ? withFragment(withQuery(redirectTo, answer), answer)
    : withFragment(redirectTo, answer)
}

/** RFC 6749, section 4.1.2.1. */
const ERROR_NAMES: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request'],
  [401, 'unauthorized_client'],
  [403, 'access_denied'],
  [429, 'temporarily_unavailable'],
  [500, 'server_error'],
  [503, 'temporarily_unavailable'],
])

const invalid = (message: string): AuthProblem => new AuthProblem(400, 'validation_failed', message)
