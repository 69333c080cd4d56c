import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'
import { sameText } from './same-text.ts'

/**
 * Whether the one-time setup secret must be shown now: it is set, and the admin's account is not there yet. Without it
 * a stranger who finds a fresh installation before its owner does would take the owner's account.
 */
export async function needsSetupSecret(context: Pick<AuthContext, 'config' | 'access'>): Promise<boolean> {
  const { setupSecret, authorized } = context.config
  return setupSecret !== undefined && (await context.access.accounts.byEmail(authorized.admin)) === undefined
}

/**
 * Refuses to let an account have the admin's address, new or moved there, without the setup secret. Others need none.
 * `shown` is undefined where there is no place to show it: such a way never leads to that address, signing up does.
 */
export async function needSetupSecret(
  context: AuthContext,
  { email, shown, ip }: { readonly email: string; readonly shown: unknown; readonly ip: string },
): Promise<void> {
  if (email !== context.config.authorized.admin || !(await needsSetupSecret(context))) return
  // Anyone who shows nothing has not guessed either, and must not make the owner wait behind the same proxy.
  if (typeof shown !== 'string') throw withoutSecret()
  const attempt = context.limits.attempt('setup secret', ip)
  if (!sameText(shown, context.config.setupSecret ?? '')) throw withoutSecret()
  attempt.succeeded()
}

const withoutSecret = (): AuthProblem =>
  new AuthProblem(
    422,
    'email_address_not_authorized',
    'The first account needs the setup secret: sign up with this address, and enter the value of SEPTET_SETUP_SECRET that Septet was started with.',
  )
