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
}
