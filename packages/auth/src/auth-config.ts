/** How people sign in, as the environment says it. */
export type AuthConfig = {
  readonly mode: { readonly kind: 'embedded' } | HostedMode
  readonly authorized: AuthorizedEmails
  /** Must be shown by the first admin's sign-up; undefined on loopback without one. */
  readonly setupSecret: string | undefined
  /** Key material for sealing and keyed hashes; undefined: a file in the data directory, made on first start. */
  readonly masterSecret: string | undefined
  /** How people reach Septet, without a trailing slash; undefined: the address that it listens on. */
  readonly publicUrl: string | undefined
  /** Whether a new account must first confirm its address by mail. */
  readonly confirmEmail: boolean
  readonly smtp: { readonly url: string; readonly from: string } | undefined
  /** Addresses or ranges of proxies whose `x-forwarded-*` headers are believed. */
  readonly trustedProxies: readonly string[]
  readonly publicDemo: boolean
}

/** A Supabase project (or another Septet) that holds the accounts; this server only verifies its tokens. */
export type HostedMode = {
  readonly kind: 'hosted'
  /** Without a trailing slash; its auth service is at `/auth/v1` below. */
  readonly url: string
  readonly anonKey: string
  /** For projects that still sign with a shared secret (HS256). */
  readonly jwtSecret: string | undefined
}

/** Who may have an account: the first address is the admin's. All trimmed and case-folded. */
export type AuthorizedEmails = {
  readonly admin: string
  /** Whole addresses, or `*@example.com`. */
  readonly others: readonly string[]
  readonly anyone: boolean
}
