import type { CopilotAnswer, OPERATIONS, OutputOf, Says } from '@septet/contract'
import { COPILOT_QUESTIONS, type CopilotQuestion } from '@septet/contract/copilot-questions'
import { citedAt, say, saysOf } from '@septet/contract/says'

import type { FixedReading, OperationInput } from './reading.ts'

export type Block = CopilotAnswer['blocks'][number]
type Next = CopilotAnswer['next'][number]
type Sentence = CopilotAnswer['sentences'][number]

/** What one operation answers to a fixed question. */
export type Reply = {
  readonly sentences: readonly Sentence[]
  readonly blocks: readonly Block[]
  readonly page: Next
  /** A figure that its first sentence rests on is not known. */
  readonly isUnknown: boolean
}

/** Answers a fixed question, or a part of it, from one operation. Throws the `Refusal` of the operation. */
export type ReplyOf = (reading: FixedReading) => Promise<Reply>

type Operations = typeof OPERATIONS
/** Operations that say their answer in sentences. */
type SayingKey = {
  [Key in keyof Operations]: OutputOf<Operations[Key]> extends { says: Says; asOf: string | null } ? Key : never
}[keyof Operations]

/** How one operation is asked, and what of its answer is told. */
type Asks<Key extends SayingKey> = {
  readonly input: OperationInput<Key>
  /** A page that shows the same, and its path below `/dashboard`. */
  readonly page: readonly [label: string, path: string]
  /** Places of the answer of which the sentences are told; all of them where left out. */
  readonly on?: RegExp
  /** What is shown beside the sentences. */
  readonly show?: (answer: OutputOf<Operations[Key]>, reading: FixedReading) => readonly (Block | undefined)[]
}

/** A reply that is an operation's own sentences. */
export const asks =
  <Key extends SayingKey>(key: Key, { input, page: [label, at], on, show }: Asks<Key>): ReplyOf =>
  async (reading) => {
    const { is, cite } = await reading.from(key, input, at)
    const told = on === undefined ? is.says : saysOf(is.says, on)
    const texts = [...told.map(({ text }) => text), ...(is.age === undefined ? [] : [is.age])]
    return {
      sentences: texts.map((text) => ({ text, cites: [cite] })),
      blocks: (show?.(is, reading) ?? []).filter((block) => block !== undefined),
      page: page(label, reading.page(at)),
      isUnknown: told[0]?.cites.some(({ ref }) => isMissing(citedAt(is, ref))) ?? true,
    }
  }

/** A reply that is what Septet tells of one code of problem; `none` where there is none, unless others make it blind for it. */
export const asksProblem =
  (code: string, none: string, blind: RegExp): ReplyOf =>
  async (reading) => {
    const { is, cite } = await reading.from('summaryGet', { range: '24h' }, '')
    const of = (on: RegExp): string[] =>
      is.status.problems.filter((one) => on.test(`${one.code} ${one.object}`)).map(({ message }) => message)
    const told = of(new RegExp(`^${code} `, 'u'))
    const unread = AWAY.has(is.status.kind) ? [`${is.status.headline}.`] : of(blind)
    const why = is.cost.hours?.unallocated === null ? [LIMITED] : unread
    const found = [told, why].find((some) => some.length > 0) ?? [none]
    const texts = is.age === undefined ? found : [...found, is.age]
    const sentences = texts.map((text) => ({ text: say(text, 'status').text, cites: [cite] }))
    return { sentences, blocks: [], page: page('See the summary', reading.page('')), isUnknown: found === why }
  }

const AWAY: ReadonlySet<string> = new Set(['connecting', 'down'])
const LIMITED = 'This is known only of the whole cluster. Ask an admin for access to it.'

const isMissing = (cited: unknown): boolean =>
  cited === null || cited === undefined || (typeof cited === 'object' && 'value' in cited && cited.value === null)

export const question = (id: CopilotQuestion): Next => {
  const text = COPILOT_QUESTIONS[id]
  return { label: text, question: text, page: null }
}
export const page = (label: string, address: string): Next => ({ label, question: null, page: address })

/** With a path's query left out where there is nothing to say. */
export function path(place: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? place : `${place}?${new URLSearchParams(given).toString()}`
}
