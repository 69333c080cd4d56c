import { setTimeout } from 'node:timers/promises'
import type { CodeKind, MailCode, Account } from '@septet/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { needEmail, admits } from '../admission.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthProblem } from '../auth-problem.ts'
import { takeByCode, takeByLink } from '../codes.ts'
import { type Redeemed, agreeToChange, isHalfOfChange } from '../email-change.ts'
import { letterLink } from '../letter-link.ts'
import { readBody } from '../read-body.ts'
import { redirectOf } from '../redirect.ts'
import { startSession, type WireSession } from '../sessions.ts'
import { needNotBanned } from '../bearer.ts'

/** Codes and links from letters are redeemed here, by POST alone. */
export function registerVerify(server: FastifyInstance, context: AuthContext): void {
  server.post('/verify', (request) => verifyPosted(context, request))
  server.get('/verify', (request, reply) => leadToPage(context, request, reply))
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

const ONE_MORE = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

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

const LinkQuery = z.object({
  token: z.string().default(''),
  token_hash: z.string().default(''),
  type: z.string().default(''),
})

/**
 * The link form of the protocol (`action_link`). Whatever opens it, a mail scanner too, is led to the page where a person
 * redeems it by pressing a button; opening it uses nothing up and tells nothing about it.
 */
function leadToPage(context: AuthContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { data } = LinkQuery.safeParse(request.query)
  const link = { token: data?.token || data?.token_hash || '', type: data?.type ?? '' }
  const page = letterLink(context, { ...link, redirectTo: redirectOf(context, request) })
  // The address holds a token that works: no cache may keep it, and no other site may be told of it.
  return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(page, 303)
}

const invalid = (message: string): AuthProblem => new AuthProblem(400, 'validation_failed', message)

/** Does what a code is for. Refuses a banned account with 403 `user_banned`. */
async function redeem(context: AuthContext, taken: MailCode, request: FastifyRequest): Promise<Redeemed> {
  const account = await context.access.accounts.get(taken.accountId)
  if (account === undefined || !admits(context.config.authorized, account.email)) return { kind: 'void' }
  needNotBanned(context, account)
  if (isHalfOfChange(taken.kind)) return agreeToChange(context, taken, request.ip)
  if (taken.sentTo !== account.email) return { kind: 'void' }
  return { kind: 'opened', account: await confirm(context, { account, kind: taken.kind, ip: request.ip }) }
}

/**
 * The reader of the letter owns the address. Anyone who had set a password before that was known may be someone else,
 * who waits for the owner to come: unless this is the letter of their own sign-up, that password goes, with its
 * sessions.
 */
async function confirm(
  context: AuthContext,
  { account, kind, ip }: { readonly account: Account; readonly kind: CodeKind; readonly ip: string },
): Promise<Account> {
  if (account.emailConfirmedAt !== undefined) return account
  const at = context.now()
  const userMetadata = { ...account.userMetadata, email_verified: true }
  const confirmed = { emailConfirmedAt: at, updatedAt: at, userMetadata }
  const isOwnSignUp = kind === 'signup'
  if (!isOwnSignUp) await context.access.sessions.removeOf(account.id)
  const changed = await context.access.accounts.update(
    account.id,
    isOwnSignUp ? confirmed : { ...confirmed, passwordHash: undefined },
  )
  await context.audit.record({ actor: account.email, action: 'account.confirm-email', ip, details: { kind } })
  return changed === undefined || changed === 'taken' ? account : changed
}
