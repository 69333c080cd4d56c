import type { Account } from '@septet/domain'

import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'

/** What `app_metadata.provider` says of an account that a sign-in provider answers for. */
export const MANAGED = 'sso'

/**
 * Refuses what would let somebody in without their provider's word, so that whoever loses their place there has lost it
 * here too: a password or a letter of such an account. Once no provider is set it is an account like any other.
 */
export function needNotManaged({ config }: Pick<AuthContext, 'config'>, account: Account): void {
  if (config.sso === undefined || account.appMetadata['provider'] !== MANAGED) return
  const message = `This account signs in with ${config.sso.name}; its password and address are kept there.`
  throw new AuthProblem(422, 'user_sso_managed', message)
}
