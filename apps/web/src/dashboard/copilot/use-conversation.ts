import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { tell } from '../../api.ts'
import { useAnswer } from '../client/use-answer.ts'
import { useSending } from '../client/use-sending.ts'
import { useCopilot, type ShownAnswer, type Turn } from './copilot-context.ts'

export type ConversationState = {
  /** Oldest first: what the server keeps of this person, then what was asked on this page. */
  readonly turns: readonly Turn[]
  /** Undefined while a question is on its way. */
  readonly ask: ((question: string) => void) | undefined
  /** Ends the question that is on its way; undefined while there is none. */
  readonly stop: (() => void) | undefined
  readonly clear: () => void
  readonly canClear: boolean
  /** Why clearing failed, or why older questions are not there. */
  readonly problem: string | undefined
  /** The newest answer of this page in words, for those who do not see it come. */
  readonly said: string
}

/** What was asked and answered, how to go on, and how to forget it. */
export function useConversation(): ConversationState {
  const copilot = useCopilot()
  const queryClient = useQueryClient()
  // What was kept when the panel was opened; what is asked since stands on this page anyway.
  const history = useAnswer('copilotHistory', {})
  const [forgotten, setForgotten] = useState(false)
  const { busy, problem, run } = useSending()
  const kept = forgotten ? [] : (history.data?.answers ?? [])
  const turns = turnsOf(kept, copilot.turns)
  const clear = (): void =>
    void run(async () => {
      await tell('copilotForget', {})
      setForgotten(true)
      copilot.clear()
      await queryClient.invalidateQueries({ queryKey: ['copilotHistory'] })
      setForgotten(false)
      return undefined
    })
  const missing =
    history.error !== null && history.data === undefined ? 'Earlier questions could not be read.' : undefined
  return {
    turns,
    ask: copilot.stop === undefined ? (question) => copilot.ask(question, turns.at(-1)?.question) : undefined,
    stop: copilot.stop,
    clear,
    canClear: !busy && copilot.stop === undefined,
    problem: problem ?? missing,
    said: saidOf(copilot.turns.at(-1)),
  }
}

/** An answer that the server has kept meanwhile is shown once. */
export function turnsOf(kept: readonly ShownAnswer[], here: readonly Turn[]): readonly Turn[] {
  const shown = new Set(here.flatMap(({ answer }) => (answer === undefined ? [] : [answer.id])))
  const before = kept
    .filter(({ id }) => !shown.has(id))
    .toReversed()
    .map((answer) => ({ id: answer.id, question: answer.question, answer, failure: undefined, said: [] }))
  return [...before, ...here]
}

const saidOf = (turn: Turn | undefined): string => {
  if (turn === undefined) return ''
  if (turn.failure !== undefined) return turn.failure
  // What came sentence by sentence was read as it came.
  if (turn.answer === undefined) return turn.said.at(-1) ?? 'Looking it up.'
  return turn.said.length > 0 ? 'That is the answer.' : turn.answer.sentences.map(({ text }) => text).join(' ')
}
