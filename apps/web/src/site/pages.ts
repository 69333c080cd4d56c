import { createElement } from 'react'

import { READING_ORDER, titleOf } from './docs/contents.ts'
import { DOC_PAGES } from './docs/doc-pages.ts'
import { About } from './pages/About.tsx'
import { Api } from './pages/Api.tsx'
import { Blog } from './pages/Blog.tsx'
import { Careers } from './pages/Careers.tsx'
import { Compare } from './pages/Compare.tsx'
import { Contact } from './pages/Contact.tsx'
import { Doc } from './pages/Doc.tsx'
import { Docs } from './pages/Docs.tsx'
import { Home } from './pages/Home.tsx'
import { NotFound } from './pages/NotFound.tsx'
import { Privacy } from './pages/Privacy.tsx'
import { Receipts } from './pages/Receipts.tsx'
import { Terms } from './pages/Terms.tsx'
import type { SitePage } from './site-page.ts'

/** Every page of the site, each pre-rendered at build. */
export const PAGES: readonly SitePage[] = [
  {
    path: '/',
    title: 'Septet: GPU optimization for Kubernetes',
    description:
      'Find the GPU time your Kubernetes clusters pay for but never use, slice each GPU to fit the work, and measure what you saved. Open source, self-hosted.',
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
  {
    path: '/compare',
    title: 'Compare Septet with GPU Operator, HAMi, Run:ai and OpenCost · Septet',
    description:
      'Septet compared with GPU Operator and static MIG, HAMi, NVIDIA Run:ai with KAI, and OpenCost with Kubecost, with a source for every fact, including where others lead.',
    element: () => createElement(Compare),
  },
  {
    path: '/about',
    title: 'About · Septet',
    description: 'What Septet is, why it exists, its principles, and its status.',
    element: () => createElement(About),
  },
  {
    path: '/blog',
    title: 'Engineering notes · Septet',
    description: 'Design decisions behind Septet: the problem, the choice, and what it costs.',
    element: () => createElement(Blog),
  },
  {
    path: '/careers',
    title: 'Careers · Septet',
    description: 'Septet is an open source project. How to contribute.',
    element: () => createElement(Careers),
  },
  {
    path: '/contact',
    title: 'Contact · Septet',
    description: 'Where to get help with Septet, report a bug, or disclose a vulnerability.',
    element: () => createElement(Contact),
  },
  {
    path: '/privacy',
    title: 'Privacy Policy · Septet',
    description: 'What this self-hosted software stores about people, where, and for how long. No tracking.',
    element: () => createElement(Privacy),
  },
  {
    path: '/terms',
    title: 'Terms of Service · Septet',
    description: 'The Apache License 2.0 in plain language.',
    element: () => createElement(Terms),
  },
  {
    path: '/docs',
    title: 'Documentation · Septet',
    description: 'From your first start to an applied plan: the Septet documentation, with search.',
    element: () => createElement(Docs),
    reads: true,
  },
  ...DOC_PAGES.map((doc): SitePage => ({
    path: doc.href,
    title: `${titleOf(doc)} · Septet documentation`,
    description:
      READING_ORDER.find(({ href }) => href === doc.href)?.summary ||
      `${titleOf(doc)}, in the documentation of Septet.`,
    element: () => createElement(Doc, { doc }),
    reads: true,
  })),
  {
    path: '/api',
    title: 'API · Septet',
    description: 'Every Septet operation with its role, effect, and reach, a command to copy, and all error codes.',
    element: () => createElement(Api),
    reads: true,
  },
  {
    path: '/receipts',
    title: 'Receipts · Septet',
    description:
      'Every number on this site with its baseline, its target, and the command that reproduces it, including missed targets.',
    element: () => createElement(Receipts),
    reads: true,
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
