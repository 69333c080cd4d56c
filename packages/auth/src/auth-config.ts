import type { Role } from '@septet/domain'

import type { SingleSignOn } from './sso-config.ts'

/** How people sign in, as the environment says it. */
export type AuthConfig = {
  readonly mode: { readonly kind: 'embedded' } | HostedMode
  readonly authorized: AuthorizedEmails
  /** Must be shown by the first admin's sign-up; undefined on loopback without one. */
  readonly setupSecret: string | undefined
  /** Key material for sealing and keyed hashes; undefined: a file in the data directory, made on first start. */
  readonly masterSecret: string | undefined
  /** The one before, while it is being changed; undefined: a file in the data directory, if there is one. */
  readonly masterSecretBefore: string | undefined
  /** How people reach Septet, without a trailing slash; undefined: the address that it listens on. */
  readonly publicUrl: string | undefined
  /** Whether a new account must first confirm its address by mail. */
  readonly confirmEmail: boolean
  readonly smtp: { readonly url: string; readonly from: string } | undefined
  /** Addresses or ranges of proxies whose `x-forwarded-*` headers are believed. */
  readonly trustedProxies: readonly string[]
  readonly publicDemo: boolean
  /** Whose access tokens the MCP endpoint takes beside those of Septet. */
  readonly mcpIssuer: TokenIssuer | undefined
  /** By whose word people come in beside their passwords; undefined: by nobody's. */
  readonly sso: SingleSignOn | undefined
  /** Which service accounts come in by their own tokens. */
  readonly serviceAccounts: readonly ServiceAccountGrant[]
  readonly limits: RateLimits
}

/** What a service account of one cluster may do, in that cluster. */
export type ServiceAccountGrant = {
  /** Id of the cluster. */
  readonly cluster: string
  readonly namespace: string
  readonly name: string
  readonly role: Exclude<Role, 'admin'>
  /** The only namespaces it sees; undefined for all. */
  readonly namespaces: readonly string[] | undefined
}

/** What one network address or one reader can cause, so that strangers hold up neither the service nor each other. */
export type RateLimits = {
  /** Requests of one network address in the window of their kind, where they are not the usual ones. */
  readonly requests: Readonly<Partial<Record<RequestKind, number>>>
  readonly letters: LetterBudgets
}

/** Letters in an hour. */
type LetterBudgets = {
  /** That people without an account can cause in all: to confirm a sign-up, to sign in by mail. */
  readonly hourly: number
  /** Kept beside those for invitations. */
  readonly reserved: number
  /** That one network address can ask for; recoveries are counted apart. */
  readonly perAddress: number
  /** To one reader; recoveries and invitations are counted apart. */
  readonly perRecipient: number
}

/**
 * How many requests in how many seconds, counted by network address; those of `api` and `mcp` by account or token. The
 * first eight are the public service's.
 */
export const REQUEST_LIMITS = {
  signup: { points: 30, duration: 300 },
  otp: { points: 30, duration: 300 },
  recover: { points: 30, duration: 300 },
  resend: { points: 30, duration: 300 },
  user: { points: 30, duration: 300 },
  verify: { points: 30, duration: 300 },
  token: { points: 150, duration: 300 },
  factor: { points: 15, duration: 60 },
  admin: { points: 150, duration: 300 },
  'may-sign-up': { points: 60, duration: 300 },
  login: { points: 30, duration: 300 },
  'login-poll': { points: 300, duration: 300 },
  sso: { points: 150, duration: 300 },
  visitor: { points: 2000, duration: 10 },
  api: { points: 6000, duration: 10 },
  mcp: { points: 1000, duration: 10 },
} as const
export type RequestKind = keyof typeof REQUEST_LIMITS

/** A Supabase project (or another Septet) that holds the accounts; this server only verifies its tokens. */
export type HostedMode = {
  readonly kind: 'hosted'
  /** Without a trailing slash; its auth service is at `/auth/v1` below. */
  readonly url: string
  readonly anonKey: string
  /** For projects that still sign with a shared secret (HS256). */
  readonly jwtSecret: string | undefined
}

/** An OAuth authorization server that is not Septet's. */
export type TokenIssuer = {
  /** As its tokens and its metadata name it. */
  readonly url: string
  /** What its groups may do at most; undefined: groups are not looked at. */
  readonly groups: ReadonlyMap<string, Role> | undefined
}

/** Who may have an account: the first address is the admin's. All trimmed and case-folded. */
export type AuthorizedEmails = {
  readonly admin: string
  /** Whole addresses, or `*@example.com`. */
  readonly others: readonly string[]
  readonly anyone: boolean
}
