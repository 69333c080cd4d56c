import type { Account, AuditFact, Session } from '@septet/domain'

import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'
import type { Bearer } from './bearer.ts'
import { takeByCode } from './codes.ts'
import { gone } from './email-change.ts'
import { needGoodPassword } from './password-rules.ts'

export type PasswordWish = {
  readonly password: string
  readonly currentPassword: string | undefined
  /** Code from a letter that was asked for with `reauthenticate`. */
  readonly nonce: string | undefined
  readonly ip: string
}

/**
 * Gives an account another password. Every other session of it ends, and every code is void,
 * so that whoever was in with the old one is out. Needs a proof beside the access token unless the sign-in is recent.
 */
export async function changePassword(context: AuthContext, bearer: Bearer, wish: PasswordWish): Promise<Account> {
  const { account, session } = bearer
  await needGoodPassword(wish.password, account.email)
  await needProof(context, bearer, wish).catch(async (error: unknown) => {
    if (error instanceof AuthProblem) await record(context, bearer, { wish, details: { because: error.code } })
    throw error
  })
  if (
    account.passwordHash !== undefined &&
    (await context.passwords.matches(account.passwordHash, wish.password, wish.ip))
  ) {
    throw new AuthProblem(422, 'same_password', 'New password should be different from the old password.')
  }
  const passwordHash = await context.passwords.hash(wish.password, wish.ip)
  // An address that waits to become the account's may have been asked for by whoever is now kept out.
  const changed = await context.access.accounts.update(account.id, {
    passwordHash,
    newEmail: undefined,
    updatedAt: context.now(),
  })
  if (changed === undefined || changed === 'taken') throw gone()
  const ended = await context.access.sessions.removeOf(account.id, session.id)
  await context.access.codes.removeOf(account.id)
  await record(context, bearer, { wish, details: { sessionsEnded: ended } })
  return changed
}

const record = async (
  { audit }: AuthContext,
  { account }: Bearer,
  { wish, details }: { readonly wish: PasswordWish; readonly details: AuditFact['details'] },
): Promise<unknown> =>
  audit.record({
    actor: account.email,
    action: 'account.change-password',
    outcome: 'because' in details ? 'refused' : 'done',
    ip: wish.ip,
    details,
  })

/** Anyone who found an unlocked browser, or a token, must not take the account with it. */
async function needProof(context: AuthContext, { account, session }: Bearer, wish: PasswordWish): Promise<void> {
  if (wish.nonce !== undefined) return needNonce(context, account, wish.nonce)
  if (wish.currentPassword !== undefined && account.passwordHash !== undefined) {
    return needCurrentPassword(context, account, { password: wish.currentPassword, ip: wish.ip })
  }
  if (isRecent(context, session)) return
  throw account.passwordHash === undefined
    ? new AuthProblem(400, 'reauthentication_needed', 'Password update requires reauthentication')
    : new AuthProblem(400, 'current_password_required', 'Current password required when setting new password.')
}

async function needNonce(context: AuthContext, account: Account, nonce: string): Promise<void> {
  const wish = { address: account.email, code: nonce.trim() }
  await context.limits.spendOn('code', account.email)
  if ((await takeByCode(context, ['reauthentication'], wish)) !== undefined) return
  throw new AuthProblem(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid')
}

async function needCurrentPassword(
  context: AuthContext,
  account: Account,
  { password, ip }: { readonly password: string; readonly ip: string },
): Promise<void> {
  const attempt = context.limits.attempt(account.email, ip)
  if (!(await context.passwords.matches(account.passwordHash, password, ip))) {
    throw new AuthProblem(400, 'current_password_invalid', 'Current password is not valid')
  }
  attempt.succeeded()
}

/**
 * How long after it a sign-in is proof enough, milliseconds. One by letter lasts as long as its code: that is how a
 * forgotten password is replaced.
 */
const RECENT_PASSWORD = 600_000
const RECENT_LETTER = 3_600_000
const BY_LETTER = new Set(['otp', 'magiclink', 'recovery', 'invite', 'email/signup', 'email_change'])

const isRecent = (context: AuthContext, { methods }: Session): boolean =>
  methods.some(({ method, at }) => {
    const life = BY_LETTER.has(method) ? RECENT_LETTER : method === 'password' ? RECENT_PASSWORD : 0
    return context.now() - at * 1000 < life
  })
