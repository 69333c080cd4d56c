import type { ProblemDocument } from '@septet/contract'
import { COPILOT_STREAM_PATH } from '@septet/contract/routes'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'

import { type Order, ProblemError, readProblem, tell } from '../../api.ts'
import { authorizedFetch } from '../../session/authorized-fetch.ts'
import { useUrlState } from '../address/url-state.ts'
import { readEvents, type StreamEvent } from '../client/event-stream.ts'
import { failureWords } from '../client/failure-words.ts'
import { eachPiece } from '../client/follow-stream.ts'
import { CopilotContext, type ShownAnswer, STOPPED, type Turn } from './copilot-context.ts'

/** Keeps what was asked while the panel is closed: an answer on its way comes, and opening it again shows it. */
export function CopilotProvider({ children }: { readonly children: ReactNode }) {
  const { cluster, zone } = useUrlState()
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
        zone,
        ...(before === undefined ? {} : { after: before }),
        ...(cluster === undefined ? {} : { cluster }),
      }
      const onSentence = (text: string): void => change(({ said }) => ({ said: [...said, text] }))
      askCopilot(order, { onSentence, signal: stopped.signal }).then(
        (answer) => settle({ answer }),
        (error: unknown) => settle({ failure: stopped.signal.aborted ? STOPPED : failureWords(error) }),
      )
    },
    [cluster, turns, zone],
  )
  const clear = useCallback(() => setTurns([]), [])
  const copilot = useMemo(() => ({ isOpen, setOpen, turns, stop, ask, clear }), [isOpen, turns, stop, ask, clear])
  return <CopilotContext value={copilot}>{children}</CopilotContext>
}

/** Characters that the server takes. */
const LONGEST = 2000

type Listener = {
  /** Hears each sentence once the server has checked it. */
  readonly onSentence: (text: string) => void
  /** Ends the question. */
  readonly signal: AbortSignal
}

/**
 * Asks the co-pilot sentence by sentence; as a whole where no stream comes through, as behind a proxy that cuts it.
 * Throws as `tell` does, and what the signal was aborted with.
 */
export async function askCopilot(order: Order<'copilotAsk'>, listener: Listener): Promise<ShownAnswer> {
  const line = new AbortController()
  const response = await authorizedFetch(COPILOT_STREAM_PATH, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify(order),
    signal: AbortSignal.any([listener.signal, line.signal]),
  })
  if (!response.ok && response.status !== 404) throw new ProblemError(await readProblem(response))
  const end = response.ok ? await endOf(response, listener, () => line.abort()) : undefined
  listener.signal.throwIfAborted()
  if (end?.kind === 'problem') throw new ProblemError(end.problem)
  return end?.answer ?? tell('copilotAsk', order, listener.signal)
}

type End =
  | { readonly kind: 'answer'; readonly answer: ShownAnswer }
  | { readonly kind: 'problem'; readonly problem: ProblemDocument }

/** What a stream ended with; undefined where it broke off, or was none. */
async function endOf({ body }: Response, { onSentence }: Listener, silent: () => void): Promise<End | undefined> {
  let end: End | undefined
  const event = ({ kind, data }: StreamEvent): void => {
    const parsed = JSON.parse(data)
    if (kind === 'sentence') onSentence(parsed.text)
    else if (kind === 'answer') end = { kind, answer: parsed }
    else if (kind === 'problem') end = { kind, problem: parsed }
  }
  const read = readEvents({ event, retry: () => undefined })
  if (body !== null) await eachPiece(body, { read, silent }).catch(() => undefined)
  return end
}
