import type { ReactNode } from 'react'

import { useAuth } from '../../../session/auth-context.ts'
import { Logo } from '../../../ui/Logo.tsx'

/** The room around one decision: whose it is, and nothing else to press. */
export function LoginFrame({ children }: { readonly children: ReactNode }) {
  const email = useAuth().session?.user.email
  return (
    <div className="flex min-h-dvh flex-col px-4 py-6 sm:px-7">
      <header>
        <a
          href="/dashboard"
          className="inline-flex items-center gap-2.5 rounded-control text-16 font-semibold tracking-tight"
        >
          <Logo />
          septet
        </a>
      </header>
      <main className="mx-auto grid w-full max-w-110 flex-1 content-center gap-4 py-8">
        <section
          aria-labelledby="login-title"
          className="grid gap-5 rounded-card border border-line bg-surface px-5 py-6 sm:px-7 sm:py-7"
        >
          {children}
        </section>
        {email !== undefined && (
          <p className="text-center text-13 wrap-anywhere text-ink-soft">
            Signed in as <span className="font-medium text-ink">{email}</span>
          </p>
        )}
      </main>
    </div>
  )
}
