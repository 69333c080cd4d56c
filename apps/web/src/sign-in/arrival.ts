import type { AccountClient } from '../session/auth-client.ts'
import { showToast } from '../ui/Toasts.tsx'
import { needsSecondFactor } from './enter.ts'

/** What the sign-in page shows. */
export type Screen =
  | { readonly kind: 'credentials' }
  | { readonly kind: 'recover'; readonly email: string }
  | { readonly kind: 'new-password' }
  | { readonly kind: 'second-factor'; readonly afterwards: 'enter' | 'new-password' }

type Ways = { readonly go: (screen: Screen) => void; readonly enter: () => Promise<void> }

/**
 * Decides what someone who comes to the sign-in page meets: the way in with the session they have, a new password when a link
 * for that brought them, or what was wrong with the link.
 */
export async function arrive(client: AccountClient, { go, enter }: Ways): Promise<void> {
  client.onAuthStateChange((event) => {
    if (event === 'PASSWORD_RECOVERY') setTimeout(() => void toNewPassword(client, go), 0)
  })
  const link = linkOf(ARRIVED_WITH)
  // Reads the session from a link, or the one that was kept.
  const { error } = await client.initialize()
  if (link.kind === 'broken' || (link.kind !== 'none' && error !== null)) {
    history.replaceState(null, '', location.pathname + location.search)
    showToast({ title: 'Error', description: brokenWords(link, error), tone: 'plain' })
    return
  }
  if (link.kind === 'recovery') return
  await enter()
}

/** The client takes the fragment away once it has read it. */
const ARRIVED_WITH = typeof location === 'undefined' ? '' : location.hash

type Link =
  | { readonly kind: 'none' }
  | { readonly kind: 'recovery' }
  | { readonly kind: 'session' }
  | { readonly kind: 'broken'; readonly words: string }

/** What a link from a mail left in the fragment. */
export function linkOf(hash: string): Link {
  const fragment = new URLSearchParams(hash.replace(/^#/u, ''))
  if (fragment.has('error') || fragment.has('error_description')) {
    return { kind: 'broken', words: BROKEN.get(fragment.get('error_code') ?? '') ?? 'The link could not be used' }
  }
  if (!fragment.has('access_token')) return { kind: 'none' }
  return { kind: fragment.get('type') === 'recovery' ? 'recovery' : 'session' }
}

/** By the protocol's code and never in the link's own words: anyone can write a link that says anything. */
const BROKEN = new Map([
  ['otp_expired', 'Email link is invalid or has expired'],
  ['flow_state_expired', 'The link was opened too late'],
  ['flow_state_not_found', 'The link was used before, or begun in another browser'],
  ['user_banned', 'This account is not allowed to sign in'],
  ['email_address_not_authorized', 'Sign up is restricted to authorized users only'],
  ['over_request_rate_limit', 'There were too many tries; wait a minute'],
  ['unexpected_failure', 'The server could not answer; the link may still work later'],
])

const brokenWords = (link: Link, error: { message: string } | null): string =>
  `${link.kind === 'broken' ? link.words : (error?.message ?? 'The link could not be read')}. Ask for a new link under "Forgot password?", or sign in.`

async function toNewPassword(client: AccountClient, go: (screen: Screen) => void): Promise<void> {
  go(
    (await needsSecondFactor(client))
      ? { kind: 'second-factor', afterwards: 'new-password' }
      : { kind: 'new-password' },
  )
}
