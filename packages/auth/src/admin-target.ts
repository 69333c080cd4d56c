import type { Account, AccountChange, Factor } from '@septet/domain'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'
import { recordRefusedAdmin, type Bearer } from './bearer.ts'

/** The account that the path names. Refuses with 404 `validation_failed` for no UUID, 404 `user_not_found`. */
export async function targetAccount(context: AuthContext, request: FastifyRequest): Promise<Account> {
  const { data } = z.object({ user: z.uuid() }).safeParse(request.params)
  if (data === undefined) throw new AuthProblem(404, 'validation_failed', 'user_id must be an UUID')
  const found = await context.access.accounts.get(data.user)
  if (found === undefined) throw userNotFound()
  return found
}

/** That account's factor that the path names. */
export async function targetFactor(context: AuthContext, request: FastifyRequest, account: Account): Promise<Factor> {
  const { data } = z.object({ factor: z.uuid() }).safeParse(request.params)
  if (data === undefined) throw new AuthProblem(404, 'validation_failed', 'factor_id must be an UUID')
  const factors = await context.access.factors.ofAccount(account.id)
  const found = factors.find(({ id }) => id === data.factor)
  if (found === undefined) throw new AuthProblem(404, 'mfa_factor_not_found', 'Factor not found')
  return found
}

/**
 * Refuses to take the last admin away by accident: the authorized address, whose account is the one that can always let
 * others in, and the admin's own. `what` goes on as in "cannot be banned". 409 `conflict`, and it is written down.
 */
export async function needDispensable(
  context: AuthContext,
  { admin, request, account, what }: ByAdmin & { readonly account: Account; readonly what: string },
): Promise<void> {
  const isAuthorized = account.email === context.config.authorized.admin
  if (!isAuthorized && account.id !== admin.account.id) return
  await recordRefusedAdmin(context, { admin, request, object: account.email, because: `cannot be ${what}` })
  throw new AuthProblem(
    409,
    'conflict',
    isAuthorized
      ? `${account.email} is the authorized admin and cannot be ${what}: no one else is certain to have access. Name another address first in SEPTET_AUTHORIZED_EMAIL and restart Septet, then try again.`
      : `Your own account cannot be ${what}: ask another admin to do it.`,
  )
}

/**
 * Refuses to change what opens the owner's account (password, links, second factor) for anyone but the owner: whoever
 * was made an admin could otherwise become the one who made them. 403 `not_admin`, and it is written down.
 */
export async function needNotOwners(
  context: AuthContext,
  { admin, request, email }: ByAdmin & { readonly email: string },
): Promise<void> {
  if (email !== context.config.authorized.admin || admin.account.email === email) return
  const because = "only the owner changes the owner's account"
  await recordRefusedAdmin(context, { admin, request, object: email, because })
  throw new AuthProblem(
    403,
    'not_admin',
    `${email} is the authorized admin: only they change what opens their account.`,
  )
}

type ByAdmin = { readonly admin: Bearer; readonly request: FastifyRequest }

type AdminDeed = ByAdmin & {
  /** `account.create`, `factor.remove` … */
  readonly action: string
  /** Address of the account. */
  readonly object: string
  readonly details?: Readonly<Record<string, string | number | boolean>>
}

/** Writes down what an admin did with an account. */
export const recordDeed = async (
  { audit }: AuthContext,
  { admin, request, action, object, details = {} }: AdminDeed,
): Promise<unknown> =>
  audit.record({ actor: admin.account.email, action, object, ip: request.ip, details: { ...details, by: 'admin' } })

/** Changes an account, or refuses with 422 `email_exists` or 404 `user_not_found`. */
export async function changeAccount(context: AuthContext, account: Account, change: AccountChange): Promise<Account> {
  const written = await context.access.accounts.update(account.id, change)
  if (written === 'taken') throw emailExists()
  if (written === undefined) throw userNotFound()
  return written
}

/** 404 `user_not_found`. */
export const userNotFound = (): AuthProblem => new AuthProblem(404, 'user_not_found', 'User not found')

/** 422 `email_exists`. */
export const emailExists = (): AuthProblem =>
  new AuthProblem(422, 'email_exists', 'A user with this email address has already been registered')
