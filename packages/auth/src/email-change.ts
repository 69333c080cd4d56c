import { randomUUID } from 'node:crypto'
import { instant, type Account, type CodeKind, type MailCode } from '@septet/domain'
import { emailExists } from './admin-target.ts'
import { needAdmitted } from './admission.ts'
import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'
import { MAIL_GAP } from './mail-pace.ts'
import { sendCode, claimLetters } from './send-code.ts'
import { needSetupSecret } from './setup-secret.ts'

/** What a code that was taken brought. */
export type Redeemed =
  /** It opens the account, whose address is confirmed now. */
  | { readonly kind: 'opened'; readonly account: Account }
  /** The other address must still agree. */
  | { readonly kind: 'half' }
  /** There is nothing left that it could be for. */
  | { readonly kind: 'void' }

export type EmailChangeWish = {
  readonly account: Account
  /** Folded, and not the account's own. */
  readonly newEmail: string
  readonly redirectTo: string
  readonly ip: string
}

/**
 * Whether an account may ask to move to an address: refuses one that may not have an account, the admin's while only the
 * setup secret opens that, one that has an account, and a second request within a minute.
 */
export async function needFreeAddress(
  context: AuthContext,
  { account, newEmail, ip }: Pick<EmailChangeWish, 'account' | 'newEmail' | 'ip'>,
): Promise<void> {
  needAdmitted(context, newEmail)
  await needSetupSecret(context, { email: newEmail, shown: undefined, ip })
  if ((await context.access.accounts.byEmail(newEmail)) !== undefined) throw emailExists()
  await claimLetters(context, ip, [
    { kind: 'email_change_current', to: account.email },
    { kind: 'email_change_new', to: newEmail },
  ])
}

/**
 * Begins to move an account to another address, which `needFreeAddress` allowed: a letter goes to both, and nothing
 * changes before both have agreed. Gives the account with the address that waits.
 */
export async function beginEmailChange(context: AuthContext, wish: EmailChangeWish): Promise<Account> {
  const { account, newEmail } = wish
  const waiting = await context.access.accounts.update(account.id, { newEmail, updatedAt: context.now() })
  if (waiting === undefined || waiting === 'taken') throw gone()
  const fact = { actor: account.email, action: 'account.ask-email-change', ip: wish.ip, details: { newEmail } }
  await context.audit.record(fact)
  return sendBoth(context, { ...wish, account: waiting, askedBy: account.email })
}

/** Sends the letters of a change that waits once more: to those who have not agreed yet, once a minute. */
export async function resendEmailChange(
  context: AuthContext,
  { account, redirectTo, ip }: Omit<EmailChangeWish, 'newEmail'>,
): Promise<void> {
  if (account.newEmail === undefined) return
  await sendBoth(context, { account, newEmail: account.newEmail, redirectTo, ip, askedBy: undefined })
}

async function sendBoth(
  context: AuthContext,
  { account, newEmail, askedBy, ...rest }: EmailChangeWish & { readonly askedBy: string | undefined },
): Promise<Account> {
  let latest = account
  for (const [kind, sentTo] of [
    ['email_change_current', account.email],
    ['email_change_new', newEmail],
  ] as const) {
    const isDue = askedBy !== undefined || (await isOutstanding(context, account, kind))
    if (isDue) latest = await sendCode(context, { ...rest, account: latest, kind, sentTo, askedBy })
  }
  return latest
}

async function isOutstanding(context: AuthContext, account: Account, kind: Half): Promise<boolean> {
  const sentAt = account.mailSentAt[kind]
  if (sentAt !== undefined && context.now() - sentAt < MAIL_GAP) return false
  return (await agreement(context, account, kind)) === undefined
}

/**
 * Notes that one of the two addresses agrees, and changes the account's once both have. Its sessions go on; what they may
 * do follows from the new address at once, as the row is read on each request.
 */
export async function agreeToChange(context: AuthContext, taken: MailCode, ip: string): Promise<Redeemed> {
  const account = await context.access.accounts.get(taken.accountId)
  const newEmail = account?.newEmail
  if (account === undefined || newEmail === undefined || !isHalfOfChange(taken.kind)) return { kind: 'void' }
  if (taken.sentTo !== (taken.kind === 'email_change_new' ? newEmail : account.email)) return { kind: 'void' }
  await context.access.codes.put({
    ...taken,
    id: randomUUID(),
    hash: agreementHash(context, account, taken.kind),
    sentTo: NOBODY,
  })
  // Noted before it is looked for, so that of two that agree at the same moment at least one sees both.
  const [current, next] = await Promise.all([
    agreement(context, account, 'email_change_current'),
    agreement(context, account, 'email_change_new'),
  ])
  if (current === undefined || next === undefined) return { kind: 'half' }
  // And only one of them goes on.
  if (!(await context.access.codes.take(current.id))) return { kind: 'half' }
  return { kind: 'opened', account: await change(context, { account, newEmail, ip }) }
}

async function change(
  context: AuthContext,
  { account, newEmail, ip }: { readonly account: Account; readonly newEmail: string; readonly ip: string },
): Promise<Account> {
  needAdmitted(context, newEmail)
  // Asked once more: the settings may have named this address as the admin's while the change waited.
  await needSetupSecret(context, { email: newEmail, shown: undefined, ip })
  const at = context.now()
  const changed = await context.access.accounts.update(account.id, {
    email: newEmail,
    newEmail: undefined,
    userMetadata: { ...account.userMetadata, email: newEmail, email_verified: true },
    emailConfirmedAt: at,
    updatedAt: at,
  })
  if (changed === 'taken') throw emailExists()
  if (changed === undefined) throw gone()
  await context.access.codes.removeOf(account.id)
  await context.audit.record({
    actor: account.email,
    action: 'account.change-email',
    object: newEmail,
    ip,
    details: { before: account.email },
  })
  return changed
}

type Half = 'email_change_current' | 'email_change_new'

/** Whether a code is one of the two that a change of address needs. */
export const isHalfOfChange = (kind: CodeKind): kind is Half =>
  kind === 'email_change_current' || kind === 'email_change_new'

/**
 * An agreement stands in the place of the code that was used for it, sent to nobody, so it lasts no longer than the code
 * would have and a new request replaces it. It holds for one new address only.
 */
async function agreement(context: AuthContext, account: Account, kind: Half): Promise<MailCode | undefined> {
  const found = await context.access.codes.ofAccount(account.id, kind)
  const isOne = found !== undefined && found.hash === agreementHash(context, account, kind)
  return isOne && found.expiresAt > instant(context.now()) ? found : undefined
}

/** No address, as it has no `@`: no digits lead to an agreement. */
const NOBODY = 'agreed'

const agreementHash = ({ secrets }: AuthContext, account: Account, kind: Half): string =>
  secrets.keyedHash('email-change/agreement', JSON.stringify([account.id, kind, account.email, account.newEmail]))

/** 403 `user_not_found`. */
export const gone = (): AuthProblem => new AuthProblem(403, 'user_not_found', 'The account is gone')
