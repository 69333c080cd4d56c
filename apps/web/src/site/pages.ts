import { createElement } from 'react'

import { Home } from './pages/Home.tsx'
import { NotFound } from './pages/NotFound.tsx'
import type { SitePage } from './site-page.ts'

/** Every page of the site, each pre-rendered at build. */
export const PAGES: readonly SitePage[] = [
  {
    path: '/',
    title: 'Septet: GPU optimization for Kubernetes',
    description:
      'Septet finds the GPU time your Kubernetes clusters pay for and do not use, cuts each GPU to fit the work, and proves what it saved. Open source, self-hosted.',
    element: () => createElement(Home),
    facts: {
      '@type': 'SoftwareApplication',
      name: 'Septet',
      applicationCategory: 'DeveloperApplication',
      operatingSystem: 'Linux, Kubernetes',
      license: 'https://www.apache.org/licenses/LICENSE-2.0',
      offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
    },
  },
]

/** What answers a path that none of them has. */
export const NOT_FOUND: SitePage = {
  path: '/404',
  title: 'Page not found · Septet',
  description: 'There is no page at this address.',
  element: () => createElement(NotFound),
  unlisted: true,
  scripts: ['/not-found.js'],
}
