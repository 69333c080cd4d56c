import {
  mayActAs,
  type Account,
  type AccessStore,
  type ApiToken,
  type Instant,
  type Role,
  isServiceAccount,
  serviceAccountName,
  type Transition,
} from '@septet/domain'
import { admits, foldEmail } from './admission.ts'
import type { AuthConfig } from './auth-config.ts'

/** What an address may do now: its role, and the only namespaces it sees (undefined for all). */
export type Standing = { readonly role: Role; readonly namespaces: readonly string[] | undefined }

/**
 * Reads it from the settings, from what admins decided and from what groups gave, at the time of asking. Undefined for an
 * address that is not admitted, also when it once was. The authorized address stays admin whatever is written about it,
 * so that no one can lock the owner out.
 */
export async function standingOf(
  email: string,
  { access: { members }, config: { authorized }, now }: Pick<StandingNeeds, 'now'> & StandingRows,
): Promise<Standing | undefined> {
  const folded = foldEmail(email)
  if (folded === authorized.admin) return { role: 'admin', namespaces: undefined }
  const member = await members.get(folded)
  // Groups let in by themselves. Once they are over nothing does: a viewer of everything may be more than they gave.
  const isLetIn = member?.until === undefined ? admits(authorized, email) : member.until > now()
  return isLetIn ? { role: member?.role ?? 'viewer', namespaces: member?.namespaces } : undefined
}

type StandingRows = {
  readonly access: Pick<AccessStore, 'members'>
  readonly config: Pick<AuthConfig, 'authorized'>
}

export type StandingNeeds = {
  readonly access: Pick<AccessStore, 'accounts' | 'members'>
  readonly config: Pick<AuthConfig, 'authorized'> & { readonly mode: Pick<AuthConfig['mode'], 'kind'> }
  readonly now: () => Instant
}

/**
 * What whoever had an address at some time may do now; undefined when they have gone. Anyone who has the address since
 * may be someone else. In hosted mode only the list of admitted addresses can tell.
 */
async function standingSince(email: string, since: Instant, needs: StandingNeeds): Promise<Standing | undefined> {
  const standing = await standingOf(email, needs)
  if (standing === undefined || needs.config.mode.kind === 'hosted') return standing
  const account = await needs.access.accounts.byEmail(email)
  return account !== undefined && account.createdAt <= since && !isBanned(account, needs.now()) ? standing : undefined
}

export const isBanned = (account: Account | undefined, now: Instant): boolean =>
  account?.bannedUntil !== undefined && account.bannedUntil > now

/** What a token may do now: never more than its maker. Undefined when it has ended, or its maker has gone. */
export async function standingOfToken(token: ApiToken, needs: StandingNeeds): Promise<Standing | undefined> {
  const { revokedAt, expiresAt } = token
  if (revokedAt !== undefined || (expiresAt !== undefined && expiresAt <= needs.now())) return undefined
  const maker = await standingSince(token.createdBy, token.createdAt, needs)
  return maker && { role: lesser(token.role, maker.role), namespaces: both(token.namespaces, maker.namespaces) }
}

export const lesser = (one: Role, other: Role): Role => (mayActAs(one, other) ? other : one)

function both(
  some: readonly string[] | undefined,
  others: readonly string[] | undefined,
): readonly string[] | undefined {
  if (some === undefined || others === undefined) return some ?? others
  return some.filter((each) => others.includes(each))
}

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
