import MiniSearch from 'minisearch'

import { SEARCH_OPTIONS, type SearchSection } from './search-options.ts'

/** A found section: where it is, what it is called, and the words around what was asked for. */
export type Hit = {
  readonly href: string
  readonly page: string
  readonly heading: string
  readonly excerpt: readonly { readonly text: string; readonly found: boolean }[]
}

export type DocsIndex = (query: string) => readonly Hit[]

const MOST = 8
const EXCERPT = 150

/** Opens an index as the build wrote it. All words must be there; when no section has all, any will do. */
export function openDocsSearch(text: string): DocsIndex {
  const index = MiniSearch.loadJSON<SearchSection>(text, SEARCH_OPTIONS)
  return (query) => {
    const all = index.search(query, { combineWith: 'AND' })
    const results = all.length > 0 ? all : index.search(query)
    return results.slice(0, MOST).map(({ id, terms, page, heading, text: body }) => ({
      href: String(id),
      page: String(page),
      heading: String(heading),
      excerpt: excerptOf(String(body), terms),
    }))
  }
}

/** About a line and a half around the first found word, beginning at a word. */
function excerptOf(text: string, terms: readonly string[]): Hit['excerpt'] {
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.map(literal).join('|')})`, 'giu')
  const first = Math.max(0, text.search(found))
  const from = first < EXCERPT / 3 ? 0 : text.indexOf(' ', first - EXCERPT / 3) + 1
  const rest = text.slice(from)
  const cut = rest.length > EXCERPT ? `${rest.slice(0, EXCERPT).replace(/\s\S*$/u, '')} …` : rest
  const shown = `${from > 0 ? '… ' : ''}${cut}`
  return parts(shown, found)
}

function parts(text: string, found: RegExp): Hit['excerpt'] {
  const pieces: { text: string; found: boolean }[] = []
  let last = 0
  for (const match of text.matchAll(found)) {
    pieces.push({ text: text.slice(last, match.index), found: false }, { text: match[0], found: true })
    last = match.index + match[0].length
  }
  return [...pieces, { text: text.slice(last), found: false }].filter((piece) => piece.text !== '')
}

const literal = (term: string): string => term.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)
