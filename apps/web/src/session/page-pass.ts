import { PAGE_PASS_PATH } from '@septet/contract/routes'

/** What the server said to opening pages of the dashboard with a token. */
export type PassVerdict =
  | { readonly kind: 'given' }
  /** The session ended, or was revoked. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'second-factor' }
  /** Signed in, but not one of those who may come in here. */
  | { readonly kind: 'refused'; readonly words: string }
  /** Nobody answered, or not in a way that says anything. */
  | { readonly kind: 'unknown' }

/** Lets this browser open pages of the dashboard for as long as the token lives. */
export async function givePagePass(token: string): Promise<PassVerdict> {
  try {
    const response = await fetch(PAGE_PASS_PATH, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
    })
    return response.ok ? { kind: 'given' } : verdict(response.status, await readWords(response))
  } catch {
    return { kind: 'unknown' }
  }
}

/**
 * Whether the browser kept the leave and shows it for that page. No script can see the cookie, but the server sends
 * whoever lacks it elsewhere. True as well when nobody answers: then the page itself says so.
 */
export async function passOpens(path: string): Promise<boolean> {
  try {
    const response = await fetch(path, { method: 'HEAD', redirect: 'manual', cache: 'no-store' })
    return response.type !== 'opaqueredirect'
  } catch {
    return true
  }
}

/** Takes it back; what cannot be taken back now ends with the token. */
export async function takePagePass(): Promise<void> {
  await fetch(PAGE_PASS_PATH, { method: 'DELETE', keepalive: true }).catch(() => undefined)
}

type Words = { readonly code: string; readonly words: string }

function verdict(status: number, { code, words }: Words): PassVerdict {
  if (code === 'second-factor-needed') return { kind: 'second-factor' }
  if (status === 401) return { kind: 'ended' }
  return status === 403 ? { kind: 'refused', words } : { kind: 'unknown' }
}

const FALLBACK: Words = { code: '', words: 'Your account may not use this Septet. Ask its administrator.' }

async function readWords(response: Response): Promise<Words> {
  const body: unknown = await response.json().catch(() => undefined)
  if (typeof body !== 'object' || body === null || !('code' in body) || !('detail' in body)) return FALLBACK
  const todo = 'todo' in body ? ` ${String(body.todo)}` : ''
  return { code: String(body.code), words: `${String(body.detail)}${todo}` }
}
