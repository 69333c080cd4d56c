import MiniSearch from 'minisearch'

import { RECEIPTS } from '../receipts.ts'
import { hashedFile } from '../hashed-file.ts'
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

const index = new MiniSearch<SearchSection>(SEARCH_OPTIONS)
index.addAll(SEARCH_SECTIONS)

/** The index as a file of the build. */
export const SEARCH_INDEX = await hashedFile('docs-search', JSON.stringify(index))
