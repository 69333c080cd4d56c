import { readEvents, type StreamEvent } from './event-stream.ts'

/** How the line to the server is: the four states of a realtime connection. */
export type LineState = 'connecting' | 'connected' | 'disconnecting' | 'disconnected'

type Follower = {
  /** The last event that an earlier line had read; it is resumed after that one. */
  readonly after?: string | undefined
  /** Opens the stream, from after the event of that id where one is named. */
  readonly open: (lastId: string | undefined, signal: AbortSignal) => Promise<Response>
  readonly event: (event: StreamEvent) => void
  readonly connection: (state: LineState) => void
}

const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 30_000
/** The server says something every 15 s; after three of those in silence the line is dead. */
const SILENCE_MS = 45_000

/**
 * Follows a stream of events until the returned function is called: comes back after every end, resumes after the last
 * event it read, and waits twice as long after each failure in a row, up to 30 s. Once closed it does not come back.
 */
export function followStream({ after, open, event, connection }: Follower): () => void {
  const stopped = new AbortController()
  let lastId = after
  let pause = FIRST_WAIT_MS
  let failures = 0

  const readOnce = async (): Promise<void> => {
    const line = new AbortController()
    const signal = AbortSignal.any([stopped.signal, line.signal])
    connection('connecting')
    const response = await open(lastId, signal)
    if (!response.ok || response.body === null) throw new Error(`The event stream answered ${response.status}.`)
    failures = 0
    connection('connected')
    const read = readEvents({
      event: (heard) => {
        lastId = heard.id
        event(heard)
      },
      retry: (asked) => (pause = Math.min(asked, LONGEST_WAIT_MS)),
    })
    await eachPiece(response.body, { read, silent: () => line.abort() })
  }
  const keepReading = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one line at a time
      await readOnce().catch(() => undefined)
      if (stopped.signal.aborted) break
      connection('disconnected')
      // oxlint-disable-next-line no-await-in-loop -- the wait is the point
      await wait(Math.min(pause * 2 ** failures, LONGEST_WAIT_MS), stopped.signal)
      failures += 1
    }
    connection('disconnected')
  }
  void keepReading()
  return () => {
    if (stopped.signal.aborted) return
    connection('disconnecting')
    stopped.abort()
  }
}

type Pieces = { readonly read: (piece: string) => void; readonly silent: () => void }

/** Hands on what comes, until the end; `silent` is called when nothing came for too long. */
export async function eachPiece(body: ReadableStream<Uint8Array>, { read, silent }: Pieces): Promise<void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (;;) {
    const watch = setTimeout(silent, SILENCE_MS)
    // oxlint-disable-next-line no-await-in-loop -- pieces come one after another
    const { done, value } = await reader.read().finally(() => clearTimeout(watch))
    if (done) return
    read(decoder.decode(value, { stream: true }))
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((over) => {
    const timer = setTimeout(over, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      over()
    })
  })
}
