import { SSO_PATH } from '@septet/contract/routes'
import { useEffect, type ReactNode } from 'react'

import { Button } from '../ui/Button.tsx'
import { useAuth, type PageAuth } from './auth-context.ts'
import { signInTo, HOME } from './next-path.ts'

/** Lets only signed-in people through; others go to the sign-in page, and come back to where they were going. */
export function Protected({ children }: { readonly children: ReactNode }) {
  const auth = useAuth()
  const { trouble, session, loading } = auth
  const away = trouble === undefined && !loading && session === undefined
  useEffect(() => {
    if (away) location.replace(wayOut(auth))
  }, [away, auth])
  if (trouble !== undefined) return <NoWayIn auth={auth} words={trouble.words} refused={trouble.kind === 'refused'} />
  if (loading) return <Spinner words="Checking who is signed in" />
  if (session === undefined) return <Spinner words="Going to the sign-in" />
  return children
}

/**
 * Who asked to leave sees the front page, by way of the provider that signed them in, if any; who lost their session is told
 * so, and can go on where they were.
 */
function wayOut({ ended, signInInfo }: PageAuth): string {
  if (ended === 'asked') return signInInfo?.sso === undefined ? HOME : `${SSO_PATH}/sign-out`
  const signIn = signInTo(location.pathname + location.search)
  return ended === 'lost' ? `${signIn}&reason=ended` : signIn
}

type NoWayInProps = { readonly auth: PageAuth; readonly words: string; readonly refused: boolean }

const NoWayIn = ({ auth, words, refused }: NoWayInProps) => (
  <main className="mx-auto grid min-h-dvh max-w-xl content-center justify-items-start gap-4 px-6 py-16">
    <h1 className="text-20 font-semibold tracking-tight">
      {refused ? 'You may not use this Septet' : 'Septet could not check who you are'}
    </h1>
    <p role="alert" className="text-ink-soft">
      {words}
    </p>
    <div className="flex flex-wrap gap-2">
      <Button look="strong" className="min-h-8" onClick={() => location.reload()}>
        Try again
      </Button>
      {refused && (
        <Button className="min-h-8" onClick={() => void auth.signOut('local')}>
          Sign out
        </Button>
      )}
    </div>
  </main>
)

/** Waits, in the middle of what it waits for; the words are for those who do not see it turn. */
const Spinner = ({ words }: { readonly words: string }) => (
  <output className="grid min-h-dvh place-content-center justify-items-center gap-3 text-13 text-ink-soft">
    <svg aria-hidden width="28" height="28" viewBox="0 0 28 28" fill="none" className="turns" strokeWidth="2.5">
      <circle cx="14" cy="14" r="11" stroke="var(--line)" />
      <path d="M14 3a11 11 0 0 1 11 11" stroke="var(--ink-soft)" strokeLinecap="round" />
    </svg>
    {words}
  </output>
)
