import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The one reading of a line that a careful person agrees on. */
export type Expected = {
  readonly subject: string
  /** The figure that is asked for, or `count` for how many. */
  readonly figure: string
  /** Each condition as text: `namespace=a|b`, `namespace!=a`, `state=waiting`, `busy<0.2`, `duration>7200` (seconds). */
  readonly where: readonly string[]
  /** As a range is written; left out of what is told as it is now. */
  readonly range?: string
  readonly compare?: string
  readonly top?: number
  /** Smallest first. */
  readonly order?: 'up'
}

/** `why`: the workload that is asked about; `none`: why it must not be answered. */
export type TestQuestion =
  | { readonly q: string; readonly is: Expected }
  | { readonly q: string; readonly why: string }
  | { readonly q: string; readonly none: string }

/** Kept aside: written by somebody who had not seen how lines are read, and not what the reader was made by. */
export const QUESTIONS: readonly TestQuestion[] = readFileSync(join(import.meta.dirname, 'questions.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
