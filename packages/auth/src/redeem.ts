import type { Account, CodeKind, MailCode } from '@septet/domain'
import type { FastifyRequest } from 'fastify'

import { admits } from './admission.ts'
import type { AuthContext } from './auth-context.ts'
import { needNotBanned } from './bearer.ts'
import { agreeToChange, isHalfOfChange, type Redeemed } from './email-change.ts'

/** Does what a code is for. Refuses a banned account with 403 `user_banned`. */
export async function redeem(context: AuthContext, taken: MailCode, request: FastifyRequest): Promise<Redeemed> {
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
