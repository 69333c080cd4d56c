import type { CopilotAnswer } from '@septet/contract'
import { COPILOT_QUESTIONS, type CopilotQuestion } from '@septet/contract/copilot-questions'

import type { FixedReading } from './reading.ts'

type Block = CopilotAnswer['blocks'][number]
type Next = CopilotAnswer['next'][number]

/** One sentence, and the numbers of what it is concluded from. */
type Said = readonly [text: string, ...cites: number[]]

/** What is answered to one fixed question. */
export type Reply = {
  readonly said: readonly Said[]
  readonly blocks?: readonly (Block | undefined)[]
  /** Pages with what they are called. */
  readonly pages?: ReadonlyArray<readonly [label: string, path: string]>
  readonly further?: readonly CopilotQuestion[]
  /** It is not known, and said so. */
  readonly unknown?: true
}

/** Answers one fixed question from operations. */
export type ReplyOf = (reading: FixedReading) => Promise<Reply>

export const question = (id: CopilotQuestion): Next => {
  const text = COPILOT_QUESTIONS[id]
  return { label: text, question: text, page: null }
}
export const page = (label: string, path: string): Next => ({ label, question: null, page: path })

/** A table as far as it helps to read; `total` also counts rows left out. */
export function replyTable(
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
