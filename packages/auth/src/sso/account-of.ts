import type { Account } from '@septet/domain'
import type { FastifyRequest } from 'fastify'

import type { AuthContext } from '../auth-context.ts'
import { createAccount } from '../new-account.ts'
import { MANAGED } from '../managed-account.ts'
import type { Claimant } from './person.ts'
import type { SingleSignOn } from '../sso-config.ts'
import { SsoProblem } from './sso-problem.ts'

/** Somebody whom a provider has signed in. */
export type Entering = { readonly sso: SingleSignOn; readonly person: Claimant; readonly request: FastifyRequest }

/** Whose account it is, by the provider's name for the person and never by an address. */
export async function accountOf({ access }: AuthContext, { issuer, subject }: Claimant): Promise<Account | undefined> {
  const identity = await access.identities.find(issuer, subject)
  return identity && access.accounts.get(identity.accountId)
}

/** The account of somebody who comes for the first time: a new one, or the one of their address where that is allowed. */
export async function needAccount(context: AuthContext, entering: Entering): Promise<Account> {
  const { person } = entering
  const found = await context.access.accounts.byEmail(person.email)
  const account = found === undefined ? await newAccount(context, entering) : await joined(context, entering, found)
  const { issuer, subject } = person
  const identity = { issuer, subject, accountId: account.id, createdAt: context.now() }
  if (await context.access.identities.add(identity)) return account
  // They came twice at the same moment, and the other was first.
  return (await accountOf(context, person)) ?? account
}

/** Its owner's account is made with a password, so that there is a way in when the provider is away. */
async function newAccount(context: AuthContext, { person, request }: Entering): Promise<Account> {
  const { email } = person
  if (email === context.config.authorized.admin) throw new SsoProblem('owner-first', `${email} has no account yet.`)
  const account = await createAccount(context, {
    email,
    passwordHash: undefined,
    metadata: {},
    confirmed: true,
    provider: MANAGED,
  })
  // To try again is right: then it is there.
  if (account === undefined) throw new SsoProblem('unexpected', `${email} got an account at the same moment.`)
  await record(context, { email, request, person }, 'account.sign-up')
  return account
}

/**
 * Joins an account that has a password. The provider answers for it from then on, or whoever left there could still come
 * in here: its password goes, and its sessions. Not the owner's, whose password is the way in when the provider is away.
 */
async function joined(context: AuthContext, { sso, person, request }: Entering, account: Account): Promise<Account> {
  const { email } = account
  if (await isUnclaimed(context, account)) return account
  if (!sso.link) throw new SsoProblem('taken', `${email} has an account with a password.`)
  if (!person.emailVerified) throw new SsoProblem('unverified', `${email} is not said to be confirmed.`)
  await record(context, { email, request, person }, 'account.link')
  if (email === context.config.authorized.admin) return account
  await context.access.sessions.removeOf(account.id)
  const at = context.now()
  const changed = await context.access.accounts.update(account.id, {
    passwordHash: undefined,
    emailConfirmedAt: account.emailConfirmedAt ?? at,
    appMetadata: { ...account.appMetadata, provider: MANAGED, providers: [MANAGED] },
    updatedAt: at,
  })
  return changed === undefined || changed === 'taken' ? account : changed
}

/** Made for a person who comes by the provider, by a server that stopped before it could write down who that is. */
const isUnclaimed = async ({ access }: AuthContext, { id, appMetadata }: Account): Promise<boolean> =>
  appMetadata['provider'] === MANAGED && (await access.identities.ofAccount(id)).length === 0

const record = (
  { audit }: AuthContext,
  { email, request, person }: Pick<Entering, 'request' | 'person'> & { readonly email: string },
  action: 'account.sign-up' | 'account.link',
) =>
  audit.record({
    actor: email,
    action,
    ip: request.ip,
    details: { by: MANAGED, issuer: person.issuer, subject: person.subject },
  })
