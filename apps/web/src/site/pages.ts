import { createElement, type ReactNode } from 'react'

import words from '../../content/pages.json'
import { READING_ORDER, titleOf } from './docs/contents.ts'
import { DOC_PAGES } from './docs/doc-pages.ts'
import { Api } from './pages/Api.tsx'
import { Blog } from './pages/Blog.tsx'
import { Compare } from './pages/Compare.tsx'
import { Doc } from './pages/Doc.tsx'
import { Docs } from './pages/Docs.tsx'
import { Home } from './pages/Home.tsx'
import { NotFound } from './pages/NotFound.tsx'
import { ProsePage } from './pages/ProsePage.tsx'
import { Receipts } from './pages/Receipts.tsx'
import { proseOf } from './prose.ts'
import type { SitePage } from './site-page.ts'

const page = (path: keyof typeof words, element: () => ReactNode, more: Partial<SitePage> = {}): SitePage => ({
  path,
  ...words[path],
  element,
  ...more,
})

const prose = (name: 'about' | 'careers' | 'contact' | 'privacy' | 'terms'): SitePage =>
  page(`/${name}`, () => createElement(ProsePage, { page: proseOf(name) }), { reads: true })

/** Every page of the site, each pre-rendered at build. */
export const PAGES: readonly SitePage[] = [
  page('/', () => createElement(Home)),
  page('/compare', () => createElement(Compare)),
  prose('about'),
  page('/blog', () => createElement(Blog)),
  prose('careers'),
  prose('contact'),
  prose('privacy'),
  prose('terms'),
  page('/docs', () => createElement(Docs), { reads: true }),
  ...DOC_PAGES.map((doc): SitePage => ({
    path: doc.href,
    title: `${titleOf(doc)} · Septet documentation`,
    description:
      READING_ORDER.find(({ href }) => href === doc.href)?.summary ||
      `${titleOf(doc)}, in the documentation of Septet.`,
    element: () => createElement(Doc, { doc }),
    reads: true,
  })),
  page('/api', () => createElement(Api), { reads: true }),
  page('/receipts', () => createElement(Receipts), { reads: true }),
]

/** What answers a path that none of them has. */
export const NOT_FOUND = page('/404', () => createElement(NotFound), { unlisted: true, scripts: ['/not-found.js'] })
