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
  {
    path: '/compare',
    title: 'Compare Septet with GPU Operator, HAMi, Run:ai and OpenCost · Septet',
    description:
      'Capabilities of Septet beside GPU Operator with static MIG, HAMi, NVIDIA Run:ai with KAI, and OpenCost with Kubecost: each fact with its source and day, also where others lead.',
    element: () => createElement(Compare),
  },
  {
    path: '/about',
    title: 'About · Septet',
    description: 'What Septet is, why it exists, the rules it keeps, and where it stands.',
    element: () => createElement(About),
  },
  {
    path: '/blog',
    title: 'Engineering notes · Septet',
    description: 'Choices in the making of Septet that would surprise a reader: context, decision, consequences.',
    element: () => createElement(Blog),
  },
  {
    path: '/careers',
    title: 'Careers · Septet',
    description: 'There is no company behind Septet. What helps it, and how to begin.',
    element: () => createElement(Careers),
  },
  {
    path: '/contact',
    title: 'Contact · Septet',
    description: 'Who runs this installation of Septet, and where to report what.',
    element: () => createElement(Contact),
  },
  {
    path: '/privacy',
    title: 'Privacy Policy · Septet',
    description: 'What this self-hosted software keeps about people, where, and for how long. No tracking.',
    element: () => createElement(Privacy),
  },
  {
    path: '/terms',
    title: 'Terms of Service · Septet',
    description: 'The Apache License 2.0 in plain words.',
    element: () => createElement(Terms),
  },
  {
    path: '/docs',
    title: 'Documentation · Septet',
    description: 'From the first start to a plan that is carried out: contents of the documentation, with search.',
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
    description:
      'Every operation of Septet with its role, effect and reach, a command to paste, and all problems by code.',
    element: () => createElement(Api),
    reads: true,
  },
  {
    path: '/receipts',
    title: 'Receipts · Septet',
    description:
      'What the site claims and what was measured: figures beside baseline and aim, the command that makes them again, and what was not reached.',
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
