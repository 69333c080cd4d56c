import type { Door } from '@septet/contract'
import { AuthClient } from '@supabase/supabase-js'

import { readDoor } from './door.ts'

/** What signs in, out and up, and keeps the session fresh. */
export type DoorClient = InstanceType<typeof AuthClient>

/** The door and the client that goes through it. */
export type OpenDoor = { readonly door: Door; readonly client: DoorClient }

/**
 * The page's one client, made when it is first asked for. A door that could not be read is tried again by the next who
 * asks. Throws DoorError.
 */
export function openDoor(): Promise<OpenDoor> {
  opening ??= open().catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

let opening: Promise<OpenDoor> | undefined

const open = async (): Promise<OpenDoor> => {
  const door = await readDoor()
  return { door, client: makeClient(door) }
}

/** Where the session is kept; named, for two products on one origin would otherwise share it. */
const STORAGE_KEY = 'septet-auth'

/**
 * The authentication client of supabase-js, set up as its `createClient` does. `createClient` would bring the clients
 * for realtime, storage, functions and tables along, which nobody uses here: 54 KiB of script instead of 22.
 */
const makeClient = (door: Door): DoorClient =>
  new AuthClient({
    url: `${baseUrl(door)}/auth/v1`,
    // This very spelling: the client writes a person's token over "Authorization", not over another case of it.
    headers: { Authorization: `Bearer ${door.key}`, apikey: door.key },
    storageKey: STORAGE_KEY,
    flowType: 'implicit',
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: true,
  })

/** Septet's own service is on the page's origin, by whichever name it was reached. */
const baseUrl = ({ mode, url }: Door): string => (mode === 'embedded' ? location.origin : url.replace(/\/+$/u, ''))
