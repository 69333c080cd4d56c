import { HOUR_MS, instant, type Account, type Session, mayActAs } from '@septet/domain'
import { admits } from '../admission.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthProblem } from '../auth-problem.ts'
import { beginSession } from '../sessions.ts'
import type { Standing } from '../standing.ts'
import { accountOf, needAccount, type Entering } from './account-of.ts'
import type { SingleSignOn, GroupGrant } from '../sso-config.ts'
import { SsoProblem } from './sso-problem.ts'

/**
 * Lets a person in whom the provider has signed in: what their groups give is worked out again, and their session ends
 * after the hours that the settings say. Throws a `SsoProblem` for whom may not come in.
 */
export async function enter(context: AuthContext, entering: Entering): Promise<Session> {
  const { sso, person, request } = entering
  const known = await accountOf(context, person)
  const grant = await neededGrant(context, entering, known)
  const account = known ?? (await needAccount(context, entering))
  if (grant !== undefined) await writeGrant(context, { sso, email: account.email, grant })
  const { session } = await beginSession(context, {
    account,
    method: 'oauth',
    request,
    byProvider: {
      providerSession: person.providerSession,
      longestMs: sso.sessionHours * HOUR_MS,
      details: { issuer: person.issuer, ...(grant === undefined ? {} : { role: grant.role }) },
    },
  }).catch((error: unknown) => {
    const isBanned = error instanceof AuthProblem && error.code === 'user_banned'
    throw isBanned ? new SsoProblem('banned', `${account.email} is banned.`) : error
  })
  return session
}

/** What the person's groups give; undefined where groups are not looked at, and for the owner, who needs none. */
async function neededGrant(
  context: AuthContext,
  { sso, person }: Entering,
  account: Account | undefined,
): Promise<Standing | undefined> {
  const email = account?.email ?? person.email
  const { authorized } = context.config
  if (email === authorized.admin) return undefined
  if (sso.groups === undefined) {
    if (admits(authorized, email)) return undefined
    throw new SsoProblem('not-admitted', `SEPTET_AUTHORIZED_EMAIL does not let in ${email}.`)
  }
  const grant = grantOf(person.groups ?? [], sso.groups)
  if (grant !== undefined) return grant
  // Not said is not none: a claim that is set up wrongly ends nobody's session.
  if (person.groups === undefined) {
    throw new SsoProblem('no-groups', `Nothing was said about the groups of ${email}.`)
  }
  if (account !== undefined) await takeBack(context, account)
  throw new SsoProblem('not-in-group', `No group of ${email} gives anything.`)
}

/** Keeps what groups give, for as long as it holds without another sign-in. */
async function writeGrant(
  { access, now }: AuthContext,
  { sso, email, grant }: { readonly sso: SingleSignOn; readonly email: string; readonly grant: Standing },
): Promise<void> {
  const at = now()
  const until = instant(at + Math.max(sso.sessionHours, sso.tokenDays * 24) * HOUR_MS)
  await access.members.put({ email, ...grant, until, updatedAt: at })
}

/** Anyone who is in no group any more is out at once: their sessions end, and their API tokens do nothing. */
async function takeBack({ access, now }: AuthContext, { id, email }: Account): Promise<void> {
  const at = now()
  const member = await access.members.get(email)
  if (member?.until !== undefined) await access.members.put({ ...member, until: at, updatedAt: at })
  await access.sessions.removeOf(id)
}

/**
 * Takes away what groups gave where they are no longer looked at: a setting that was taken back must not let anyone in for
 * weeks, nor keep out whom the list of addresses lets in.
 */
export async function forgetGroups({ access, config }: Pick<AuthContext, 'access' | 'config'>): Promise<void> {
  if (config.sso?.groups !== undefined) return
  const members = await access.members.list()
  await Promise.all(members.filter(({ until }) => until !== undefined).map(({ email }) => access.members.remove(email)))
}

/**
 * What a person's groups give: the highest role of them, for the namespaces of those groups that give it, so that nobody
 * gets a role in a namespace where no group of theirs gives it. Undefined where they are in no group that gives anything.
 */
export function grantOf(groups: readonly string[], grants: readonly GroupGrant[]): Standing | undefined {
  const theirs = new Set(groups)
  const given = grants.filter(({ group }) => theirs.has(group))
  const [most] = given.toSorted((a, b) => (mayActAs(a.role, b.role) ? -1 : 1))
  if (most === undefined) return undefined
  const counting = given.filter(({ role }) => role === most.role).map(({ namespaces }) => namespaces)
  const isEverywhere = counting.includes(undefined)
  const named = [...new Set(counting.flatMap((namespaces) => namespaces ?? []))].toSorted()
  return { role: most.role, namespaces: isEverywhere ? undefined : named }
}
