export type NavigationLink = { readonly label: string; readonly href: string }

/** Anchors carry the path of the home page, so that they lead there from every page. */
export const HEADER_LINKS: readonly NavigationLink[] = [
  { label: 'Features', href: '/#features' },
  { label: 'Dashboard', href: '/dashboard' },
  { label: 'Pricing', href: '/#pricing' },
  { label: 'Documentation', href: '/docs' },
]

export const SIGN_IN: NavigationLink = { label: 'Sign In', href: '/auth' }
export const GET_STARTED: NavigationLink = { label: 'Get Started for Free', href: '/auth' }
export const COMPARE: NavigationLink = { label: 'Compare Features', href: '/compare' }

export const FOOTER_GROUPS: readonly { readonly title: string; readonly links: readonly NavigationLink[] }[] = [
  {
    title: 'Product',
    links: [
      { label: 'Features', href: '/#features' },
      { label: 'Pricing', href: '/#pricing' },
      { label: 'Documentation', href: '/docs' },
      { label: 'API', href: '/api' },
    ],
  },
  {
    title: 'Evidence',
    links: [
      { label: 'Receipts', href: '/receipts' },
      { label: 'Comparison', href: '/compare' },
      { label: 'Live demo', href: '/demo' },
    ],
  },
  {
    title: 'Project',
    links: [
      { label: 'About', href: '/about' },
      { label: 'Blog', href: '/blog' },
      { label: 'Careers', href: '/careers' },
      { label: 'Contact', href: '/contact' },
    ],
  },
  {
    title: 'Legal',
    links: [
      { label: 'Privacy Policy', href: '/privacy' },
      { label: 'Terms of Service', href: '/terms' },
    ],
  },
]

/** The year of the first copyright notice. */
export const FIRST_YEAR = 2025

export const TRADEMARKS = 'Product names belong to their owners, none of whom endorses Septet.'
