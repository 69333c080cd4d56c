import { notReady, problemDocument } from '@septet/contract'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** After this long whoever asks has better use for a refusal than for an answer. */
const MOST_WAIT_MS = 700
/** So many wait in any case: one slow answer is no crowd, and a dashboard that opens asks for forty things at once. */
const NO_CROWD = 100
/** What asks whether the process is alive. */
const PROBES: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz'])
/** How much the newest turn says of how long the next ones take. */
const NEWEST = 0.1

type Waiting = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly since: number }

/**
 * Begins one request for each turn of the event loop, in the order in which they came. Node by itself begins all that have
 * arrived before it looks at its sockets again, so over capacity everything waits for everything. Here a probe passes
 * between two requests, and what would wait too long is refused at once, which costs next to nothing.
 *
 * @param now milliseconds of a clock that only goes forward
 */
export function inTurns(begin: RequestListener, now: () => number = () => performance.now()): RequestListener {
  const waiting: Waiting[] = []
  let isTaken = false
  let takenAt = 0
  let turnMs = 0
  const take = (): void => {
    isTaken = true
    takenAt = now()
    setImmediate(next)
  }
  const next = (): void => {
    isTaken = false
    turnMs += (now() - takenAt - turnMs) * NEWEST
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const { request, response, since } = one
      // Whoever has left meanwhile takes no turn.
      if (request.socket.destroyed) continue
      if (now() - since <= MOST_WAIT_MS || waiting.length < NO_CROWD) {
        take()
        return begin(request, response)
      }
      refuse(one)
    }
  }
  return (request, response) => {
    if (PROBES.has(request.url)) begin(request, response)
    else if (!isTaken) {
      take()
      begin(request, response)
    } else if (waiting.length >= NO_CROWD && waiting.length * turnMs > MOST_WAIT_MS) refuse({ request, response })
    else waiting.push({ request, response, since: now() })
  }
}

const BUSY = notReady('Septet has more requests than it can answer now, so this one was refused unread.', {
  words: 'Try again in a few seconds.',
  retryAfter: 2,
})

function refuse({ request, response }: Pick<Waiting, 'request' | 'response'>): void {
  const body = JSON.stringify(problemDocument(BUSY, request.url ?? ''))
  response.statusCode = 503
  response.setHeader('content-type', 'application/problem+json')
  response.setHeader('cache-control', 'no-store')
  response.setHeader('retry-after', '2')
  response.end(body)
  // What is left of its body would be held for nothing.
  request.resume()
}
