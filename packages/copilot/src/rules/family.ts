import type { CopilotAnswer } from '@septet/contract'

import type { Reading } from './reading.ts'

/** What a question can be about. */
export const SLOTS = [
  'range', 'namespace', 'tenant', 'class', 'workload', 'node', 'gpu', 'model', 'pool', 'profile', 'count',
] as const // prettier-ignore
export type SlotName = (typeof SLOTS)[number]
export type Slots = Partial<Record<SlotName, string>>

type Block = CopilotAnswer['blocks'][number]
type Next = CopilotAnswer['next'][number]

/** One sentence, and the numbers of what it is concluded from. */
type Said = readonly [text: string, ...cites: number[]]

export type Reply = {
  readonly said: readonly Said[]
  readonly blocks?: readonly (Block | undefined)[]
  /** Pages with what they are called, and questions. */
  readonly pages?: ReadonlyArray<readonly [label: string, path: string]>
  readonly further?: readonly string[]
  /** It is not known, and said so. */
  readonly unknown?: true
}

/** One question with its answer: a row of a table. */
export type Family = {
  readonly id: string
  readonly about: string
  /** Ways to ask it, the first two as examples. `{namespace}` stands for one; all named in a way are needed for it. */
  readonly asks: readonly [string, string, ...string[]]
  /** What it may be narrowed by. */
  readonly takes: readonly SlotName[]
  /** It is known as of now alone: a time that is asked for narrows at most what is told beside it. */
  readonly isOfNow?: boolean
  /** Times of which it tells even so: that of now is of today, and budgets are of this month. */
  readonly covers?: readonly string[]
  /** What a short question that follows it means: an idea, and which family that is. */
  readonly leads?: Readonly<Record<string, string>>
  readonly answer: (slots: Slots, reading: Reading, now: number) => Promise<Reply>
}

export const question = (text: string): Next => ({ label: text, question: text, page: null })
export const page = (label: string, path: string): Next => ({ label, question: null, page: path })

/** A table as far as it helps to read; `total` also counts rows left out. */
export function table(
  ...[title, columns, rows, total = rows.length]: [
    title: string,
    columns: readonly string[],
    rows: ReadonlyArray<{ readonly cells: readonly string[]; readonly page?: string }>,
    total?: number,
  ]
): Block | undefined {
  if (rows.length === 0) return undefined
  return {
    kind: 'table',
    title,
    // `#GPUs`: a column of numbers.
    columns: columns.map((name) => ({ name: name.replace(/^#/u, ''), isNumber: name.startsWith('#') })),
    rows: rows.map(({ cells, page: shown }) => ({ cells: [...cells], page: shown ?? null })),
    total,
  }
}
