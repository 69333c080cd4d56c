import type { ServerContext } from '@modelcontextprotocol/server'
import { OPERATIONS } from '@septet/contract'

import type { Ask } from '../tool.ts'

type Waiting = {
  /** Says that nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** Told of each operation before it is asked, by its title. */
  readonly onAsk: (title: string) => void
}

/** Asks for somebody who waits: tells them what is asked, and asks nothing more once they are gone. */
export const watched =
  (ask: Ask, { signal, onAsk }: Waiting): Ask =>
  async (key, input) => {
    signal.throwIfAborted()
    onAsk(OPERATIONS[key].title)
    const answer = await ask(key, input, signal)
    signal.throwIfAborted()
    return answer
  }

/**
 * Who waits for a call: the client, by the protocol's own cancellation, for as long as `connected`. Where it gave a token for
 * progress it is told of each step.
 */
export function waitingClient({ mcpReq }: ServerContext, connected: AbortSignal): Waiting {
  // oxlint-disable-next-line no-underscore-dangle -- the name that the protocol gives it
  const progressToken = mcpReq._meta?.progressToken
  let progress = 0
  return {
    signal: AbortSignal.any([mcpReq.signal, connected]),
    onAsk: (message) => {
      if (progressToken === undefined) return
      progress += 1
      const params = { progressToken, progress, message }
      // A client that is gone is not told; the signal says so to whoever works for it.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
    },
  }
}
