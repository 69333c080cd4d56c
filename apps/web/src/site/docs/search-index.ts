import MiniSearch from 'minisearch'

import { RECEIPTS } from '../content/receipts.ts'
import { SEARCH_OPTIONS, type SearchSection } from '../reading/search-options.ts'
import { titleOf } from './contents.ts'
import { DOC_PAGES } from './doc-pages.ts'
import { plainText } from './html-text.ts'

/** What can be found: every section of the documentation, and every receipt. */
export const SEARCH_SECTIONS: readonly SearchSection[] = [
  ...DOC_PAGES.flatMap((doc) =>
    doc.sections.map(({ heading, html }, index) => ({
      id: index === 0 ? doc.href : `${doc.href}#${heading.id}`,
      page: index === 0 ? '' : titleOf(doc),
      heading: index === 0 ? titleOf(doc) : heading.text,
      text: plainText(html),
    })),
  ),
  ...RECEIPTS.map(({ id, title, says }) => ({ id: `/receipts#${id}`, page: 'Receipts', heading: title, text: says })),
]

/** The index as a file of the build. Its name carries a hash of its content, so a browser may keep it for good. */
export const SEARCH_INDEX: { readonly path: string; readonly text: string } = await indexFile()

async function indexFile(): Promise<{ readonly path: string; readonly text: string }> {
  const index = new MiniSearch<SearchSection>(SEARCH_OPTIONS)
  index.addAll(SEARCH_SECTIONS)
  const text = JSON.stringify(index)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  const name = Array.from(hash.slice(0, 5), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { path: `/assets/docs-search-${name}.json`, text }
}
