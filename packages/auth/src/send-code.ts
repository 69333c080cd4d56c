import type { Account, CodeKind } from '@septet/domain'
import type { AuthContext } from './auth-context.ts'
import { issueCode } from './codes.ts'
import { letterLink, verificationType } from './letter-link.ts'
import { writeLetter } from './letters.ts'

export type CodeLetter = {
  readonly account: Account
  readonly kind: CodeKind
  /** The account's own address, or the one that it is to have. */
  readonly sentTo: string
  /** Where the link leads in the end: from `safeRedirect`. Undefined for a letter without a link. */
  readonly redirectTo: string | undefined
  /** Network address of whoever asked. */
  readonly ip: string
  /** Address of the signed-in person who asked; undefined when nobody is signed in. */
  readonly askedBy?: string | undefined
}

/**
 * Makes a code in place of the last one of its kind and writes the letter that brings it. Ask `mailer.claim` first: it
 * keeps the pace. Gives the account as it is then. Never fails because of the mail server.
 */
export async function sendCode(context: AuthContext, letter: CodeLetter): Promise<Account> {
  const { account, kind, sentTo, redirectTo, ip, askedBy } = letter
  const at = context.now()
  const issued = await issueCode(context, { accountId: account.id, kind, sentTo })
  const marked = await context.access.accounts.update(account.id, { mailSentAt: { ...account.mailSentAt, [kind]: at } })
  await context.audit.record({
    actor: askedBy ?? 'visitor',
    action: 'account.send-code',
    object: account.email,
    ip,
    details: { kind, sentTo },
  })
  const link =
    redirectTo === undefined
      ? undefined
      : letterLink(context, { type: verificationType(kind), token: issued.linkToken, redirectTo })
  const words = writeLetter({
    kind,
    to: sentTo,
    code: issued.code,
    link,
    siteUrl: context.siteUrl(),
    expiresAt: issued.expiresAt,
    asked: { at, ip, by: askedBy === sentTo ? undefined : askedBy },
    hasPassword: account.passwordHash !== undefined,
    newEmail: account.newEmail,
  })
  // A mail server may take its time; nobody waits for it.
  context.mailer.later(async () => void (await context.mailer.send(words)))
  return marked === undefined || marked === 'taken' ? account : marked
}

/**
 * Asks for letters before it is known whether there is anybody to write to, and counts them for anyone who asks and for
 * their readers. `ip`: network address of whoever asks; undefined for an admin. Refuses with 429
 * `over_email_send_rate_limit` or `over_request_rate_limit`.
 */
export async function claimLetters(
  { limits, mailer }: Pick<AuthContext, 'limits' | 'mailer'>,
  ip: string | undefined,
  letters: readonly { readonly kind: CodeKind; readonly to: string }[],
): Promise<void> {
  const [first] = letters
  if (first === undefined) return
  // A request counts once, however many letters it brings.
  if (ip !== undefined) await limits.spendLetter(first.kind, { ip })
  for (const { kind, to } of letters) mailer.claim(kind, to)
  await Promise.all(letters.map(({ kind, to }) => limits.spendLetter(kind, { to })))
}
