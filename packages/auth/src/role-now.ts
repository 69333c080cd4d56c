import {
  isServiceAccount,
  serviceAccountName,
  type AccessStore,
  type ApiToken,
  type Role,
  type Transition,
} from '@septet/domain'

import type { AuthConfig } from './auth-config.ts'
import { standingOfToken, standingSince, type StandingNeeds } from './standing.ts'

export type RoleNeeds = Omit<StandingNeeds, 'access' | 'config'> & {
  readonly config: StandingNeeds['config'] & Pick<AuthConfig, 'serviceAccounts'>
  readonly access: Pick<AccessStore, 'accounts' | 'members' | 'tokens'>
}

/** A decision, as a run keeps it: when it was, and whose. */
type Decision = Pick<Transition, 'at' | 'by' | 'caller'>

/** What whoever decided something may do now. Undefined: nothing any more. */
export async function roleNow(decision: Decision, needs: RoleNeeds): Promise<Role | undefined> {
  const { at, by } = decision
  if (isServiceAccount(by)) return needs.config.serviceAccounts.find((grant) => serviceAccountName(grant) === by)?.role
  if (!by.startsWith('token:')) return (await standingSince(by, at, needs))?.role
  const token = (await needs.access.tokens.list()).find((each) => isTokenOf(decision, each))
  return token && (await standingOfToken(token, needs))?.role
}

/** No two tokens have one id; of a decision from before ids were kept, it is the one that had the name then. */
const isTokenOf = ({ at, by, caller }: Decision, token: ApiToken): boolean =>
  caller === undefined
    ? by === `token:${token.name}` && token.createdAt <= at && token.revokedAt === undefined
    : caller === `token:${token.id}`
