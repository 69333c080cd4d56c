import type { Options } from 'minisearch'

/** A part of the documentation that can be found; `id` is its address. */
export type SearchSection = {
  readonly id: string
  /** What page it is a part of; empty for its beginning, whose heading is the page's title. */
  readonly page: string
  readonly heading: string
  readonly text: string
}

/** The same where the index is made and where it is asked. */
export const SEARCH_OPTIONS: Options<SearchSection> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['page', 'heading', 'text'],
  searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: (term) => (term.length > 4 ? 0.2 : false) },
}
