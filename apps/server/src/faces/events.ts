import { EVENTS_PATH, type ServerEvent } from '@septet/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { EventLog } from './event-log.ts'

const HEARTBEAT_MS = 15_000
/** A reader that leaves this much unread is cut off; it comes back with `Last-Event-ID`. */
const UNREAD_LIMIT_BYTES = 1024 * 1024

/** Server-sent events: `GET /api/v1/events`, resumable by `Last-Event-ID`. */
export function registerEvents(server: FastifyInstance, log: EventLog): void {
  const open = new Set<FastifyReply>()
  server.get(EVENTS_PATH, (request, reply) => {
    open.add(reply)
    stream(request, reply, log)
    reply.raw.on('close', () => open.delete(reply))
  })
  server.addHook('preClose', (done) => {
    for (const reply of open) reply.raw.end()
    done()
  })
}

function stream(request: FastifyRequest, reply: FastifyReply, log: EventLog): void {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const send = (id: string, event: ServerEvent): void => {
    if (raw.writableLength > UNREAD_LIMIT_BYTES) raw.destroy()
    else raw.write(`id: ${id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  raw.write('retry: 2000\n\n')
  catchUp(request.headers['last-event-id'], log, send)
  const stop = log.follow(({ id, event }) => send(id, event))
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS)
  raw.on('close', () => {
    clearInterval(heartbeat)
    stop()
  })
}

function catchUp(
  lastId: string | string[] | undefined,
  log: EventLog,
  send: (id: string, event: ServerEvent) => void,
): void {
  if (typeof lastId !== 'string' || lastId === '') return
  const missed = log.since(lastId)
  if (missed === undefined) send(log.lastId(), { kind: 'reset', asOf: new Date().toISOString() })
  else for (const { id, event } of missed) send(id, event)
}
