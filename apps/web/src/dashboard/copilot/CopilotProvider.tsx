import { useCallback, useMemo, useRef, useState, type ReactNode } from 'react'

import { useUrlState } from '../address/url-state.ts'
import { failureWords } from '../client/failure-words.ts'
import { askCopilot } from './ask-copilot.ts'
import { CopilotContext, STOPPED, type Turn } from './copilot-context.ts'

/** Keeps what was asked while the panel is closed: an answer on its way comes, and opening it again shows it. */
export function CopilotProvider({ children }: { readonly children: ReactNode }) {
  const { cluster } = useUrlState()
  const [isOpen, setOpen] = useState(false)
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const [stop, setStop] = useState<() => void>()
  const asking = useRef(false)
  const asked = useRef(0)
  const ask = useCallback(
    (typed: string, after?: string): void => {
      const question = typed.trim().slice(0, LONGEST)
      setOpen(true)
      if (question === '' || asking.current) return
      asking.current = true
      const stopped = new AbortController()
      setStop(() => () => stopped.abort())
      asked.current += 1
      const id = String(asked.current)
      setTurns((before) => [...before, { id, question, answer: undefined, failure: undefined, said: [] }])
      const change = (to: (turn: Turn) => Partial<Turn>): void =>
        setTurns((before) => before.map((turn) => (turn.id === id ? { ...turn, ...to(turn) } : turn)))
      const settle = (outcome: Partial<Turn>): void => {
        change(() => outcome)
        asking.current = false
        setStop(undefined)
      }
      // The one before: a language model may need it to understand this one.
      const before = after ?? turns.at(-1)?.question
      const order = {
        question,
        ...(before === undefined ? {} : { after: before }),
        ...(cluster === undefined ? {} : { cluster }),
      }
      const onSentence = (text: string): void => change(({ said }) => ({ said: [...said, text] }))
      askCopilot(order, { onSentence, signal: stopped.signal }).then(
        (answer) => settle({ answer }),
        (error: unknown) => settle({ failure: stopped.signal.aborted ? STOPPED : failureWords(error) }),
      )
    },
    [cluster, turns],
  )
  const clear = useCallback(() => setTurns([]), [])
  const copilot = useMemo(() => ({ isOpen, setOpen, turns, stop, ask, clear }), [isOpen, turns, stop, ask, clear])
  return <CopilotContext value={copilot}>{children}</CopilotContext>
}

/** Characters that the server takes. */
const LONGEST = 2000
