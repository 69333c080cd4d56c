/** What a page needs to know before anyone is signed in. */
export type SignInInfo = {
  readonly mode: 'embedded' | 'hosted'
  /** Base URL for `createClient`: the page's own origin, or the hosted project. */
  readonly url: string
  /** Public key for `createClient`. */
  readonly key: string
  /** Whether `/demo` may be looked at without an account. */
  readonly demo: boolean
  /** Whether the first account must show the one-time setup secret (`options.data.setup_secret` at sign-up). */
  readonly needsSetupSecret: boolean
  /** The sign-in provider that people may come in by, as they call it; left out where there is none. */
  readonly sso?: { readonly name: string } | undefined
}

/** Why nobody was signed in by a provider; the page has a sentence for each. */
export type SsoProblemCode =
  | 'away'
  | 'banned'
  | 'denied'
  | 'late'
  | 'no-email'
  | 'no-groups'
  | 'not-admitted'
  | 'not-by-proxy'
  | 'not-in-group'
  | 'owner-first'
  | 'refused-client'
  | 'taken'
  | 'too-many-groups'
  | 'too-often'
  | 'unclear'
  | 'unexpected'
  | 'unverified'
  | 'wrong-audience'
  | 'wrong-issuer'
  | 'wrong-nonce'
  | 'wrong-signature'
  | 'wrong-time'
