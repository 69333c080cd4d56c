import { setTimeout as sleep } from 'node:timers/promises'

/** A reader of server-sent events that knows when each came, on the clock of `performance.now`. */
export type EventClient = {
  /** When the newest event of this kind came that is later than `after`; throws when none comes until the deadline. */
  later(kind: string, after: number, deadline: number): Promise<number>
  close(): void
}

/** Connects, and tells only of what comes from now on. */
export async function eventsOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventClient> {
  const stop = new AbortController()
  const answer = await fetch(url, { signal: stop.signal, headers })
  if (!answer.ok || answer.body === null) throw new Error(`${url} answered ${answer.status}`)
  const newest = new Map<string, number>()
  // Reading ends when the client is closed; whoever waits then is told by the deadline.
  read(answer.body, (kind) => newest.set(kind, performance.now())).catch(() => undefined)
  return {
    later: async (kind, after, deadline) => {
      for (;;) {
        const at = newest.get(kind) ?? 0
        if (at > after) return at
        if (performance.now() > deadline) throw new Error(`no ${kind} event came in time`)
        await sleep(2)
      }
    },
    close: () => stop.abort(),
  }
}

async function read(body: ReadableStream<Uint8Array>, onEvent: (kind: string) => void): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('event: ')) onEvent(line.slice('event: '.length))
  }
}
