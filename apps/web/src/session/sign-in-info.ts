import type { SignInInfo } from '@septet/contract'
import { SIGN_IN_INFO_PATH, MAY_SIGN_UP_PATH } from '@septet/contract/routes'

/** Septet could not be asked how to sign in; the message says what to do. */
export class SignInInfoError extends Error {
  override readonly name = 'SignInInfoError'
}

/** How to sign in here. Throws SignInInfoError when nobody answers, or something other than Septet. */
export async function readSignInInfo(): Promise<SignInInfo> {
  const response = await fetch(SIGN_IN_INFO_PATH, { headers: { accept: 'application/json' } }).catch(unreachable)
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok || !isSignInInfo(body)) throw new SignInInfoError(FOREIGN)
  return body
}

/**
 * Whether the address may sign up; undefined when that cannot be known now (too many questions, no answer): the server
 * then says so when the sign-up itself is asked for.
 */
export async function maySignUp(email: string): Promise<boolean | undefined> {
  try {
    const response = await fetch(MAY_SIGN_UP_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    const body: unknown = await response.json()
    return response.ok && isVerdict(body) ? body.allowed : undefined
  } catch {
    return undefined
  }
}

const UNREACHABLE = 'The Septet server is not responding. Check your connection, then try again.'
const FOREIGN =
  'This address does not respond like Septet. Check the address and any proxy in front of it, then try again.'

/** For calls that got no answer at all. */
const unreachable = (): never => {
  throw new SignInInfoError(UNREACHABLE)
}

const isSignInInfo = (body: unknown): body is SignInInfo =>
  typeof body === 'object' &&
  body !== null &&
  'mode' in body &&
  (body.mode === 'embedded' || body.mode === 'hosted') &&
  'url' in body &&
  typeof body.url === 'string' &&
  'key' in body &&
  typeof body.key === 'string'

const isVerdict = (body: unknown): body is { allowed: boolean } =>
  typeof body === 'object' && body !== null && 'allowed' in body && typeof body.allowed === 'boolean'
