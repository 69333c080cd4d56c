import type { Account, CodeKind, JsonRecord } from '@septet/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { issuerOf } from '../access-token.ts'
import { userView, type UserView } from '../account-view.ts'
import { changeAccount, emailExists, needNotOwners, recordDeed, userNotFound } from '../admin-target.ts'
import { needAdmitted, needEmail } from '../admission.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthProblem } from '../auth-problem.ts'
import { needAdmin } from '../bearer.ts'
import { issueCode } from '../codes.ts'
import { verificationType } from '../letter-link.ts'
import { newAccount } from '../new-account.ts'
import { needGoodPassword } from '../password-rules.ts'
import { readBody, mergeMetadata, MetadataSchema } from '../read-body.ts'
import { redirectOf } from '../redirect.ts'
import { sendCode, claimLetters } from '../send-code.ts'
import { needSetupSecret } from '../setup-secret.ts'

/** How admins let people in: by a letter, or by a link that they hand on themselves. */
export function registerAdminLinks(server: FastifyInstance, context: AuthContext): void {
  server.post('/invite', (request) => invite(context, request))
  server.post('/admin/generate_link', (request) => generateLink(context, request))
}

const InviteBody = z.object({ email: z.string().nullish(), data: MetadataSchema })

async function invite(context: AuthContext, request: FastifyRequest): Promise<UserView> {
  const admin = await needAdmin(context, request)
  const body = readBody(InviteBody, request)
  const email = needEmail(body.email ?? '')
  needAdmitted(context, email)
  const metadata = mergeMetadata({}, body.data)
  if ((await context.access.accounts.byEmail(email))?.emailConfirmedAt !== undefined) throw emailExists()
  await claimLetters(context, undefined, [{ kind: 'invite', to: email }])
  const account = await invited(context, request, { email, metadata })
  const askedBy = admin.account.email
  const redirectTo = redirectOf(context, request)
  const letter = { account, kind: 'invite', sentTo: email, redirectTo, ip: request.ip, askedBy } as const
  const sent = await sendCode(context, letter)
  await recordDeed(context, { admin, request, action: 'account.invite', object: email })
  return userView(sent, [])
}

type Invited = { readonly email: string; readonly metadata: JsonRecord }

/** An account that its owner opens with a code; one that is confirmed already needs no invitation. */
async function invited(context: AuthContext, request: FastifyRequest, { email, metadata }: Invited): Promise<Account> {
  await needSetupSecret(context, { email, shown: undefined, ip: request.ip })
  const wish = { email, metadata, passwordHash: undefined, confirmed: false, invited: true }
  const made = await newAccount(context, wish)
  if (made !== undefined) return made
  const found = await context.access.accounts.byEmail(email)
  if (found === undefined) throw userNotFound()
  if (found.emailConfirmedAt !== undefined) throw emailExists()
  const at = context.now()
  const userMetadata = mergeMetadata(found.userMetadata, metadata)
  return changeAccount(context, found, { invitedAt: at, updatedAt: at, userMetadata })
}

const LinkBody = z.object({
  type: z.enum(['signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new']),
  email: z.string().nullish(),
  new_email: z.string().nullish(),
  password: z.string().nullish(),
  data: MetadataSchema,
})
type LinkWish = {
  readonly email: string
  readonly body: z.infer<typeof LinkBody>
  readonly metadata: JsonRecord
}

/** Makes what a letter would have brought, and sends none. */
async function generateLink(context: AuthContext, request: FastifyRequest): Promise<object> {
  const admin = await needAdmin(context, request)
  const body = readBody(LinkBody, request)
  const email = needEmail(body.email ?? '')
  needAdmitted(context, email)
  await needSetupSecret(context, { email, shown: undefined, ip: request.ip })
  await needNotOwners(context, { admin, request, email })
  const wish = { email, body, metadata: mergeMetadata({}, body.data) }
  const account = await accountFor[body.type](context, request, wish)
  const kind: CodeKind = body.type
  const sentTo = kind === 'email_change_new' ? (account.newEmail ?? email) : email
  const issued = await issueCode(context, { accountId: account.id, kind, sentTo })
  const redirectTo = redirectOf(context, request)
  await recordDeed(context, { admin, request, action: 'account.make-link', object: email, details: { kind, sentTo } })
  return {
    ...userView(account, await context.access.factors.ofAccount(account.id)),
    action_link: actionLink(context, { kind, token: issued.linkToken, redirectTo }),
    email_otp: issued.code,
    hashed_token: issued.linkToken,
    verification_type: kind,
    redirect_to: redirectTo,
  }
}

/** In the protocol's own form, which clients take apart; it leads to the page that letters lead to. */
function actionLink(
  context: AuthContext,
  { kind, token, redirectTo }: { readonly kind: CodeKind; readonly token: string; readonly redirectTo: string },
): string {
  const query = new URLSearchParams({ token, type: verificationType(kind), redirect_to: redirectTo })
  return `${issuerOf(context)}/verify?${query.toString()}`
}

type AccountFor = (context: AuthContext, request: FastifyRequest, wish: LinkWish) => Promise<Account>

const accountFor = {
  signup: signedUp,
  invite: invited,
  magiclink: async (context, _request, wish) =>
    (await context.access.accounts.byEmail(wish.email)) ?? withoutPassword(context, wish),
  recovery: (context, _request, { email }) => existing(context, email),
  email_change_current: moving,
  email_change_new: moving,
} satisfies Record<z.infer<typeof LinkBody>['type'], AccountFor>

async function signedUp(context: AuthContext, _request: FastifyRequest, wish: LinkWish): Promise<Account> {
  const { email, metadata, body } = wish
  if (!body.password) throw new AuthProblem(400, 'validation_failed', 'Signup requires a valid password')
  await needGoodPassword(body.password, email)
  const found = await context.access.accounts.byEmail(email)
  if (found?.emailConfirmedAt !== undefined) throw emailExists()
  const passwordHash = await context.passwords.hash(body.password)
  if (found !== undefined) return changeAccount(context, found, { passwordHash, updatedAt: context.now() })
  return needMade(await newAccount(context, { email, metadata, passwordHash, confirmed: false }))
}

const withoutPassword = async (context: AuthContext, { email, metadata }: LinkWish): Promise<Account> =>
  needMade(await newAccount(context, { email, metadata, passwordHash: undefined, confirmed: false }))

function needMade(account: Account | undefined): Account {
  if (account === undefined) throw emailExists()
  return account
}

async function existing(context: AuthContext, email: string): Promise<Account> {
  const found = await context.access.accounts.byEmail(email)
  if (found === undefined) throw userNotFound()
  return found
}

/** Both halves are for one new address: asking for another one begins again. */
async function moving(context: AuthContext, request: FastifyRequest, { email, body }: LinkWish): Promise<Account> {
  const account = await existing(context, email)
  const newEmail = needEmail(body.new_email ?? '')
  needAdmitted(context, newEmail)
  await needSetupSecret(context, { email: newEmail, shown: undefined, ip: request.ip })
  if ((await context.access.accounts.byEmail(newEmail)) !== undefined) throw emailExists()
  return newEmail === account.newEmail
    ? account
    : changeAccount(context, account, { newEmail, updatedAt: context.now() })
}
