import type { Account, AccountChange } from '@septet/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { userView, type UserView } from '../account-view.ts'
import {
  changeAccount,
  emailExists,
  needDispensable,
  needNotOwners,
  recordDeed,
  targetAccount,
  userNotFound,
} from '../admin-target.ts'
import { foldEmail } from '../admission.ts'
import { readAdminWish, type AdminWish } from '../admin-wish.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthProblem } from '../auth-problem.ts'
import { needAdmin } from '../bearer.ts'
import { newAccount } from '../new-account.ts'
import { pageHeaders, readPage } from '../page.ts'
import { readBody, readQuery, mergeMetadata } from '../read-body.ts'
import { needSetupSecret } from '../setup-secret.ts'

/** Accounts as admins see and change them. */
export function registerAdminUsers(server: FastifyInstance, context: AuthContext): void {
  server.get('/admin/users', (request, reply) => listUsers(context, request, reply))
  server.post('/admin/users', (request) => createUser(context, request))
  server.get('/admin/users/:user', (request) => showUser(context, request))
  server.put('/admin/users/:user', (request) => changeUser(context, request))
  server.delete('/admin/users/:user', (request) => removeUser(context, request))
}

const ListQuery = z.object({ filter: z.string().max(256).optional() })

async function listUsers(context: AuthContext, request: FastifyRequest, reply: FastifyReply): Promise<object> {
  await needAdmin(context, request)
  const { filter } = readQuery(ListQuery, request)
  const page = readPage(request)
  const { accounts, total } = await context.access.accounts.list({
    ...page,
    ...(filter === undefined ? {} : { filter: foldEmail(filter) }),
  })
  void reply.headers(pageHeaders('/admin/users', page, total))
  return { users: await Promise.all(accounts.map((account) => view(context, account))), aud: 'authenticated' }
}

async function createUser(context: AuthContext, request: FastifyRequest): Promise<UserView> {
  const admin = await needAdmin(context, request)
  const wish = await readAdminWish(context, request, undefined)
  if (wish.email === undefined) {
    throw new AuthProblem(400, 'validation_failed', 'Cannot create a user without an email address')
  }
  await needSetupSecret(context, { email: wish.email, shown: undefined, ip: request.ip })
  if (wish.id !== undefined && (await context.access.accounts.get(wish.id)) !== undefined) {
    throw new AuthProblem(422, 'user_already_exists', 'A user with this id has already been registered')
  }
  const made = await newAccount(context, {
    id: wish.id,
    email: wish.email,
    passwordHash: wish.passwordHash,
    metadata: mergeMetadata({}, wish.userMetadata),
    appMetadata: mergeMetadata({}, wish.appMetadata),
    confirmed: wish.confirmed,
  })
  if (made === undefined) throw emailExists()
  const account = wish.ban === undefined ? made : await changeAccount(context, made, wish.ban)
  await recordDeed(context, { admin, request, action: 'account.create', object: account.email, details: told(wish) })
  return view(context, account)
}

async function showUser(context: AuthContext, request: FastifyRequest): Promise<UserView> {
  await needAdmin(context, request)
  return view(context, await targetAccount(context, request))
}

async function changeUser(context: AuthContext, request: FastifyRequest): Promise<UserView> {
  const admin = await needAdmin(context, request)
  const account = await targetAccount(context, request)
  const wish = await readAdminWish(context, request, account.email)
  if (wish.ban?.bannedUntil !== undefined) await needDispensable(context, { admin, request, account, what: 'banned' })
  const isMoved = wish.email !== undefined && wish.email !== account.email
  if (isMoved) {
    await needDispensable(context, { admin, request, account, what: 'given another address here' })
    await needSetupSecret(context, { email: wish.email ?? '', shown: undefined, ip: request.ip })
  }
  await needNotOwners(context, { admin, request, email: account.email })
  const changed = await changeAccount(context, account, changeOf(context, account, wish))
  const ended = await endWhatIsVoid(context, account, { isMoved, hasPassword: wish.passwordHash !== undefined })
  const details = { ...told(wish), sessionsEnded: ended, ...(isMoved ? { before: account.email } : {}) }
  await recordDeed(context, { admin, request, action: 'account.change', object: changed.email, details })
  return view(context, changed)
}

function changeOf(context: AuthContext, account: Account, wish: AdminWish): AccountChange {
  const at = context.now()
  const email = wish.email ?? account.email
  const isMoved = email !== account.email
  // An address that an admin writes is not confirmed by that: the admin says so, or its owner does.
  const confirmedAt = isMoved ? undefined : account.emailConfirmedAt
  const emailConfirmedAt = wish.confirmed ? (confirmedAt ?? at) : confirmedAt
  return {
    ...wish.ban,
    ...(wish.passwordHash === undefined ? {} : { passwordHash: wish.passwordHash, newEmail: undefined }),
    ...(isMoved ? { email, newEmail: undefined } : {}),
    emailConfirmedAt,
    userMetadata: {
      ...mergeMetadata(account.userMetadata, wish.userMetadata),
      ...(isMoved ? movedMetadata(account.userMetadata, email) : {}),
      ...(wish.confirmed ? { email_verified: true } : {}),
    },
    appMetadata: { ...mergeMetadata(account.appMetadata, wish.appMetadata), provider: 'email', providers: ['email'] },
    updatedAt: at,
  }
}

/** What was written of the old address is written of the new one; what was not, is not. */
const movedMetadata = (before: Account['userMetadata'], email: string): Account['userMetadata'] => ({
  ...('email' in before ? { email } : {}),
  ...('email_verified' in before ? { email_verified: false } : {}),
})

/**
 * Anyone who is in with an old password is out; codes that went to an old address are void. How many sessions ended.
 */
async function endWhatIsVoid(
  { access }: AuthContext,
  { id }: Account,
  { isMoved, hasPassword }: { readonly isMoved: boolean; readonly hasPassword: boolean },
): Promise<number> {
  if (!isMoved && !hasPassword) return 0
  await access.codes.removeOf(id)
  return hasPassword ? access.sessions.removeOf(id) : 0
}

const RemoveBody = z.object({ should_soft_delete: z.boolean().nullish() })

async function removeUser(context: AuthContext, request: FastifyRequest): Promise<object> {
  const admin = await needAdmin(context, request)
  const account = await targetAccount(context, request)
  if (readBody(RemoveBody, request).should_soft_delete === true) {
    throw new AuthProblem(
      422,
      'feature_disabled',
      'Soft deletion is not offered: ban the account with ban_duration, or remove it for good',
    )
  }
  await needDispensable(context, { admin, request, account, what: 'removed' })
  if (!(await context.access.accounts.remove(account.id))) throw userNotFound()
  await recordDeed(context, { admin, request, action: 'account.remove', object: account.email })
  return {}
}

const view = async ({ access }: AuthContext, account: Account): Promise<UserView> =>
  userView(account, await access.factors.ofAccount(account.id))

/** What is written down of a wish: what it named, never what it said. */
const told = (wish: AdminWish): Record<string, string | boolean> => ({
  named: Object.entries({
    email: wish.email,
    password: wish.passwordHash,
    email_confirm: wish.confirmed ? true : undefined,
    user_metadata: wish.userMetadata ?? undefined,
    app_metadata: wish.appMetadata ?? undefined,
    ban: wish.ban,
  })
    .flatMap(([name, value]) => (value === undefined ? [] : [name]))
    .join(' '),
  ...(wish.ban === undefined ? {} : { banned: wish.ban.bannedUntil !== undefined }),
})
