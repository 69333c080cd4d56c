import type { ServerResponse } from 'node:http'

import type { FastifyReply } from 'fastify'

/** How often a stream says that it is still there, and how: proxies close what is silent. */
export const HEARTBEAT_MS = 15_000
export const HEARTBEAT = ': still here\n\n'

/** Begins to answer with server-sent events; what is written to the response from now on is theirs. */
export function beginEventStream(reply: FastifyReply): ServerResponse {
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  return raw
}
