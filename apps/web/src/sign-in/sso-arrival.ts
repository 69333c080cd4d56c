import type { SignInInfo, SsoProblemCode } from '@septet/contract'
import { SSO_PATH } from '@septet/contract/routes'

import type { OpenAccountClient } from '../session/auth-client.ts'

/** Where "Continue with" leads: to the provider, and back to where someone was going. */
export function ssoStart(search: string): string {
  const next = new URLSearchParams(search).get('next')
  return next === null ? `${SSO_PATH}/start` : `${SSO_PATH}/start?${new URLSearchParams({ next }).toString()}`
}

/**
 * Takes the session of a browser that comes back from its provider, and keeps it as after a password. What went wrong, in
 * words; undefined where nothing did, or nobody came that way. The address says so no longer then.
 */
export async function arriveBySso({ client, signInInfo }: OpenAccountClient): Promise<string | undefined> {
  const query = new URLSearchParams(location.search)
  const came = query.get('sso')
  if (came === null) return undefined
  query.delete('sso')
  history.replaceState(null, '', query.size === 0 ? location.pathname : `${location.pathname}?${query.toString()}`)
  if (came !== 'done') return ssoWords(came, signInInfo)
  const tokens = await fetchTokens()
  if (tokens === undefined) return ssoWords('late', signInInfo)
  const { error } = await client.setSession(tokens)
  return error === null ? undefined : ssoWords('unexpected', signInInfo)
}

type Tokens = { readonly access_token: string; readonly refresh_token: string }

async function fetchTokens(): Promise<Tokens | undefined> {
  try {
    const response = await fetch(`${SSO_PATH}/session`, { method: 'POST' })
    const body: unknown = await response.json()
    return response.ok && areTokens(body) ? body : undefined
  } catch {
    return undefined
  }
}

const areTokens = (body: unknown): body is Tokens =>
  typeof body === 'object' &&
  body !== null &&
  'access_token' in body &&
  typeof body.access_token === 'string' &&
  'refresh_token' in body &&
  typeof body.refresh_token === 'string'

/** By a code and never in an address's own words: anyone can write a link that says anything. */
export function ssoWords(code: string, { sso }: Pick<SignInInfo, 'sso'>): string {
  const name = sso?.name ?? 'the sign-in provider'
  return (isCode(code) ? WORDS[code] : WORDS.unexpected)
    .replaceAll('NAME', () => name)
    .replace(/^./u, (first) => first.toUpperCase())
}

const isCode = (code: string): code is SsoProblemCode => Object.hasOwn(WORDS, code)

const WORDS = {
  away: 'NAME is not responding, so signing in with it does not work right now. You can still sign in with a password, or try again in a moment.',
  banned: 'Your account is blocked. Contact your Septet admin.',
  denied: 'NAME denied the sign-in, or it was canceled there. Try again, or contact the admin of NAME.',
  late: 'This sign-in expired, was already used, or started in another browser. Start again here.',
  'no-email':
    'NAME did not send your email address, which Septet needs. Ask your Septet admin to check SEPTET_SSO_SCOPES.',
  'no-groups':
    'NAME did not send your groups. Ask your Septet admin to check SEPTET_SSO_GROUPS_CLAIM and what NAME sends.',
  'not-admitted':
    'Your email address is not allowed to use this Septet. Ask your Septet admin to add it to SEPTET_AUTHORIZED_EMAIL.',
  'not-by-proxy': 'This request did not come through the sign-in proxy. Open Septet at its usual address.',
  'not-in-group':
    'None of your groups at NAME gives access to this Septet. Ask your Septet admin which group you need.',
  'owner-first':
    'This is the owner’s address, and the owner’s account needs a password. Sign up below first, so that you can still get in if NAME is down.',
  'refused-client':
    'NAME rejected Septet’s client ID or secret. Ask your Septet admin to check SEPTET_SSO_CLIENT_ID and SEPTET_SSO_CLIENT_SECRET_FILE.',
  taken:
    'An account with your email address already exists. Sign in with its password, or ask your Septet admin to link the two with SEPTET_SSO_LINK=on.',
  'too-many-groups':
    'NAME left out your groups because there are too many. Ask the admin of NAME to send only the groups that matter to Septet.',
  'too-often': 'Too many sign-ins from your network. Wait a few minutes and try again.',
  unclear: 'The response from NAME could not be read, so you are not signed in. Septet’s log has the details.',
  unexpected: 'Septet could not finish the sign-in. Try again in a moment. If it keeps failing, check Septet’s log.',
  unverified: 'NAME has not verified your email address, so Septet cannot use it. Verify it there and try again.',
  'wrong-audience':
    'The response from NAME was meant for another application and was rejected. Ask your Septet admin to check SEPTET_SSO_CLIENT_ID.',
  'wrong-issuer':
    'The response came from a different issuer than NAME and was rejected. Ask your Septet admin to check SEPTET_SSO_ISSUER.',
  'wrong-nonce': 'The response from NAME belongs to another sign-in and was rejected. Start again here.',
  'wrong-signature':
    'The response from NAME has an invalid signature and was rejected. If it keeps failing, ask your Septet admin to check SEPTET_SSO_ISSUER.',
  'wrong-time':
    'The response from NAME has expired or is not valid yet. Ask your Septet admin to sync both clocks; they may differ by 30 seconds at most.',
} as const satisfies Record<SsoProblemCode, string>
