import type { Role } from '@septet/domain'

/** Sign-in by somebody else's word, beside passwords. */
export type SingleSignOn = {
  /** What people call it; the button says "Continue with" it. */
  readonly name: string
  readonly by: OidcProvider | TrustedProxy
  /** What groups give, and then nothing else lets in; undefined: groups are not looked at. */
  readonly groups: readonly GroupGrant[] | undefined
  /** Whether an account with a password is joined with a person who has the same confirmed address. */
  readonly link: boolean
  /** Whether who signs out here is signed out at the provider too, where it offers that. */
  readonly signOut: boolean
  /** Hours after which people sign in again, whatever they do. */
  readonly sessionHours: number
  /** Days for which what groups gave at the last sign-in holds for the person's API tokens. */
  readonly tokenDays: number
}

/** An OpenID Connect provider. */
export type OidcProvider = {
  readonly kind: 'oidc'
  /** As its tokens and its metadata name it. */
  readonly issuer: string
  readonly clientId: string
  /** Read at each sign-in, so that a new secret needs no restart; undefined: a public client, which PKCE guards alone. */
  readonly clientSecretFile: string | undefined
  readonly scopes: string
  /** A claim by its name, or the path to one (`realm_access.roles`). */
  readonly groupsClaim: string
}

/** A proxy in front of Septet that has signed people in, and says in headers who they are. */
export type TrustedProxy = {
  readonly kind: 'proxy'
  /** Addresses or ranges from which its headers are believed, and from nowhere else. */
  readonly proxies: readonly string[]
  readonly emailHeader: string
  /** Groups, separated by commas. */
  readonly groupsHeader: string
}

export type GroupGrant = {
  readonly group: string
  readonly role: Role
  /** The only namespaces that it shows; undefined for all. */
  readonly namespaces: readonly string[] | undefined
}
