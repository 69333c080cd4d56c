import type { CodeKind } from '@septet/domain'

import type { AuthContext } from './auth-context.ts'

export type LinkFacts = {
  /** The code's `linkToken`: one-time, `token_hash` on the wire. */
  readonly token: string
  /** As the protocol names it: from `verificationType`. */
  readonly type: string
  /** Where the reader is to be in the end: from `safeRedirect`. */
  readonly redirectTo: string
}

/**
 * What a letter leads to: the sign-in page, with a token that the page redeems (`POST /verify`) when its reader presses a
 * button there. It holds no session, so it works in any browser, and a scanner that opens it uses nothing up. A page of
 * another origin, which only loopback allows, is handed the token itself: its client redeems it.
 */
export function letterLink(context: Pick<AuthContext, 'siteUrl'>, { token, type, redirectTo }: LinkFacts): string {
  const site = new URL(context.siteUrl())
  const target = new URL(redirectTo)
  const page = target.origin === site.origin ? signInPage(site, target) : target
  page.searchParams.set('token_hash', token)
  page.searchParams.set('type', type)
  return page.href
}

/** The protocol's name for what a code does: both halves of a change of address are one type. */
export const verificationType = (kind: CodeKind): string =>
  kind === 'email_change_current' || kind === 'email_change_new' ? 'email_change' : kind

function signInPage(site: URL, target: URL): URL {
  if (target.pathname === SIGN_IN) return target
  const page = new URL(SIGN_IN, site)
  if (target.pathname !== '/') page.searchParams.set('next', target.pathname + target.search)
  return page
}

const SIGN_IN = '/auth'
