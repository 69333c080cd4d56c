import { authorizedFetch } from '../../session/authorized-fetch.ts'

/** Invites an address by a letter; what stands in the way, or undefined when nothing did. Throws when nobody answers. */
export async function invite(email: string): Promise<string | undefined> {
  const redirectTo = encodeURIComponent(`${location.origin}/dashboard`)
  const answer = await authorizedFetch(`/auth/v1/invite?redirect_to=${redirectTo}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
    body: JSON.stringify({ email }),
  })
  return answer.ok ? undefined : problemOf(email, await answer.json().catch(() => undefined))
}

function problemOf(email: string, body: unknown): string {
  const { code, message } = isProblem(body) ? body : { code: '', message: 'The invitation failed. Try again.' }
  return WORDS[code]?.(email) ?? message
}

/** Where the protocol's own words leave open what to do. */
const WORDS: Readonly<Record<string, (email: string) => string>> = {
  email_address_not_authorized: (email) =>
    `SEPTET_AUTHORIZED_EMAIL does not allow ${email}. Add the address, restart Septet, then invite.`,
  email_exists: (email) => `${email} already has an account. Assign a role below if needed.`,
  insufficient_aal: () => 'Confirm your second factor first: sign out, then sign in again.',
}

const isProblem = (body: unknown): body is { readonly code: string; readonly message: string } =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  typeof body.code === 'string' &&
  'message' in body &&
  typeof body.message === 'string'
