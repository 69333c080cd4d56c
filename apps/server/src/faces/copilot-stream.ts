import { COPILOT_STREAM_PATH } from '@septet/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'

import type { Gate } from '@septet/auth'
import type { Answers } from '../operations/answering/answering.ts'
import { openCallLimits } from './call-limits.ts'
import { beginEventStream, HEARTBEAT, HEARTBEAT_MS } from './event-stream.ts'
import { problemOf } from './rest.ts'

type Needs = { readonly answers: Pick<Answers, 'copilotAsk'>; readonly gate: Gate; readonly onUnexpected: Told }
type Told = (error: unknown, url: string) => void

/** A question takes many calls of operations, and seconds of a language model. */
const LIMITS = { points: 20, duration: 10, atOnce: 4 }

/**
 * `POST /api/v1/copilot/stream`: asks as `copilot.ask` does. `sentence` comes for each sentence once it is checked, then
 * `answer` with all of it; what is refused before the first of them is a problem document, later an event `problem`.
 * A client that goes away ends the question.
 */
export function registerCopilotStream(server: FastifyInstance, { answers, gate, onUnexpected }: Needs): void {
  const limits = openCallLimits(LIMITS)
  server.post(COPILOT_STREAM_PATH, async (request, reply) => {
    const caller = await gate.caller(request)
    await limits.begin(caller.id, reply)
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const events = laterEvents(reply)
    try {
      const onText = (text: string): void => events.send('sentence', { text })
      events.send('answer', await answers.copilotAsk(request.body, caller, { onText, signal: gone.signal }))
    } catch (error) {
      if (gone.signal.aborted) return reply
      if (!events.isBegun()) throw error
      events.send('problem', problemOf(error, { url: request.url, onUnexpected }))
    } finally {
      events.end()
    }
    return reply
  })
}

/** Events that begin with the first one, or with a heartbeat: until then a refusal can be answered as such. */
function laterEvents(reply: FastifyReply) {
  let raw: FastifyReply['raw'] | undefined
  const write = (text: string): void => {
    if (reply.raw.destroyed) return
    raw ??= beginEventStream(reply)
    raw.write(text)
  }
  const heartbeat = setInterval(() => write(HEARTBEAT), HEARTBEAT_MS)
  return {
    isBegun: () => raw !== undefined,
    send: (event: string, data: unknown): void => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: (): void => {
      clearInterval(heartbeat)
      raw?.end()
    },
  }
}
