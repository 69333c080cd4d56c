import type { CopilotAnswer } from '@septet/contract'
import type { Ask } from '@septet/tools'

/** A question, and what the one before was understood as: null where that was not answered, undefined where there was none. */
export type Question = {
  readonly question: string
  readonly cluster: string | undefined
  readonly after: CopilotAnswer['intent'] | undefined
}

type Answering = {
  /** Asks operations as whoever asks the question: nothing is known that they may not know. */
  readonly ask: Ask
  readonly now: number
  /** Of the answer. */
  readonly id: string
  /** Text as it comes, where an engine gives it before it is done. */
  readonly onText?: ((text: string) => void) | undefined
  /** Nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
}

/** Answers questions: by rules, or by a language model whose words are checked. */
export type Engine = (question: Question, answering: Answering) => Promise<CopilotAnswer>
