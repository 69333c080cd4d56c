import type { Instant } from '../units.ts'
import type { Role } from './role.ts'

/** Who asks, once that has been proven. Every face makes one; operations decide by it and by nothing else. */
export type Caller = {
  readonly kind: 'account' | 'token' | 'visitor'
  /** E-mail address, `token:NAME`, what `serviceAccountName` gives, or `visitor`: the actor in the audit log. */
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

/** Whether who is called so is no person. */
export const isProgram = (name: string): boolean => name.startsWith('token:') || isServiceAccount(name)
