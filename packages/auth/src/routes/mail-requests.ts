import type { Account, CodeKind, JsonRecord } from '@septet/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { admits, needAdmitted, needEmail } from '../admission.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthProblem } from '../auth-problem.ts'
import { needBearer } from '../bearer.ts'
import { resendEmailChange } from '../email-change.ts'
import { MAIL_GAP } from '../mail-pace.ts'
import { newAccount } from '../new-account.ts'
import { readBody, mergeMetadata, MetadataSchema } from '../read-body.ts'
import { redirectOf } from '../redirect.ts'
import { sendCode, claimLetters } from '../send-code.ts'
import { needsSetupSecret } from '../setup-secret.ts'
import { isBanned } from '../standing.ts'

/**
 * Everything that asks for a letter. The answer is the same whether or not there is anybody to write to, and it goes out
 * before that is looked up, so neither words nor time tell who has an account.
 */
export function registerMailRequests(server: FastifyInstance, context: AuthContext): void {
  server.post('/recover', (request) => recover(context, request))
  server.post('/otp', (request) => sendSignInCode(context, request))
  // The old name of the same thing.
  server.post('/magiclink', (request) => sendSignInCode(context, request))
  server.post('/resend', (request) => resend(context, request))
  server.get('/reauthenticate', { exposeHeadRoute: false }, (request) => reauthenticate(context, request))
}

const EmailBody = z.object({ email: z.string().nullish(), phone: z.string().nullish() })
const OtpBody = EmailBody.extend({
  create_user: z.boolean().nullish(),
  data: MetadataSchema,
})
const ResendBody = EmailBody.extend({ type: z.string().nullish() })

async function recover(context: AuthContext, request: FastifyRequest): Promise<object> {
  await context.limits.spend('recover', request.ip)
  const body = readBody(EmailBody, request)
  const email = addressOf(body)
  const letter = await claimLetter(context, request, { kind: 'recovery', email })
  context.mailer.later(async () => sendIfDue(context, await accountOf(context, email), letter))
  return {}
}

async function sendSignInCode(context: AuthContext, request: FastifyRequest): Promise<object> {
  await context.limits.spend('otp', request.ip)
  const body = readBody(OtpBody, request)
  const email = addressOf(body)
  const mayCreate = body.create_user ?? true
  if (mayCreate) needAdmitted(context, email)
  const metadata = mergeMetadata({}, body.data)
  const letter = await claimLetter(context, request, { kind: 'magiclink', email })
  context.mailer.later(async () => {
    const found = await accountOf(context, email)
    const account = found ?? (mayCreate ? await makeAccount(context, { email, metadata, ip: request.ip }) : undefined)
    await sendIfDue(context, account, letter)
  })
  return {}
}

async function resend(context: AuthContext, request: FastifyRequest): Promise<object> {
  await context.limits.spend('resend', request.ip)
  const body = readBody(ResendBody, request)
  if (body.type === 'sms' || body.type === 'phone_change') throw noPhone()
  if (body.type !== 'signup' && body.type !== 'email_change') {
    throw new AuthProblem(400, 'validation_failed', 'Type provided must be one of signup or email_change')
  }
  const isSignUp = body.type === 'signup'
  const email = addressOf(body)
  const kind = isSignUp ? 'signup' : 'email_change_current'
  const letter = await claimLetter(context, request, { kind, email })
  context.mailer.later(async () => {
    const account = await accountOf(context, email)
    if (account === undefined) return
    if (!isSignUp) await resendEmailChange(context, { ...letter, account })
    else if (account.emailConfirmedAt === undefined) await sendIfDue(context, account, letter)
  })
  return {}
}

async function reauthenticate(context: AuthContext, request: FastifyRequest): Promise<object> {
  const { account } = await needBearer(context, request)
  await context.limits.spend('user', request.ip)
  if (account.emailConfirmedAt === undefined) {
    throw new AuthProblem(422, 'email_not_confirmed', 'Please verify your email first.')
  }
  const { email } = account
  const letter = await claimLetter(context, request, { kind: 'reauthentication', email })
  context.mailer.later(() => sendIfDue(context, account, { ...letter, redirectTo: undefined, askedBy: email }))
  return {}
}

/** A letter that was asked for, before it is known whether there is anybody to write to. */
type AskedLetter<RedirectTo> = {
  readonly kind: CodeKind
  readonly email: string
  readonly redirectTo: RedirectTo
  readonly ip: string
  readonly askedBy?: string
}

async function claimLetter(
  context: AuthContext,
  request: FastifyRequest,
  asked: Pick<AskedLetter<string>, 'kind' | 'email'>,
): Promise<AskedLetter<string>> {
  await claimLetters(context, request.ip, [{ kind: asked.kind, to: asked.email }])
  return { ...asked, redirectTo: redirectOf(context, request), ip: request.ip }
}

/** Whose address it is, if letters may go there: not to someone who is banned, or no longer admitted. */
async function accountOf(context: AuthContext, email: string): Promise<Account | undefined> {
  const account = await context.access.accounts.byEmail(email)
  return isBanned(account, context.now()) || !admits(context.config.authorized, email) ? undefined : account
}

/** Another server, or this one before it was started again, may have sent one within the last minute. */
async function sendIfDue(
  context: AuthContext,
  account: Account | undefined,
  letter: AskedLetter<string | undefined>,
): Promise<void> {
  const sentAt = account?.mailSentAt[letter.kind]
  if (account === undefined || (sentAt !== undefined && context.now() - sentAt < MAIL_GAP)) return
  await sendCode(context, { ...letter, account, sentTo: account.email })
}

/** An account without a password, which the code in the letter opens. */
async function makeAccount(
  context: AuthContext,
  { email, metadata, ip }: { readonly email: string; readonly metadata: JsonRecord; readonly ip: string },
): Promise<Account | undefined> {
  // The first admin's account asks for more than an address where a setup secret is set: it is made by signing up.
  if (email === context.config.authorized.admin && (await needsSetupSecret(context))) return undefined
  const wish = { email, passwordHash: undefined, metadata, confirmed: false, signedUp: true }
  const account = await newAccount(context, wish)
  if (account === undefined) return context.access.accounts.byEmail(email)
  const details = { by: 'code' }
  await context.audit.record({ actor: 'visitor', action: 'account.sign-up', object: email, ip, details })
  return account
}

function addressOf({ email, phone }: z.infer<typeof EmailBody>): string {
  if (email) return needEmail(email)
  if (phone) throw noPhone()
  throw new AuthProblem(400, 'validation_failed', 'An email address is required')
}

const noPhone = (): AuthProblem => new AuthProblem(400, 'phone_provider_disabled', 'Unsupported phone provider')
