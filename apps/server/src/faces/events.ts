import { EVENTS_PATH, Refusal, type ServerEvent } from '@septet/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { addressKey, type Gate } from '@septet/auth'
import type { Caller } from '@septet/domain'
import type { SentEventLog } from './event-log.ts'
import { beginEventStream, HEARTBEAT, HEARTBEAT_MS } from './event-stream.ts'

/** A reader that leaves this much unread is cut off; it comes back with `Last-Event-ID`. */
const UNREAD_LIMIT_BYTES = 1024 * 1024

/** How soon a stream ends after its token has expired, was revoked, or its holder may see something else. */
const CHECKED_EVERY_MS = 30_000

/** Server-sent events: `GET /api/v1/events`, resumable by `Last-Event-ID`. Each caller hears of their clusters alone. */
export function registerEvents(server: FastifyInstance, log: SentEventLog, gate: Gate): void {
  const open = new Map<FastifyReply, string>()
  server.get(EVENTS_PATH, async (request, reply) => {
    const caller = await gate.caller(request)
    const follower = caller.kind === 'visitor' ? `visitors of ${addressKey(request.ip)}` : caller.id
    needRoom(follower, [...open.values()])
    open.set(reply, follower)
    stream(request, reply, { log, caller, gate })
    reply.raw.on('close', () => open.delete(reply))
    return reply
  })
  server.addHook('preClose', (done) => {
    for (const reply of open.keys()) reply.raw.end()
    done()
  })
}

/** Streams that one caller may have open at once, as many as all visitors of one address together: none can hold them all. */
const MOST_OF_ONE = 100

function needRoom(follower: string, open: readonly string[]): void {
  if (open.filter((other) => other === follower).length < MOST_OF_ONE) return
  throw new Refusal(
    'too-many-requests',
    `You, or other visitors from your address, have ${MOST_OF_ONE} event streams open.`,
    'Close some, then try again.',
  )
}

type Streamed = { readonly log: SentEventLog; readonly caller: Caller; readonly gate: Gate }

function stream(request: FastifyRequest, reply: FastifyReply, { log, caller, gate }: Streamed): void {
  const raw = beginEventStream(reply)
  const send = (id: string, event: ServerEvent): void => {
    if (!mayHear(caller, event)) return
    if (raw.writableLength > UNREAD_LIMIT_BYTES) raw.destroy()
    else raw.write(`id: ${id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  raw.write('retry: 2000\n\n')
  catchUp(request, log, send)
  const stop = log.follow(({ id, event }) => send(id, event))
  const heartbeat = setInterval(() => raw.write(HEARTBEAT), HEARTBEAT_MS)
  const check = setInterval(
    () => void endUnlessStill(caller, request, { gate, end: () => raw.end() }),
    CHECKED_EVERY_MS,
  )
  raw.on('close', () => {
    clearInterval(heartbeat)
    clearInterval(check)
    stop()
  })
}

const AgoSchema = z.object({ ago: z.coerce.number().nonnegative() })

const mayHear = ({ clusters }: Caller, event: ServerEvent): boolean =>
  clusters === undefined || !('cluster' in event) || clusters.includes(event.cluster)

/** A client that is still welcome comes back by itself, and is told what it may see now. */
async function endUnlessStill(
  caller: Caller,
  request: FastifyRequest,
  { gate, end }: { readonly gate: Gate; readonly end: () => void },
): Promise<void> {
  try {
    const now = await gate.caller(request)
    if (JSON.stringify([now.clusters, now.namespaces]) !== JSON.stringify([caller.clusters, caller.namespaces])) end()
  } catch (error) {
    // While the database is away nobody can be checked: the stream goes on, and is looked at again.
    if (error instanceof Refusal) end()
  }
}

/** What a client has missed that heard events before, or asked its first question `ago` milliseconds before it listens. */
function catchUp(
  { headers: { 'last-event-id': lastId }, query }: FastifyRequest,
  log: SentEventLog,
  send: (id: string, event: ServerEvent) => void,
): void {
  const ago = AgoSchema.safeParse(query).data?.ago
  const resumes = typeof lastId === 'string' && lastId !== ''
  if (!resumes && ago === undefined) return
  const missed = resumes ? log.since(lastId) : log.ofLast(ago ?? 0)
  if (missed === undefined) send(log.lastId(), { kind: 'reset', asOf: new Date().toISOString() })
  else for (const { id, event } of missed) send(id, event)
}
