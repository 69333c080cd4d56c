import type { ReactNode } from 'react'

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
