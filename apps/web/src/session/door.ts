import type { Door } from '@septet/contract'
import { DOOR_PATH, MAY_SIGN_UP_PATH } from '@septet/contract/routes'

/** Septet could not be asked how to sign in; the message says what to do. */
export class DoorError extends Error {
  override readonly name = 'DoorError'
}

/** How to sign in here. Throws DoorError when nobody answers, or something other than Septet. */
export async function readDoor(): Promise<Door> {
  const response = await fetch(DOOR_PATH, { headers: { accept: 'application/json' } }).catch(unreachable)
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok || !isDoor(body)) throw new DoorError(FOREIGN)
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

const UNREACHABLE = 'The Septet server does not answer. Check your connection, then try again.'
const FOREIGN =
  'This address does not answer as Septet does. Check that it leads to Septet and not to a proxy in front of it, then try again.'

/** For calls that got no answer at all. */
const unreachable = (): never => {
  throw new DoorError(UNREACHABLE)
}

const isDoor = (body: unknown): body is Door =>
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
