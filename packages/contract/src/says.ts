import type { z } from 'zod'

import type { OutputOf } from './operation.ts'
import type { told } from './schemas/figure.ts'

/** Sentences of an answer, each with the places of its figures. */
export type Says = z.output<(typeof told)['says']>

/** An answer before its sentences are made of it. */
export type FiguresOf<O extends { output: z.ZodType }> = Omit<OutputOf<O>, 'says'>

/** What is said of some places of an answer. */
export const saysOf = <Said extends Says[number]>(says: readonly Said[], on: RegExp): Said[] =>
  says.filter(({ cites }) => cites.some(({ ref }) => on.test(ref)))

/** The same as one text; empty where nothing is said. */
export const textOf = (says: Says, on: RegExp): string =>
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
