import type { CodeKind } from '@septet/domain'

import type { AuthContext } from './auth-context.ts'

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
