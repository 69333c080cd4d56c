/** Where the page asks how to sign in; public. */
export const DOOR_PATH = '/auth/door.json'
/** Where the page asks whether an address may sign up: `POST {email}` answers `{allowed}`; public, limited in rate. */
export const MAY_SIGN_UP_PATH = '/auth/may-sign-up'
/** `PUT` with a bearer token lets the browser open pages under `/dashboard` (a cookie that opens pages and nothing else); `DELETE` takes that back. */
export const PAGE_PASS_PATH = '/auth/page-pass'

/** What a page needs to know before anyone is signed in. */
export type Door = {
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
