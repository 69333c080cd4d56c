import { isServiceAccount, serviceAccountName, type AccessStore, type Instant, type Role } from '@septet/domain'

import type { AuthConfig } from './auth-config.ts'
import { standingOfToken, standingSince, type StandingNeeds } from './standing.ts'

export type RoleNeeds = Omit<StandingNeeds, 'access' | 'config'> & {
  readonly config: StandingNeeds['config'] & Pick<AuthConfig, 'serviceAccounts'>
  readonly access: Pick<AccessStore, 'accounts' | 'members' | 'tokens'>
}

/**
 * What somebody who decided something may do now, named as callers are: an address, `token:NAME`, or a service
 * account. Undefined: nothing any more.
 */
export async function roleNow(name: string, decidedAt: Instant, needs: RoleNeeds): Promise<Role | undefined> {
  if (isServiceAccount(name)) {
    return needs.config.serviceAccounts.find((grant) => serviceAccountName(grant) === name)?.role
  }
  if (!name.startsWith('token:')) return (await standingSince(name, decidedAt, needs))?.role
  const tokens = (await needs.access.tokens.list()).filter(
    (token) => `token:${token.name}` === name && token.createdAt <= decidedAt,
  )
  for (const token of tokens) {
    const standing = await standingOfToken(token, needs)
    if (standing !== undefined) return standing.role
  }
  return undefined
}
