import type { ReactNode } from 'react'

/** What every page of the site has around its own content. */
export function SiteLayout({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <main id="content">{children}</main>
    </>
  )
}
