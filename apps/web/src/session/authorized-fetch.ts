/** How requests prove who asks. */
export type PageCredentials = {
  /** The access token of now; undefined when nobody is signed in. */
  token(): Promise<string | undefined>
  /** A new one for a token that the server did not take. */
  renew(): Promise<Renewal>
  /** The server takes none any more. */
  lost(): Promise<void>
}
export type Renewal =
  | { readonly kind: 'renewed'; readonly token: string }
  | { readonly kind: 'refused' }
  /** Nobody answered: the session may well be good still. */
  | { readonly kind: 'unreachable' }

/** Whose requests the page makes from now on; undefined: a visitor's. */
export function authorizeWith(next: PageCredentials | undefined): void {
  credentials = next
}

let credentials: PageCredentials | undefined

/**
 * `fetch` with the token of whoever is signed in. A 401 is asked again once with a fresh token; if that is refused too,
 * the session is over and everybody is told. Throws TypeError when nobody answers, as `fetch` does.
 */
export async function authorizedFetch(address: string, init: RequestInit = {}): Promise<Response> {
  const held = credentials
  if (held === undefined) return fetch(address, init)
  const token = await held.token()
  const first = await send(address, init, token)
  if (first.status !== 401) return first
  const fresh = await fresherToken(held, token)
  if (fresh.kind === 'unreachable') return first
  const answer = fresh.kind === 'renewed' ? await send(address, init, fresh.token) : first
  if (answer.status === 401) await held.lost()
  return answer
}

/** Of several requests that were refused at once, one asks for a new token and the others find it there. */
async function fresherToken(held: PageCredentials, refused: string | undefined): Promise<Renewal> {
  const now = await held.token()
  return now !== undefined && now !== refused ? { kind: 'renewed', token: now } : held.renew()
}

function send(address: string, init: RequestInit, token: string | undefined): Promise<Response> {
  if (token === undefined) return fetch(address, init)
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${token}`)
  return fetch(address, { ...init, headers })
}
