import type { EmailOtpType } from '@supabase/supabase-js'

import type { AccountClient } from '../session/auth-client.ts'
import { showToast } from '../ui/Toasts.tsx'
import { needsSecondFactor } from './enter.ts'

/** What the sign-in page shows. */
export type Screen =
  | { readonly kind: 'credentials' }
  | { readonly kind: 'letter'; readonly letter: ArrivalLetter }
  | { readonly kind: 'recover'; readonly email: string }
  | { readonly kind: 'new-password' }
  | { readonly kind: 'second-factor'; readonly afterwards: 'enter' | 'new-password' }

/** What the link of a letter brings: a hash that is redeemed once, when its reader says so. */
export type ArrivalLetter = { readonly tokenHash: string; readonly type: (typeof TYPES)[number] }

/** Where someone who comes to the sign-in page begins: with the letter whose link they followed, or with the form. */
export function firstScreen(): Screen {
  const link = linkOf(location)
  return link.kind === 'letter' ? link : { kind: 'credentials' }
}

/** Leads on whoever has a session, and says what was wrong with a link. A letter waits for its reader to press the button. */
export async function arrive(enter: () => Promise<void>): Promise<void> {
  const link = linkOf(location)
  if (link.kind === 'letter') return
  if (link.kind === 'none') return enter()
  history.replaceState(null, '', location.pathname + location.search)
  showToast({ title: 'Error', description: brokenWords(link.words), tone: 'plain' })
}

/** The address of this page without what a letter's link brought, so that it stays in no history. */
export function forgetLetter(): void {
  const { pathname, search } = location
  const query = new URLSearchParams(search)
  for (const name of BROUGHT) query.delete(name)
  history.replaceState(null, '', query.size === 0 ? pathname : `${pathname}?${query.toString()}`)
}

const BROUGHT = ['token_hash', 'type'] as const

type Link =
  | { readonly kind: 'none' }
  | { readonly kind: 'letter'; readonly letter: ArrivalLetter }
  | { readonly kind: 'broken'; readonly words: string }

/**
 * What a link brought. Tokens in a fragment are never taken: whoever wrote the link could sign its reader in as somebody
 * else, and a session would lie in the history.
 */
export function linkOf({ search, hash }: Pick<Location, 'search' | 'hash'>): Link {
  const query = new URLSearchParams(search)
  const fragment = new URLSearchParams(hash.replace(/^#/u, ''))
  const tokenHash = query.get('token_hash') ?? ''
  const type = TYPES.find((each) => each === query.get('type'))
  if (tokenHash !== '' && type !== undefined) return { kind: 'letter', letter: { tokenHash, type } }
  if (fragment.has('error') || fragment.has('error_description')) {
    return { kind: 'broken', words: BROKEN.get(fragment.get('error_code') ?? '') ?? 'The link could not be used' }
  }
  if (fragment.has('access_token')) return { kind: 'broken', words: 'A link that carries a sign-in is not followed' }
  return query.has('token_hash') ? { kind: 'broken', words: 'The link is not complete' } : { kind: 'none' }
}

const TYPES = ['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email'] as const satisfies EmailOtpType[]

/** By the protocol's code and never in the link's own words: anyone can write a link that says anything. */
const BROKEN = new Map([
  ['otp_expired', 'Email link is invalid or has expired'],
  ['user_banned', 'This account is not allowed to sign in'],
  ['email_address_not_authorized', 'Sign up is restricted to authorized users only'],
  ['over_request_rate_limit', 'There were too many tries; wait a minute'],
  ['unexpected_failure', 'The server could not answer; the link may still work later'],
])

const brokenWords = (words: string): string => `${words}. Ask for a new link under "Forgot password?", or sign in.`

/** Where a proven reader sets a new password: after the second factor, where there is one. */
export const towardsNewPassword = async (client: AccountClient): Promise<Screen> =>
  (await needsSecondFactor(client)) ? { kind: 'second-factor', afterwards: 'new-password' } : { kind: 'new-password' }
