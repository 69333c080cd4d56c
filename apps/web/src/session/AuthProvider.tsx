import { errorText } from '@septet/domain/words'
import { isAuthRetryableFetchError, type AuthChangeEvent, type Session } from '@supabase/supabase-js'
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'

import { openAccountClient, type AccountClient, type OpenAccountClient } from './auth-client.ts'
import { PageAuthContext, type PageAuth, type AuthTrouble } from './auth-context.ts'
import { authStateAfter, passChange, UNKNOWN, type AuthState } from './auth-state.ts'
import { authorizeWith, type PageCredentials } from './authorized-fetch.ts'
import { signInTo } from './next-path.ts'
import { givePagePass, takePagePass } from './page-pass.ts'

/** Knows who is signed in, keeps the server's leave to open pages fresh, and signs the page's requests. */
export function AuthProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<AuthState>(UNKNOWN)
  const [trouble, setTrouble] = useState<AuthTrouble>()
  const [opened, setOpened] = useState<OpenAccountClient>()
  const asked = useRef(false)
  const leaving = useRef<Promise<unknown>>(Promise.resolve())

  useEffect(() => {
    const follow = (event: AuthChangeEvent, session: Session | null, client: AccountClient): void => {
      const after = { event, session, asked: asked.current }
      const show = (): void => {
        setState((before) => authStateAfter(before, after))
        void keepPagePass(event, session, client).then(setTrouble)
      }
      // The library tells of a sign-out before it asks the server for it, and a page that goes elsewhere breaks that off.
      if (event === 'SIGNED_OUT') void leaving.current.then(show)
      else show()
    }
    return watch(follow, setOpened, setTrouble)
  }, [])

  const signOut = useCallback<PageAuth['signOut']>(async (scope) => {
    asked.current = scope !== 'others'
    const { client } = await openAccountClient()
    const ending = client.signOut({ scope })
    leaving.current = ending.catch(() => undefined)
    const { error } = await ending
    if (error !== null) asked.current = false
    return error?.message
  }, [])
  const auth = useMemo(
    () => ({ ...state, signInInfo: opened?.signInInfo, client: opened?.client, trouble, signOut }),
    [state, opened, trouble, signOut],
  )
  return <PageAuthContext value={auth}>{children}</PageAuthContext>
}

type Follow = (event: AuthChangeEvent, session: Session | null, client: AccountClient) => void

/** Follows the client from when it is open until the returned function is called. */
function watch(
  follow: Follow,
  open: (opened: OpenAccountClient) => void,
  fail: (trouble: AuthTrouble) => void,
): () => void {
  let here = true
  let stop: (() => void) | undefined
  const begin = async (): Promise<void> => {
    const opened = await openAccountClient()
    if (!here) return
    open(opened)
    authorizeWith(credentialsOf(opened.client))
    const { data } = opened.client.onAuthStateChange((event, session) => follow(event, session, opened.client))
    stop = () => data.subscription.unsubscribe()
  }
  begin().catch((error: unknown) => here && fail({ kind: 'unreachable', words: errorText(error) }))
  return () => {
    here = false
    stop?.()
  }
}

const credentialsOf = (client: AccountClient): PageCredentials => ({
  token: async () => (await client.getSession()).data.session?.access_token,
  renew: async () => {
    const { data, error } = await client.refreshSession()
    if (data.session !== null) return { kind: 'renewed', token: data.session.access_token }
    return { kind: isAuthRetryableFetchError(error) ? 'unreachable' : 'refused' }
  },
  lost: async () => void (await client.signOut({ scope: 'local' })),
})

/** Gives or takes the server's leave to open pages; resolves with what stands in the way. */
async function keepPagePass(
  event: AuthChangeEvent,
  session: Session | null,
  client: AccountClient,
): Promise<AuthTrouble | undefined> {
  const change = passChange(event, session)
  if (change === 'take') await takePagePass()
  if (change !== 'give' || session === null) return undefined
  const verdict = await givePagePass(session.access_token)
  if (verdict.kind === 'refused') return verdict
  if (verdict.kind === 'ended') await client.signOut({ scope: 'local' })
  // The sign-in page knows that a second factor is missing, and asks for it.
  if (verdict.kind === 'second-factor') location.replace(signInTo(location.pathname + location.search))
  return undefined
}
