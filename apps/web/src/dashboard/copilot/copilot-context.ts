import { createContext, useContext } from 'react'

import type { Outcome } from '../../api.ts'

export type ShownAnswer = Outcome<'copilotAsk'>

/** A question that was asked on this page: its answer, or why there is none, or neither while it is on its way. */
export type Turn = {
  readonly id: string
  readonly question: string
  readonly answer: ShownAnswer | undefined
  readonly failure: string | undefined
  /** Sentences of an answer that is still on its way. */
  readonly said: readonly string[]
}

/** Why there is none where somebody did not want to wait. */
export const STOPPED = 'You stopped this answer. It is not kept.'

export type Copilot = {
  readonly isOpen: boolean
  readonly setOpen: (open: boolean) => void
  /** Asked since the page was loaded, oldest first. */
  readonly turns: readonly Turn[]
  /** Ends the question that is on its way; undefined while there is none. */
  readonly stop: (() => void) | undefined
  /** Opens the panel and asks; one question at a time. */
  readonly ask: (question: string, after?: string) => void
  /** Drops what was asked on this page. */
  readonly clear: () => void
}

export const CopilotContext = createContext<Copilot>({
  isOpen: false,
  setOpen: () => undefined,
  turns: [],
  stop: undefined,
  ask: () => undefined,
  clear: () => undefined,
})

export const useCopilot = (): Copilot => useContext(CopilotContext)
