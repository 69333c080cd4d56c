import type { SignInInfo } from '@septet/contract'
import { AuthClient } from '@supabase/supabase-js'

import { readSignInInfo } from './sign-in-info.ts'
import { SESSION_KEY } from '../ui/session-key.ts'

/** What signs in, out and up, and keeps the session fresh. */
export type AccountClient = InstanceType<typeof AuthClient>

/** How to sign in, and the client that does it. */
export type OpenAccountClient = { readonly signInInfo: SignInInfo; readonly client: AccountClient }

/**
 * The page's one client, made when it is first asked for. A sign-in page that could not be read is tried again by the next who
 * asks. Throws SignInInfoError.
 */
export function openAccountClient(): Promise<OpenAccountClient> {
  opening ??= open().catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

let opening: Promise<OpenAccountClient> | undefined

const open = async (): Promise<OpenAccountClient> => {
  const signInInfo = await readSignInInfo()
  return { signInInfo, client: makeClient(signInInfo) }
}

/**
 * The authentication client of supabase-js, set up as its `createClient` does. `createClient` would bring the clients
 * for realtime, storage, functions and tables along, which nobody uses here: 54 KiB of script instead of 22.
 */
const makeClient = (signInInfo: SignInInfo): AccountClient =>
  new AuthClient({
    url: `${baseUrl(signInInfo)}/auth/v1`,
    // This very spelling: the client writes a person's token over "Authorization", not over another case of it.
    headers: { Authorization: `Bearer ${signInInfo.key}`, apikey: signInInfo.key },
    storageKey: SESSION_KEY,
    flowType: 'implicit',
    persistSession: true,
    autoRefreshToken: true,
    // A link that anyone can write must not sign a browser in, nor into another account: the sign-in page asks first.
    detectSessionInUrl: false,
  })

/** Septet's own service is on the page's origin, by whichever name it was reached. */
const baseUrl = ({ mode, url }: SignInInfo): string =>
  mode === 'embedded' ? location.origin : url.replace(/\/+$/u, '')
