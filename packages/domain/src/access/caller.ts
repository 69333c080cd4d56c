import type { Instant } from '../units.ts'
import type { Role } from './role.ts'

/** Who asks, once that has been proven. Every face makes one; operations decide by it and by nothing else. */
export type Caller = {
  readonly kind: 'account' | 'token' | 'visitor'
  /** Tells them from everybody else, and is never given to another: `account:ID`, `token:ID`. Nobody is known by a name. */
  readonly id: string
  /**
   * The person or service that they act for: a person, their tokens and the clients that they signed in at are one party.
   * Undefined where that was not kept.
   */
  readonly party: string | undefined
  /** To be read: e-mail address, `token:NAME`, what `serviceAccountName` gives, or `visitor`. The actor in the audit log. */
  readonly name: string
  readonly role: Role
  /** The only namespaces they see; undefined for all. */
  readonly namespaces: readonly string[] | undefined
  /** The only clusters they see (ids, `sample` among them); undefined for all. */
  readonly clusters: readonly string[] | undefined
  /** Account and session of a person; undefined for tokens and visitors. */
  readonly account: CallerAccount | undefined
  /** Of a token: the address of the person who made it. */
  readonly madeBy?: string
  /** When an API token stops being accepted; undefined for one that does not end. */
  readonly endsAt?: Instant | undefined
  readonly ip: string
}

type CallerAccount = {
  readonly id: string
  readonly sessionId: string | undefined
  /** Whether the account has a second factor; the session has then shown it. */
  readonly secondFactor: boolean
}

/** The party of an account. */
export const accountParty = (id: string): string => `${ACCOUNT}${id}`

/** The party of who is known to an OAuth issuer alone, by what it and their subject there come to. */
export const issuerParty = (digest: string): string => `${ISSUER}${digest}`

const [ACCOUNT, ISSUER] = ['account:', 'oauth:']

/**
 * Whether two are known to act for different people or services. Whom only an issuer knows may have an account as well, and
 * of whom nothing was kept may be anyone.
 */
export function areApart(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || one === other) return false
  const kinds = [one, other].map((party) => [ACCOUNT, ISSUER].find((kind) => party.startsWith(kind)))
  return !kinds.includes(ACCOUNT) || !kinds.includes(ISSUER)
}

const SERVICE_ACCOUNT = 'system:serviceaccount:'

/** As API servers name a service account. */
export const serviceAccountUser = ({
  namespace,
  name,
}: {
  readonly namespace: string
  readonly name: string
}): string => `${SERVICE_ACCOUNT}${namespace}:${name}`

/** And as Septet does: two clusters may each have one of that name. */
export const serviceAccountName = (
  account: Parameters<typeof serviceAccountUser>[0] & { readonly cluster: string },
): string => `${serviceAccountUser(account)} (${account.cluster})`

export const isServiceAccount = (name: string): boolean => name.startsWith(SERVICE_ACCOUNT)

/** Whether who is called so is a program. */
export const isProgram = (name: string): boolean =>
  name.startsWith('token:') || name.startsWith(ISSUER) || isServiceAccount(name)
