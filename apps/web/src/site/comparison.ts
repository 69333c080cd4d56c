import sources from '../../content/sources.json'
import { namedEntry } from './content.ts'

/** What a fact about somebody else rests on: which copy was read, and its day or the day by which it was read. */
export type Source = {
  readonly number: number
  readonly title: string
  /** Version or commit of the copy. */
  readonly version: string
  /** ISO day, or month where no day is known. */
  readonly date: string
  /** “published 2026-08-21” or “read by 2026-11-21”: the copy's own day, or the last one by which an undated page was read. */
  readonly day: string
  /** Title and day. */
  readonly name: string
  readonly href: string
}

/** In the order in which they are numbered, from 1. */
export const SOURCES: Readonly<Record<string, Source>> = Object.fromEntries(
  Object.entries(sources).map(([key, { dated, ...source }], index) => {
    const day = `${dated} ${source.date}`
    return [key, { ...source, number: index + 1, day, name: `${source.title}, ${day}` }]
  }),
)

export const sourceOf = (key: string): Source => namedEntry(SOURCES, key)
