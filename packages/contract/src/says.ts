import type { z } from 'zod'

import type { OutputOf } from './operation.ts'
import type { told } from './schemas/figure.ts'

/** Sentences of an answer, each with the places of its figures. */
export type Says = z.output<(typeof told)['says']>

/** One sentence, and the places in its answer that it is concluded from. */
export const say = (text: string, ...refs: readonly [string, ...string[]]): Says[number] => ({
  // With one period at its end, however long the words of the cluster are.
  text: text.replace(/^\p{Ll}(?=\p{L}*[\s,’])/u, (letter) => letter.toUpperCase()).replace(/\.{2,}$/u, '.'),
  cites: refs.map((ref) => ({ ref })),
})

/** An answer before its sentences are made of it. */
export type FiguresOf<O extends { output: z.ZodType }> = Omit<OutputOf<O>, 'says'>

/** What is said of some places of an answer. */
export const saysOf = <Said extends Says[number]>(says: readonly Said[], on: RegExp): Said[] =>
  says.filter(({ cites }) => cites.some(({ ref }) => on.test(ref)))

/** The same as one text, or all that is said; empty where nothing is. */
export const textOf = (says: Says, on = /(?:)/u): string =>
  saysOf(says, on)
    .map(({ text }) => text)
    .join(' ')

/** What stands at such a place; undefined where nothing does. */
export const citedAt = (answer: unknown, ref: string): unknown =>
  ref
    .split(/[.[\]]+/u)
    .filter(Boolean)
    .reduce(
      (at: unknown, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined) as unknown,
      answer,
    )
