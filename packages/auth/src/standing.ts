import { mayActAs, type AccessStore, type ApiToken, type Instant, type Role } from '@septet/domain'

import { admits, foldEmail } from './admission.ts'
import type { AuthConfig, AuthorizedEmails } from './auth-config.ts'

/** What an address may do now: its role, and the only namespaces it sees (undefined for all). */
export type Standing = { readonly role: Role; readonly namespaces: readonly string[] | undefined }

/**
 * Reads it from the settings, from what admins decided and from what groups gave, at the time of asking. Undefined for an
 * address that is not admitted, also when it once was. The authorized address stays admin whatever is written about it,
 * so that no one can lock the owner out.
 */
export async function standingOf(
  email: string,
  {
    authorized,
    members,
    now,
  }: { readonly authorized: AuthorizedEmails; readonly members: AccessStore['members']; readonly now: Instant },
): Promise<Standing | undefined> {
  const folded = foldEmail(email)
  if (folded === authorized.admin) return { role: 'admin', namespaces: undefined }
  const member = await members.get(folded)
  // Groups let in by themselves. Once they are over nothing does: a viewer of everything may be more than they gave.
  const isLetIn = member?.until === undefined ? admits(authorized, email) : member.until > now
  return isLetIn ? { role: member?.role ?? 'viewer', namespaces: member?.namespaces } : undefined
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
export async function standingSince(
  email: string,
  since: Instant,
  { access, config, now }: StandingNeeds,
): Promise<Standing | undefined> {
  const standing = await standingOf(email, { authorized: config.authorized, members: access.members, now: now() })
  if (standing === undefined || config.mode.kind === 'hosted') return standing
  const account = await access.accounts.byEmail(email)
  const banned = account?.bannedUntil !== undefined && account.bannedUntil > now()
  return account !== undefined && account.createdAt <= since && !banned ? standing : undefined
}

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
