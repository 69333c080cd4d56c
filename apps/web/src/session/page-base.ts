/** Which of the two places of the dashboard a page is at: one's own, or the demo that anyone may look at. */
export type PageBase = { readonly path: '/dashboard' | '/demo'; readonly demo: boolean }

/** By the page's address; everything that is not the demo is protected. */
export const pageBase = (pathname: string): PageBase =>
  pathname === '/demo' || pathname.startsWith('/demo/')
    ? { path: '/demo', demo: true }
    : { path: '/dashboard', demo: false }
