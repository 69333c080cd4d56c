import { createHash } from 'node:crypto'

import type { Account, CodeKind, Factor, Instant } from '@septet/domain'

/** An account as the protocol shows it; `factors` must be there whenever it has any, the client reads them. */
export function userView(account: Account, factors: readonly Factor[]): UserView {
  return {
    id: account.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: account.email,
    phone: '',
    ...moments({
      email_confirmed_at: account.emailConfirmedAt,
      confirmed_at: account.emailConfirmedAt,
      last_sign_in_at: account.lastSignInAt,
      invited_at: account.invitedAt,
      banned_until: account.bannedUntil,
      confirmation_sent_at: account.mailSentAt.signup,
      recovery_sent_at: account.mailSentAt.recovery ?? account.mailSentAt.magiclink,
      email_change_sent_at: newest(account, ['email_change_new', 'email_change_current']),
      reauthentication_sent_at: account.mailSentAt.reauthentication,
    }),
    ...(account.newEmail === undefined ? {} : { new_email: account.newEmail }),
    app_metadata: account.appMetadata,
    user_metadata: account.userMetadata,
    identities: [identityView(account)],
    ...(factors.length === 0 ? {} : { factors: factors.map(factorView) }),
    created_at: text(account.createdAt),
    updated_at: text(account.updatedAt),
    is_anonymous: false,
  }
}

/** The wire form of an account; only what our own code reads is named. */
export type UserView = Readonly<Record<string, unknown>> & { readonly id: string; readonly email: string }

/** A second factor as the protocol shows it: never with its secret. */
export const factorView = (factor: Factor): Readonly<Record<string, unknown>> => ({
  id: factor.id,
  friendly_name: factor.friendlyName,
  factor_type: 'totp',
  status: factor.status,
  ...moments({ last_challenged_at: factor.lastChallengedAt }),
  created_at: text(factor.createdAt),
  updated_at: text(factor.updatedAt),
})

const identityView = (account: Account): Readonly<Record<string, unknown>> => ({
  identity_id: identityId(account.id),
  id: account.id,
  user_id: account.id,
  identity_data: {
    sub: account.id,
    email: account.email,
    email_verified: account.emailConfirmedAt !== undefined,
    phone_verified: false,
  },
  provider: account.appMetadata['provider'] ?? 'email',
  email: account.email,
  ...moments({ last_sign_in_at: account.lastSignInAt }),
  created_at: text(account.createdAt),
  updated_at: text(account.updatedAt),
})

/** There is one identity per account and no row for it; its id is a UUID (version 8, RFC 9562) made from the account's. */
function identityId(accountId: string): string {
  const hex = createHash('sha256').update(`identity/email/${accountId}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

const newest = (account: Account, kinds: readonly CodeKind[]): Instant | undefined =>
  kinds
    .map((kind) => account.mailSentAt[kind])
    .filter((at) => at !== undefined)
    .toSorted((a, b) => b - a)[0]

const text = (at: Instant): string => new Date(at).toISOString()

const moments = (named: Readonly<Record<string, Instant | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(named).flatMap(([name, at]) => (at === undefined ? [] : [[name, text(at)]])))
