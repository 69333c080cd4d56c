import type { ProblemDocument } from '@septet/contract'
import { COPILOT_STREAM_PATH } from '@septet/contract/routes'

import { ProblemError, readProblem, tell, type Order } from '../../api.ts'
import { authorizedFetch } from '../../session/authorized-fetch.ts'
import { readEvents, type StreamEvent } from '../client/event-stream.ts'
import { eachPiece } from '../client/follow-stream.ts'
import type { ShownAnswer } from './copilot-context.ts'

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
