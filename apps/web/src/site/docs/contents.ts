import words from '../../../content/docs.json'
import { DOC_PAGES, type DocPage } from './doc-pages.ts'

export type ContentsEntry = { readonly href: string; readonly title: string; readonly summary: string }

export type ContentsGroup = {
  readonly id: string
  readonly title: string
  readonly entries: readonly ContentsEntry[]
}

const placed = words.flatMap(({ pages }) => pages.map(({ file }) => file))
const isDecision = ({ file }: DocPage): boolean => file.startsWith('docs/decisions/')

/** Pages that a group has without naming them: the records of decisions, and last what nobody has placed. */
const OTHERS: Readonly<Record<string, readonly DocPage[]>> = {
  decisions: DOC_PAGES.filter(isDecision),
  more: DOC_PAGES.filter((doc) => !isDecision(doc) && !placed.includes(doc.file)),
}

/** The documentation in the order of a reader: begin, run, plan, look up. */
export const CONTENTS: readonly ContentsGroup[] = words
  .map(({ id, title, pages }) => ({
    id,
    title,
    entries: [...pages.map(entryOf), ...(OTHERS[id] ?? []).map((doc) => ({ ...doc, summary: '' }))],
  }))
  .filter(({ entries }) => entries.length > 0)

/** All entries, in their order: a page's neighbors are the next reading. */
export const READING_ORDER: readonly ContentsEntry[] = CONTENTS.flatMap(({ entries }) => entries)

/** What the side list and the head of a page call it. */
export const titleOf = (doc: DocPage): string => READING_ORDER.find(({ href }) => href === doc.href)?.title ?? doc.title

/** A page of the documentation by its file, or another one of the site by its address. */
function entryOf({ file, title, summary }: (typeof words)[number]['pages'][number]): ContentsEntry {
  const href = file.startsWith('/') ? file : DOC_PAGES.find((each) => each.file === file)?.href
  if (href === undefined) throw new Error(`the documentation has no ${file}`)
  return { href, title, summary }
}
