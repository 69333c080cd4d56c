import type { ReactNode } from 'react'

import { SliceTextures } from '../ui/SliceTextures.tsx'
import { Footer } from './sections/Footer.tsx'
import { Header } from './sections/Header.tsx'

/** What every page of the site has around its own content. The header is fixed, so the content begins below it. */
export function SiteLayout({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <SliceTextures />
      <Header />
      <main id="content" className="pt-16">
        {children}
      </main>
      <Footer />
    </>
  )
}
