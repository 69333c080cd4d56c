import { useEffect } from 'react'

import { usePageTitle } from '../../ui/use-page-title.ts'

/** Any path of the dashboard that leads nowhere. The words are the specification's. */
export function NotFound() {
  usePageTitle('Page not found · Septet')
  const { pathname } = window.location
  useEffect(() => {
    // oxlint-disable-next-line no-console -- the specification asks for the unknown path in the console
    console.error(`No page at ${pathname}`)
  }, [pathname])
  return (
    <section className="grid max-w-xl content-center gap-4 py-16">
      <h1 className="font-mono text-64 font-medium tracking-tight">404</h1>
      <p className="text-20">Oops! Page not found</p>
      <p className="text-ink-soft">
        There is nothing at <code className="font-mono text-13 break-all">{pathname}</code>.
      </p>
      <a href="/" className="justify-self-start font-medium text-accent-ink underline underline-offset-4">
        Return to Home
      </a>
    </section>
  )
}
