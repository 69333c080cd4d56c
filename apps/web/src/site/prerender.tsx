import { renderToStaticMarkup } from 'react-dom/server'

import { LLMS_TEXT } from './llms-text.ts'
import { RECEIPT_FILES } from './receipts.ts'
import { SEARCH_INDEX } from './docs/search-index.ts'
import { LoadedIslands } from './Island.tsx'
import { ISLANDS } from './islands.ts'
import { NOT_FOUND, PAGES, type SitePage } from './pages.tsx'
import { HERO_FILE } from './sections/hero-recording.ts'
import { SiteLayout } from './SiteLayout.tsx'

/** What a page needs of the build, as paths on the server. */
export type SiteAssets = {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  readonly fonts: readonly string[]
  /** What pages to read load beside that. */
  readonly reading?: Pick<SiteAssets, 'scripts' | 'styles'>
}

/**
 * All files of the site, each rendered when asked for: `index.html`, `compare/index.html`, `404.html` for other paths, and
 * the data that pages load.
 */
export function renderSite(assets: SiteAssets): ReadonlyMap<string, () => string> {
  return new Map([
    ...PAGES.map((page) => [fileOf(page), () => renderPage(page, assets)] as const),
    ['404.html', () => renderPage(NOT_FOUND, assets)] as const,
    ...DATA.map(([path, text]) => [path.slice(1), () => text] as const),
  ])
}

const DATA: ReadonlyArray<readonly [path: string, text: string]> = [
  ...RECEIPT_FILES,
  ['/llms.txt', LLMS_TEXT],
  ...[SEARCH_INDEX, HERO_FILE].map(({ path, text }) => [path, text] as const),
]

const fileOf = ({ path }: SitePage): string => `${path.slice(1)}/index.html`.replace(/^\//u, '')

// Here and not at first need: rendering itself cannot wait.
const islands = new Map(
  await Promise.all(Object.entries(ISLANDS).map(async ([name, load]) => [name, await load()] as const)),
)

function renderPage(page: SitePage, assets: SiteAssets): string {
  const document = (
    <LoadedIslands value={islands}>
      <html lang="en">
        <Head page={page} assets={assets} />
        <body>
          <SiteLayout>{page.element()}</SiteLayout>
        </body>
      </html>
    </LoadedIslands>
  )
  return `<!doctype html>${renderToStaticMarkup(document)}\n`
}

type HeadProps = { readonly page: SitePage; readonly assets: SiteAssets }

function Head({ page, assets }: HeadProps) {
  const { title, description, unlisted = false, reads = false, scripts = [] } = page
  const reading = reads ? assets.reading : undefined
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <meta name="description" content={description} />
      <meta name="color-scheme" content="light dark" />
      {unlisted && <meta name="robots" content="noindex" />}
      <script src="/theme.js" />
      {[...assets.styles, ...(reading?.styles ?? [])].map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      {assets.fonts.map((href) => (
        <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="" />
      ))}
      <link rel="icon" href="/logo.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/touch-icon.png" />
      <Shared page={page} />
      {[...assets.scripts, ...(reading?.scripts ?? []), ...scripts].map((source) => (
        <script key={source} type="module" src={source} />
      ))}
    </head>
  )
}

/** For search engines and shared links. Addresses in them must be whole: a server that knows its own writes them. */
function Shared({ page }: { readonly page: SitePage }) {
  const { title, description, unlisted = false, facts } = page
  if (unlisted) return undefined
  const shared = {
    'og:type': 'website',
    'og:site_name': 'Septet',
    'og:title': title,
    'og:description': description,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': 'Septet: Seven slices. One GPU. Nothing idle.',
    'twitter:title': title,
    'twitter:description': description,
    'twitter:card': 'summary_large_image',
  }
  return (
    <>
      {Object.entries(shared).map(([name, content]) => (
        <meta key={name} {...{ [name.startsWith('og:') ? 'property' : 'name']: name }} content={content} />
      ))}
      {facts !== undefined && <Facts facts={{ ...facts, description }} />}
    </>
  )
}

function Facts({ facts }: { readonly facts: Readonly<Record<string, unknown>> }) {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...facts }).replaceAll('<', String.raw`\u003c`)
  return (
    <script
      type="application/ld+json"
      // oxlint-disable-next-line react/no-danger -- data, not script; `<` is escaped, so nothing in it ends the element
      dangerouslySetInnerHTML={{ __html: text }}
    />
  )
}
