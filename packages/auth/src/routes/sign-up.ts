import type { Account, JsonRecord } from '@septet/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { userView, type UserView } from '../account-view.ts'
import { needAdmitted, needEmail } from '../admission.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthProblem } from '../auth-problem.ts'
import { accountOf, newAccount } from '../new-account.ts'
import { needGoodPassword } from '../password-rules.ts'
import { readBody, mergeMetadata, MetadataSchema } from '../read-body.ts'
import { redirectOf } from '../redirect.ts'
import { sendCode, claimLetters } from '../send-code.ts'
import { startSession, type WireSession } from '../sessions.ts'
import { needSetupSecret } from '../setup-secret.ts'

/** `POST /signup`: an account for an admitted address; a session at once, or a letter first where addresses are confirmed. */
export function registerSignUp(server: FastifyInstance, context: AuthContext): void {
  server.post('/signup', (request) => signUp(context, request))
}

async function signUp(context: AuthContext, request: FastifyRequest): Promise<WireSession | UserView> {
  await context.limits.spend('signup', request.ip)
  const wish = await readWish(context, request)
  return context.config.confirmEmail ? signUpToConfirm(context, request, wish) : signUpAtOnce(context, request, wish)
}

const Body = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  data: MetadataSchema,
})

type Wish = {
  readonly email: string
  readonly password: string
  readonly metadata: JsonRecord
}

/** Everything that can be refused without touching a row: first who may, then with what. */
async function readWish(context: AuthContext, request: FastifyRequest): Promise<Wish> {
  const body = readBody(Body, request)
  if (!body.email && body.phone) throw new AuthProblem(400, 'phone_provider_disabled', 'Phone signups are disabled')
  if (!body.email) throw new AuthProblem(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  const email = needEmail(body.email)
  needAdmitted(context, email)
  const { setup_secret: shown, ...data } = body.data ?? {}
  await needSetupSecret(context, { email, shown, ip: request.ip })
  if (!body.password) throw new AuthProblem(400, 'validation_failed', 'Signup requires a valid password')
  await needGoodPassword(body.password, email)
  return { email, password: body.password, metadata: mergeMetadata({}, data) }
}

async function signUpAtOnce(context: AuthContext, request: FastifyRequest, wish: Wish): Promise<WireSession> {
  const passwordHash = await context.passwords.hash(wish.password, request.ip)
  const account = await newAccount(context, { ...wish, passwordHash, confirmed: true, signedUp: true })
  await recordSignUp(context, request, { email: wish.email, made: account !== undefined })
  if (account === undefined) throw new AuthProblem(422, 'user_already_exists', 'User already registered')
  return startSession(context, { account, method: 'password', request })
}

/**
 * An address that has an account gets no letter, and the protocol's made-up user as the answer: clients tell it by its
 * empty `identities`, and say so in their own words.
 */
async function signUpToConfirm(context: AuthContext, request: FastifyRequest, wish: Wish): Promise<UserView> {
  await claimLetters(context, request.ip, [{ kind: 'signup', to: wish.email }])
  const passwordHash = await context.passwords.hash(wish.password, request.ip)
  const made = await newAccount(context, { ...wish, passwordHash, confirmed: false, signedUp: true })
  await recordSignUp(context, request, { email: wish.email, made: made !== undefined })
  const account = made ?? (await again(context, wish, request.ip))
  if (account === undefined) return madeUpUser(context, wish)
  const redirectTo = redirectOf(context, request)
  const letter = { account, kind: 'signup', sentTo: account.email, redirectTo, ip: request.ip } as const
  return userView(await sendCode(context, letter), [])
}

/**
 * A second sign-up before the first was confirmed may be anyone's, and so may the first. A password counts only if all of
 * them chose it; otherwise none does, and the one who confirms chooses another. Undefined when the account is confirmed.
 */
async function again(context: AuthContext, { email, password }: Wish, ip: string): Promise<Account | undefined> {
  const found = await context.access.accounts.byEmail(email)
  if (found === undefined || found.emailConfirmedAt !== undefined || found.invitedAt !== undefined) return undefined
  if (await context.passwords.matches(found.passwordHash, password, ip)) return found
  const change = { passwordHash: undefined, updatedAt: context.now() }
  const changed = await context.access.accounts.update(found.id, change)
  return changed === 'taken' ? undefined : changed
}

function madeUpUser(context: AuthContext, { email, metadata }: Wish): UserView {
  const at = context.now()
  const account = accountOf({ email, metadata, passwordHash: undefined, confirmed: false }, at)
  return { ...userView({ ...account, mailSentAt: { signup: at } }, []), role: '', identities: [] }
}

const recordSignUp = async (
  { audit }: AuthContext,
  request: FastifyRequest,
  { email, made }: { readonly email: string; readonly made: boolean },
): Promise<unknown> =>
  audit.record({
    actor: email,
    action: 'account.sign-up',
    outcome: made ? 'done' : 'refused',
    ip: request.ip,
    details: made ? {} : { because: 'has an account' },
  })
