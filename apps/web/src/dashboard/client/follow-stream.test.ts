import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { followStream } from './follow-stream.ts'

type Line = { readonly lastId: string | undefined; readonly say: (text: string) => void; readonly end: () => void }

/** A server: each call opens a line that the test speaks on, or fails as told. */
function server() {
  const lines: Line[] = []
  const failures: (number | Error)[] = []
  const open = (lastId: string | undefined, signal: AbortSignal): Promise<Response> => {
    const failure = failures.shift()
    if (failure instanceof Error) return Promise.reject(failure)
    if (failure !== undefined) return Promise.resolve(new Response('', { status: failure }))
    let writer: ReadableStreamDefaultController<Uint8Array>
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (writer = controller) })
    signal.addEventListener('abort', () => {
      try {
        writer.error(new Error('aborted'))
      } catch {
        // It had ended before.
      }
    })
    lines.push({
      lastId,
      say: (text) => writer.enqueue(new TextEncoder().encode(text)),
      end: () => writer.close(),
    })
    return Promise.resolve(new Response(body))
  }
  return { lines, failures, open }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const settle = () => vi.advanceTimersByTimeAsync(0)

function follow({ open }: ReturnType<typeof server>) {
  const seen: string[] = []
  const stop = followStream({
    open,
    event: ({ data }) => seen.push(data),
    connection: (connection) => seen.push(connection),
  })
  return { seen, stop }
}

describe('following the event stream', () => {
  test('says that it is connected, and hears what is said', async () => {
    const far = server()
    const { seen, stop } = follow(far)
    await settle()
    far.lines[0]?.say('data: one\n\nda')
    far.lines[0]?.say('ta: two\n\n')
    await settle()
    expect(seen).toEqual(['connecting', 'connected', 'one', 'two'])
    stop()
  })

  test('comes back after the pause that the server asked for, and resumes after the last event', async () => {
    const far = server()
    const { seen, stop } = follow(far)
    await settle()
    far.lines[0]?.say('retry: 500\n\nid: e-41\ndata: one\n\n')
    await settle()
    far.lines[0]?.end()
    await settle()
    expect(seen).toEqual(['connecting', 'connected', 'one', 'disconnected'])
    await vi.advanceTimersByTimeAsync(499)
    expect(far.lines).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(far.lines[1]?.lastId).toBe('e-41')
    expect(seen.at(-1)).toBe('connected')
    stop()
  })

  test('waits twice as long after each failure in a row, up to half a minute', async () => {
    const far = server()
    far.failures.push(503, new TypeError('Failed to fetch'), 503, 503, 503, 503, 503)
    const { stop } = follow(far)
    const waits: number[] = []
    for (let left = far.failures.length; left > 0;) {
      let waited = 0
      while (far.failures.length === left) {
        await vi.advanceTimersByTimeAsync(1000)
        waited += 1
      }
      left = far.failures.length
      waits.push(waited)
    }
    expect(waits.slice(1)).toEqual([4, 8, 16, 30, 30])
    stop()
  })

  test('a line that has gone silent is given up', async () => {
    const far = server()
    const { seen, stop } = follow(far)
    await settle()
    await vi.advanceTimersByTimeAsync(44_000)
    far.lines[0]?.say(': still here\n\n')
    await vi.advanceTimersByTimeAsync(44_000)
    expect(seen).toEqual(['connecting', 'connected'])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(seen).toEqual(['connecting', 'connected', 'disconnected'])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(far.lines).toHaveLength(2)
    stop()
  })

  test('tries to connect before it says that it failed', async () => {
    const far = server()
    far.failures.push(503)
    const { seen, stop } = follow(far)
    await settle()
    expect(seen).toEqual(['connecting', 'disconnected'])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(seen).toEqual(['connecting', 'disconnected', 'connecting', 'connected'])
    stop()
  })

  test('once closed it is disconnecting, then disconnected, and does not come back', async () => {
    const far = server()
    const { seen, stop } = follow(far)
    await settle()
    stop()
    expect(seen).toEqual(['connecting', 'connected', 'disconnecting'])
    await vi.advanceTimersByTimeAsync(120_000)
    expect(seen).toEqual(['connecting', 'connected', 'disconnecting', 'disconnected'])
    stop()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(seen).toHaveLength(4)
    expect(far.lines).toHaveLength(1)
  })

  test('closed while it waits to come back, it ends at once', async () => {
    const far = server()
    far.failures.push(503)
    const { seen, stop } = follow(far)
    await settle()
    stop()
    await settle()
    expect(seen).toEqual(['connecting', 'disconnected', 'disconnecting', 'disconnected'])
    await vi.advanceTimersByTimeAsync(120_000)
    expect(far.lines).toHaveLength(0)
  })

  test('begins after the event that an earlier line had read', async () => {
    const far = server()
    const stop = followStream({ after: 'e-7', open: far.open, event: () => undefined, connection: () => undefined })
    await settle()
    expect(far.lines[0]?.lastId).toBe('e-7')
    stop()
  })
})
