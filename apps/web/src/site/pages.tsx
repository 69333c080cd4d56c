import type { ReactNode } from 'react'

import words from '../../content/pages.json'
import { CONTENTS, type ContentsEntry, READING_ORDER, titleOf } from './docs/contents.ts'
import { DOC_PAGES } from './docs/doc-pages.ts'
import { plainText } from './docs/html-text.ts'
import type { MarkdownPage } from './docs/markdown.ts'
import { Blog } from './pages/Blog.tsx'
import { Compare } from './pages/Compare.tsx'
import { Doc } from './pages/Doc.tsx'
import { Home } from './pages/Home.tsx'
import { Html } from './pages/Html.tsx'
import { Page, PagePart } from './pages/Page.tsx'
import { Receipts } from './pages/Receipts.tsx'
import { proseOf } from './prose.ts'
import { DocsSearch } from './sections/DocsSearch.tsx'

/** A page of the site: where it is, what it is called, and what it shows between header and footer. */
export type SitePage = {
  /** `/`, or `/word/word` without a slash at the end. */
  readonly path: string
  /** For the browser's tab, search results and shared links. */
  readonly title: string
  readonly description: string
  readonly element: () => ReactNode
  /** Not to be listed by search engines. */
  readonly unlisted?: boolean
  /** Whether it is a page to read, which loads what those have: copying, and the search of the documentation. */
  readonly reads?: boolean
  /** Scripts of `public/` that this page alone runs, by path. */
  readonly scripts?: readonly string[]
  /** What search engines may know beyond title and description, as schema.org says it. */
  readonly facts?: Readonly<Record<string, unknown>>
}

const page = (path: keyof typeof words, element: () => ReactNode, more: Partial<SitePage> = {}): SitePage => ({
  path,
  ...words[path],
  element,
  ...more,
})

const prose = (name: 'about' | 'careers' | 'contact' | 'privacy' | 'terms'): SitePage =>
  page(`/${name}`, () => <ProsePage page={proseOf(name)} />, { reads: true })

/** Every page of the site, each pre-rendered at build. */
export const PAGES: readonly SitePage[] = [
  page('/', () => <Home />),
  page('/compare', () => <Compare />),
  prose('about'),
  page('/blog', () => <Blog />),
  prose('careers'),
  prose('contact'),
  prose('privacy'),
  prose('terms'),
  page('/docs', () => <Docs />, { reads: true }),
  ...DOC_PAGES.map((doc): SitePage => ({
    path: doc.href,
    title: `${titleOf(doc)} · Septet documentation`,
    description:
      READING_ORDER.find(({ href }) => href === doc.href)?.summary ||
      `${titleOf(doc)}, in the documentation of Septet.`,
    element: () => <Doc doc={doc} />,
    reads: true,
  })),
  page('/api', () => <Api />, { reads: true }),
  page('/receipts', () => <Receipts />, { reads: true }),
]

/** What answers a path that none of them has. */
export const NOT_FOUND = page('/404', () => <NotFound />, { unlisted: true, scripts: ['/not-found.js'] })

/** The frame of the page about the API. The server fills it, from the operations that it answers itself. */
function Api() {
  return (
    <div className="mx-auto max-w-7xl px-6 pt-16 pb-24">
      <h1 className="text-28 font-semibold tracking-[-0.02em] md:text-40">API</h1>
      <div data-filled-by="server" />
    </div>
  )
}

/** Any path that leads nowhere. The words are the specification's; `public/not-found.js` logs the path. */
function NotFound() {
  return (
    <div className="mx-auto flex min-h-[60dvh] max-w-3xl flex-col justify-center gap-4 px-6 py-24">
      <h1 className="font-mono text-64 font-medium tracking-tight">404</h1>
      <p className="text-20">Oops! Page not found</p>
      <a href="/" className="self-start text-16 font-medium text-accent-ink underline underline-offset-4">
        Return to Home
      </a>
    </div>
  )
}

/** The contents of the documentation, in the order of a reader. */
function Docs() {
  return (
    <Page
      title="Documentation"
      lead="From your first start to an applied plan. These pages ship with this version of Septet."
      aside={<DocsSearch edge="right" />}
    >
      {CONTENTS.map(({ id, title, entries }) => (
        <PagePart key={id} id={id} title={title}>
          <ul className="-mt-1.5">
            {entries.map((entry) => (
              <Entry key={entry.href} entry={entry} />
            ))}
          </ul>
        </PagePart>
      ))}
    </Page>
  )
}

function Entry({ entry: { href, title, summary } }: { readonly entry: ContentsEntry }) {
  return (
    <li className="border-b border-line last:border-b-0">
      <a href={href} className="group grid gap-x-6 py-2.5 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <span
          className={`text-16 text-pretty underline decoration-line-strong underline-offset-4 group-hover:decoration-ink ${summary === '' ? 'sm:col-span-2' : 'font-medium'}`}
        >
          {title}
        </span>
        {summary !== '' && <span className="text-14 text-pretty text-ink-soft">{summary}</span>}
      </a>
    </li>
  )
}

/** A page of text. */
export function ProsePage({ page: { title, sections } }: { readonly page: MarkdownPage }) {
  const [first, ...parts] = sections
  return (
    <Page title={title} lead={plainText(first?.html ?? '')}>
      {parts.map(({ heading: { id, text }, html }) => (
        <PagePart key={id} id={id} title={text}>
          <Html className="prose facts -my-4 text-ink-soft" html={html} />
        </PagePart>
      ))}
    </Page>
  )
}
