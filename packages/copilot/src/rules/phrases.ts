import type { FigureView, OPERATIONS, OutputOf } from '@septet/contract'
import { figureWords } from '@septet/contract/figure-words'

import { instantWords, rangeWords } from './times.ts'
import type { Slots } from './family.ts'

/** A figure as every face writes it; what is not known says why. */
export function figure(one: FigureView): string {
  const { known, value, unit } = figureWords(one)
  if (known) return `${value}${unit}`
  return one.because === null ? 'not measured' : `not measured (${one.because.replace(/\.$/u, '')})`
}

/** The same in a cell of a table. */
export const cell = (one: FigureView): string => `${figureWords(one).value}${figureWords(one).unit}`

/** "Over the past 7 days (as of 2026-11-02 14:05 UTC)". */
export const over = ({ range }: Slots, asOf: string | null): string =>
  `${rangeWords(range ?? '24h')}${asOf === null ? '' : ` (as of ${instantWords(asOf)})`}`

/** "Now (as of …)". */
export const now = (asOf: string | null): string => (asOf === null ? 'Now' : `As of ${instantWords(asOf)}`)

/** A name from the cluster: it is quoted, as it is data. */
export const quoted = (name: string): string => `“${name}”`

type Breakdown = OutputOf<typeof OPERATIONS.costBreakdown>

/** Why nothing is known of what was held, in a sentence; undefined where it is known. Nothing seen is not nothing held. */
export function heldUnknown({ total, observedSeconds, notes }: Breakdown): string | undefined {
  if (total === null) return 'The sample data has no such figure; choose a cluster to see it.'
  return observedSeconds === 0 ? (notes[0] ?? 'Nothing was seen in this window.') : undefined
}

/** With a path's query left out where there is nothing to say. */
export function path(place: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? place : `${place}?${new URLSearchParams(given).toString()}`
}
