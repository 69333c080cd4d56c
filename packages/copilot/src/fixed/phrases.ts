import type { FigureView } from '@septet/contract'
import { figureInWords } from '@septet/contract/figure-words'

/** A figure as every face writes it; what is not known says why. */
export function figure(one: FigureView): string {
  const { known, value, unit } = figureInWords(one)
  if (known) return `${value}${unit}`
  return one.because === null ? 'not measured' : `not measured (${one.because.replace(/\.$/u, '')})`
}

/** The same in a cell of a table. */
export const cell = (one: FigureView): string => `${figureInWords(one).value}${figureInWords(one).unit}`

const RANGES = {
  '24h': 'Over the past 24 hours',
  '7d': 'Over the past 7 days',
  week: 'This week',
  month: 'This month',
} as const
export type PhraseRange = keyof typeof RANGES

/** "Over the past 7 days (as of 2026-11-02 14:05 UTC)". */
export const over = (range: PhraseRange, asOf: string | null): string =>
  `${RANGES[range]}${asOf === null ? '' : ` (as of ${instantWords(asOf)})`}`

/** "As of 2026-11-02 14:05 UTC". */
export const now = (asOf: string | null): string => (asOf === null ? 'Now' : `As of ${instantWords(asOf)}`)

/** "2026-11-02 14:05 UTC". */
export const instantWords = (text: string): string => `${text.slice(0, 16).replace('T', ' ')} UTC`

/** A name from the cluster: it is quoted, as it is data. */
export const quoted = (name: string): string => `“${name}”`

/** With a path's query left out where there is nothing to say. */
export function path(place: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? place : `${place}?${new URLSearchParams(given).toString()}`
}
