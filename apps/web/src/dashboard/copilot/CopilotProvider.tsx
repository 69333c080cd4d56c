import { useCallback, useMemo, useRef, useState, type ReactNode } from 'react'

import { tell } from '../../api.ts'
import { useUrlState } from '../address/url-state.ts'
import { failureWords } from '../client/failure-words.ts'
import { CopilotContext, intentOf, type CopilotAnswer, type Turn } from './copilot-context.ts'

/** Keeps what was asked while the panel is closed: an answer on its way comes, and opening it again shows it. */
export function CopilotProvider({ children }: { readonly children: ReactNode }) {
  const { cluster } = useUrlState()
  const [isOpen, setOpen] = useState(false)
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const [isBusy, setBusy] = useState(false)
  const asking = useRef(false)
  const asked = useRef(0)
  const ask = useCallback(
    (typed: string, after?: CopilotAnswer['intent']): void => {
      const question = typed.trim().slice(0, LONGEST)
      setOpen(true)
      if (question === '' || asking.current) return
      asking.current = true
      setBusy(true)
      asked.current += 1
      const id = String(asked.current)
      setTurns((before) => [...before, { id, question, answer: undefined, failure: undefined }])
      const settle = (outcome: Partial<Turn>): void => {
        setTurns((before) => before.map((turn) => (turn.id === id ? { ...turn, ...outcome } : turn)))
        asking.current = false
        setBusy(false)
      }
      tell('copilotAsk', {
        question,
        after: after ?? intentOf(turns),
        ...(cluster === undefined ? {} : { cluster }),
      }).then(
        (answer) => settle({ answer }),
        (error: unknown) => settle({ failure: failureWords(error) }),
      )
    },
    [cluster, turns],
  )
  const clear = useCallback(() => setTurns([]), [])
  const copilot = useMemo(() => ({ isOpen, setOpen, turns, isBusy, ask, clear }), [isOpen, turns, isBusy, ask, clear])
  return <CopilotContext value={copilot}>{children}</CopilotContext>
}

/** Characters that the server takes. */
const LONGEST = 2000
