import type { SignInInfo } from '@septet/contract'
import type { ReactNode } from 'react'

import { LogoLink } from '../ui/Logo.tsx'
import { NoticeBox } from '../ui/Notice.tsx'
import { keepsSessions } from './keeps-sessions.ts'

type Props = {
  readonly signInInfo: SignInInfo | undefined
  /** What keeps a signed-in person out. */
  readonly obstacle: string | undefined
  readonly children: ReactNode
}

/** The room around the card: who asks, and the ways that need no account. */
export function SignInFrame({ signInInfo, obstacle, children }: Props) {
  const reason = reasonWords(location.search)
  return (
    <div className="flex min-h-dvh flex-col px-4 py-6 sm:px-7">
      <header>
        <LogoLink href="/" className="inline-flex gap-2.5" />
      </header>
      <main className="mx-auto grid w-full max-w-100 flex-1 content-center gap-4 py-8">
        {!keepsSessions() && (
          <NoticeBox tone="warning">
            This browser does not let this site keep anything, so a sign-in is forgotten as soon as you leave the page.
            Allow cookies and site data for this address, then load it again.
          </NoticeBox>
        )}
        {reason !== undefined && <NoticeBox tone="quiet">{reason}</NoticeBox>}
        {obstacle !== undefined && <NoticeBox tone="warning">{obstacle}</NoticeBox>}
        <section
          aria-labelledby="sign-in-title"
          className="grid gap-6 rounded-card border border-line bg-surface px-5 py-6 sm:px-7 sm:py-7"
        >
          <div className="grid gap-3">
            <SevenParts />
            <h1 id="sign-in-title" className="text-20 font-semibold tracking-[-0.015em]">
              Sign In or Create Account
            </h1>
          </div>
          {children}
        </section>
        <p className="flex flex-wrap justify-center gap-x-5 gap-y-1 text-13 text-ink-soft">
          {signInInfo?.demo === true && (
            <a href="/demo" className="underline underline-offset-4 hover:text-ink">
              Live demo, no account needed
            </a>
          )}
          {signInInfo?.mode === 'hosted' && <span>Accounts are kept at {new URL(signInInfo.url).host}</span>}
        </p>
      </main>
    </div>
  )
}

/** The slice bar: one GPU in seven parts, grouped four, two and one. */
const SevenParts = () => (
  <svg aria-hidden viewBox="0 0 70 4" preserveAspectRatio="none" className="h-1 w-24 text-busy">
    {[
      [0, 39],
      [41, 18],
      [61, 9],
    ].map(([x, width]) => (
      <rect key={x} x={x} width={width} height="4" fill="currentColor" />
    ))}
  </svg>
)

/** Why someone stands at the sign-in page who did not ask for it, by the address's `reason`; undefined when they just came. */
export function reasonWords(search: string): string | undefined {
  const reason = new URLSearchParams(search).get('reason')
  return reason !== null && Object.hasOwn(WORDS, reason) ? WORDS[reason] : undefined
}

const WORDS: Readonly<Record<string, string>> = {
  ended: 'You were signed out: the session is over or was ended elsewhere. Sign in to go on where you were.',
}
