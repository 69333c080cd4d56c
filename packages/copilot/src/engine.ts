import type { CopilotAnswer } from '@septet/contract'
import type { Ask } from '@septet/tools'

export type Question = {
  readonly question: string
  readonly cluster: string | undefined
  /** In which time zone days and weeks begin. */
  readonly zone: string
  /** The question before, which a model may need to understand this one; undefined where there was none. */
  readonly after: string | undefined
}

export type QuestionContext = {
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

/** Answers questions: fixed ones alone, or also others by a language model whose words are checked. */
export type Engine = (question: Question, answering: QuestionContext) => Promise<CopilotAnswer>
