import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

import { EVENTS_PATH, ServerEventSchema, notSignedIn, type ServerEvent } from '@septet/contract'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Caller } from '@septet/domain'
import { ADMIN } from '../operations/answering/admin-caller.fixture.ts'
import { SentEventLog } from './event-log.ts'
import { registerEvents } from './events.ts'

const event = (cluster: string): ServerEvent => ({ kind: 'inventory', cluster, asOf: '2026-11-21T12:00:00.000Z' })

let log: SentEventLog
let clock = 0
let server: FastifyInstance
let port: number
const sockets: Socket[] = []
let whoAsks: () => Promise<Caller>

beforeEach(async () => {
  clock = 1000
  log = new SentEventLog('run', () => clock, 3)
  whoAsks = async () => ADMIN
  server = fastify({ forceCloseConnections: true })
  registerEvents(server, log, { caller: () => whoAsks() })
  port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close()
})

/** A client of the stream that sends what a browser or curl sends, and notes what comes. */
async function follow(lastId?: string, query = ''): Promise<{ socket: Socket; text: () => string }> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const resume = lastId === undefined ? '' : `Last-Event-ID: ${lastId}\r\n`
  socket.write(`GET ${EVENTS_PATH}${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n${resume}\r\n`)
  await expect.poll(() => text).toContain('retry: 2000')
  return { socket, text: () => text }
}

const idsIn = (text: string): string[] => [...text.matchAll(/^id: (.+)$/gmu)].map((match) => String(match[1]))
const eventsIn = (text: string): ServerEvent[] =>
  [...text.matchAll(/^data: (.+)$/gmu)].map((match) => ServerEventSchema.parse(JSON.parse(String(match[1]))))

describe('the event stream, over the wire', () => {
  test('tells a new client what happens from now on, as its schema says', async () => {
    log.publish(event('before'))
    const { text } = await follow()
    log.publish(event('after'))
    await expect.poll(() => idsIn(text())).toEqual(['run-2'])
    expect(eventsIn(text())).toEqual([event('after')])
    expect(text()).toMatch(/^HTTP\/1\.1 200 [\s\S]*content-type: text\/event-stream/iu)
  })

  test('gives a client that comes back exactly what it missed', async () => {
    for (const cluster of ['a', 'b', 'c']) log.publish(event(cluster))
    const { text } = await follow('run-1')
    log.publish(event('d'))
    await expect.poll(() => idsIn(text())).toEqual(['run-2', 'run-3', 'run-4'])
  })

  test('gives a new client also what happened since it first asked', async () => {
    for (const cluster of ['a', 'b', 'c']) {
      clock += 100
      log.publish(event(cluster))
    }
    const { text } = await follow(undefined, '?ago=100')
    log.publish(event('d'))
    await expect.poll(() => idsIn(text())).toEqual(['run-2', 'run-3', 'run-4'])
  })

  test('tells a new client to begin again where not all of that is kept', async () => {
    clock += 100
    const young = await follow(undefined, '?ago=200')
    await expect.poll(() => eventsIn(young.text()).map(({ kind }) => kind)).toEqual(['reset'])
    for (const cluster of ['a', 'b', 'c', 'd']) {
      log.publish(event(cluster))
      clock += 100
    }
    const late = await follow(undefined, '?ago=350')
    await expect.poll(() => idsIn(late.text())).toEqual(['run-2', 'run-3', 'run-4'])
    const later = await follow(undefined, '?ago=450')
    await expect.poll(() => eventsIn(later.text()).map(({ kind }) => kind)).toEqual(['reset'])
  })

  test('tells a client that was away too long, or knew another process, to begin again', async () => {
    for (const cluster of ['a', 'b', 'c', 'd', 'e']) log.publish(event(cluster))
    for (const known of ['run-1', 'earlier-4']) {
      const { text } = await follow(known)
      await expect.poll(() => eventsIn(text()).map(({ kind }) => kind)).toEqual(['reset'])
      expect(idsIn(text())).toEqual(['run-5'])
    }
  })

  test('forgets a client that has gone', async () => {
    const { socket } = await follow()
    await expect.poll(() => log.followers).toBe(1)
    socket.destroy()
    await expect.poll(() => log.followers).toBe(0)
  })

  test('cuts off a client that does not read, instead of keeping everything for it', async () => {
    const { socket } = await follow()
    socket.pause()
    const long = event('x'.repeat(64 * 1024))
    // The system's own buffers take some megabytes before anything is left unread in ours.
    const fill = (): number => {
      for (let count = 0; count < 32; count++) log.publish(long)
      return log.followers
    }
    await expect.poll(fill, { timeout: 10_000 }).toBe(0)
  })

  test('what happens while the server closes is not an error', async () => {
    const { socket } = await follow()
    socket.pause()
    for (let count = 0; count < 12; count++) log.publish(event('x'.repeat(64 * 1024)))
    const closing = server.close()
    for (let turn = 0; turn < 20; turn++) {
      log.publish(event('late'))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await closing
    expect(log.followers).toBe(0)
  })

  test('tells a caller of their clusters alone, also what they missed', async () => {
    whoAsks = async () => ({ ...ADMIN, kind: 'visitor', clusters: ['demo'] })
    for (const cluster of ['demo', 'production']) log.publish(event(cluster))
    const { text } = await follow('run-0')
    for (const cluster of ['production', 'demo']) log.publish(event(cluster))
    await expect.poll(() => idsIn(text())).toEqual(['run-1', 'run-4'])
    expect(text()).not.toContain('production')
  })

  test('refuses a caller who has a hundred streams open already, visitors of one address together, and no other', async () => {
    whoAsks = async () => ({ ...ADMIN, kind: 'visitor', clusters: ['demo'] })
    for (let count = 0; count < 100; count += 1) await follow()
    const refused = await server.inject({ url: EVENTS_PATH })
    expect(refused.body).toContain('have 100 event streams open.')
    whoAsks = async () => ADMIN
    for (let count = 0; count < 100; count += 1) await follow()
    expect((await server.inject({ url: EVENTS_PATH })).body).toContain('have 100 event streams open.')
    expect(log.followers).toBe(200)
  })

  test('refuses anyone who may not listen', async () => {
    whoAsks = () => Promise.reject(notSignedIn('No.'))
    expect((await server.inject({ url: EVENTS_PATH })).statusCode).toBe(500)
    expect(log.followers).toBe(0)
  })
})

describe('a stream that goes on while its caller changes', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  test.each([
    ['is no longer signed in', () => Promise.reject(notSignedIn('The session has ended.'))],
    ['may see other clusters than before', async () => ({ ...ADMIN, clusters: ['demo'] })],
  ])('ends within 30 s when the caller %s', async (_name, later) => {
    const { text } = await follow()
    whoAsks = later
    await vi.advanceTimersByTimeAsync(30_000)
    // The last chunk of the answer has no length (RFC 9112, section 7.1).
    await expect.poll(text).toMatch(/\r\n0\r\n\r\n$/u)
    await expect.poll(() => log.followers).toBe(0)
  })

  test('goes on for who is still welcome, and while nobody can say', async () => {
    const { text } = await follow()
    await vi.advanceTimersByTimeAsync(30_000)
    whoAsks = () => Promise.reject(new Error('The database is not responding.'))
    await vi.advanceTimersByTimeAsync(30_000)
    log.publish(event('late'))
    await expect.poll(() => idsIn(text())).toEqual(['run-1'])
  })
})
