import { randomUUID } from 'node:crypto'

import type { Account, Instant, JsonRecord } from '@septet/domain'

import { needAdmitted } from './admission.ts'
import type { AuthContext } from './auth-context.ts'
import type { MANAGED } from './managed-account.ts'

export type NewAccount = {
  /** UUID; made here if there is none. */
  readonly id?: string | undefined
  /** Folded: from `needEmail`. */
  readonly email: string
  readonly passwordHash: string | undefined
  /** What the person wrote about themselves: from `mergeMetadata`. */
  readonly metadata: JsonRecord
  readonly confirmed: boolean
  /** Whether its owner asked for it: then what they write about themselves begins with what is known, as in the protocol. */
  readonly signedUp?: boolean
  readonly invited?: boolean
  /** By whose word its owner signs in; Septet's own when left out. */
  readonly provider?: typeof MANAGED
  /** Server-only facts beside the provider. */
  readonly appMetadata?: JsonRecord
}

/** Makes an account for an admitted address; undefined when the address has one. Refuses an address that is not admitted. */
export async function newAccount(context: AuthContext, wish: NewAccount): Promise<Account | undefined> {
  needAdmitted(context, wish.email)
  return createAccount(context, wish)
}

/** Makes an account for an address that somebody else's word lets in; undefined when the address has one. */
export async function createAccount(context: AuthContext, wish: NewAccount): Promise<Account | undefined> {
  const account = accountOf(wish, context.now())
  return (await context.access.accounts.create(account)) ? account : undefined
}

/** The account as it would be made. */
export function accountOf(wish: NewAccount, at: Instant): Account {
  const id = wish.id ?? randomUUID()
  const provider = wish.provider ?? 'email'
  return {
    id,
    email: wish.email,
    passwordHash: wish.passwordHash,
    appMetadata: { ...wish.appMetadata, provider, providers: [provider] },
    userMetadata: {
      ...wish.metadata,
      ...(wish.signedUp === true ? { sub: id, email: wish.email, email_verified: false, phone_verified: false } : {}),
      ...(wish.confirmed ? { email_verified: true } : {}),
    },
    emailConfirmedAt: wish.confirmed ? at : undefined,
    invitedAt: wish.invited === true ? at : undefined,
    lastSignInAt: undefined,
    bannedUntil: undefined,
    newEmail: undefined,
    mailSentAt: {},
    createdAt: at,
    updatedAt: at,
  }
}
